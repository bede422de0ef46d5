"""Writes `atlas_gt/models.py` from the JSON schemas in `docs/schemas`. A test checks that it is up to date."""

import json
import keyword
import textwrap
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SCHEMAS = ("score_answer", "score_answers", "results", "run_summary", "run_question")
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
HEAD = '''"""What the program prints and stores, as types. Written by `generate_models.py` from `docs/schemas`: do not edit."""

from typing import Any, Literal, NotRequired, TypedDict
'''


class Models:
    """The types of all schemas, each after what it names. A definition that two schemas share is written once."""

    def __init__(self) -> None:
        self.definitions: dict[str, Any] = {}
        self.names: dict[str, str] = {}
        self.known: dict[str, Any] = {}
        self.done: set[str] = set()
        self.written: list[str] = []

    def add(self, schema: dict[str, Any]) -> None:
        """All types of a schema. A name that means something else in an earlier schema gets the title before it."""
        title = "".join(word.capitalize() for word in schema["title"].split("_"))
        self.known = schema.get("$defs", {})
        self.names = {
            name: name if self.definitions.setdefault(name, definition) == definition else title + name
            for name, definition in self.known.items()
        }
        self.write(title + "File" if title in self.known else title, schema)

    def write(self, name: str, definition: dict[str, Any]) -> None:
        """Adds a type, and before it those that it names."""
        if name in self.done:
            return
        self.done.add(name)
        text = textwrap.fill(" ".join(definition.get("description", "").split()), 110)
        comment = textwrap.indent(text, "# ") + "\n" if text else ""
        if "properties" not in definition:
            self.written.append(f"{comment}{name} = {self.type(definition)}\n")
            return
        required = definition.get("required", [])
        kinds = {field: self.type(of) for field, of in definition["properties"].items()}
        kinds = {field: kind if field in required else f"NotRequired[{kind}]" for field, kind in kinds.items()}
        if any(map(keyword.iskeyword, kinds)):
            # no field of a class can have the name of a keyword
            fields = ", ".join(f'"{field}": {kind}' for field, kind in kinds.items())
            self.written.append(f'{comment}{name} = TypedDict("{name}", {{{fields}}})\n')
            return
        fields = "".join(f"    {field}: {kind}\n" for field, kind in kinds.items())
        doc = textwrap.indent(f'"""{text}"""', "    ")
        self.written.append(f"class {name}(TypedDict):\n{doc}\n\n{fields}")

    def type(self, schema: Any) -> str:
        """The Python type of a schema."""
        match schema:
            case {"$ref": ref}:
                name = ref.rsplit("/", 1)[1]
                self.write(self.names[name], self.known[name])
                return self.names[name]
            case {"const": value}:
                return f"Literal[{json.dumps(value)}]"
            case {"anyOf": choices} | {"oneOf": choices}:
                return self.union([self.type(choice) for choice in choices])
            case {"type": list(types)}:
                return self.union([self.type({**schema, "type": one}) for one in types])
            case {"type": "array"}:
                return f"list[{self.type(schema.get('items', {}))}]"
            case {"type": "object"}:
                return f"dict[str, {self.type(schema.get('additionalProperties', {}))}]"
            case {"type": str(plain)}:
                return PLAIN[plain]
        return "Any"

    @staticmethod
    def union(choices: list[str]) -> str:
        """A union; constants share one `Literal`."""
        constants = [choice[len("Literal[") : -1] for choice in choices if choice.startswith("Literal[")]
        others = [choice for choice in choices if not choice.startswith("Literal[")]
        literal = [f"Literal[{', '.join(constants)}]"] if constants else []
        return " | ".join(dict.fromkeys(literal + others))


def generate() -> str:
    """The text of `models.py`."""
    models = Models()
    for name in SCHEMAS:
        models.add(json.loads((HERE.parent / "docs/schemas" / f"{name}.schema.json").read_text(encoding="utf-8")))
    return "\n\n".join([HEAD, *models.written])


if __name__ == "__main__":
    (HERE / "atlas_gt" / "models.py").write_text(generate(), encoding="utf-8")
