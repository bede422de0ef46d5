//! Reads extractor specs: those built in, or a folder of one's own.

use std::path::Path;

use super::super::{Method, PointCatalog};
use super::{Cell, Find, Opportunities, Opportunity, Spec};
use crate::error::{Error, Result};

const BUILT_IN: &[(&str, &str)] = &[
    (
        "manifests/extractors/country_profile.toml",
        include_str!("../../../manifests/extractors/country_profile.toml"),
    ),
    (
        "manifests/extractors/feasibility_table.toml",
        include_str!("../../../manifests/extractors/feasibility_table.toml"),
    ),
    (
        "manifests/extractors/treemap_verify.toml",
        include_str!("../../../manifests/extractors/treemap_verify.toml"),
    ),
];

/// All extractors of a run.
#[derive(Debug, Clone)]
pub struct Specs {
    specs: Vec<Spec>,
}

impl Specs {
    /// The specs that the program was built with.
    ///
    /// # Errors
    /// A spec that does not parse; a test keeps that from happening.
    pub fn built_in() -> Result<Self> {
        let specs =
            BUILT_IN.iter().map(|(path, text)| parse(Path::new(path), text)).collect::<Result<_>>()?;
        Ok(Self { specs })
    }

    /// Every `*.toml` of a folder, in order of name.
    ///
    /// # Errors
    /// The folder or a file cannot be read, or a file is no spec.
    pub fn load(folder: &Path) -> Result<Self> {
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .map_err(Error::named(folder))?
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
            .collect();
        paths.sort();
        let specs: Vec<Spec> = paths
            .iter()
            .map(|path| parse(path, &std::fs::read_to_string(path).map_err(Error::named(path))?))
            .collect::<Result<_>>()?;
        if specs.is_empty() {
            return Err(Error::Usage(format!("no extractor (*.toml) in {}", folder.display())));
        }
        Ok(Self { specs })
    }

    /// The extractor of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Spec> {
        self.specs.iter().find(|spec| spec.name == name)
    }

    /// All extractors.
    pub fn iter(&self) -> impl Iterator<Item = &Spec> {
        self.specs.iter()
    }
}

impl PointCatalog for Specs {
    fn extractors(&self) -> Vec<&str> {
        self.specs.iter().map(|spec| spec.name.as_str()).collect()
    }

    fn points(&self, extractor: &str) -> Vec<&str> {
        self.get(extractor)
            .map(|spec| spec.points.iter().map(|point| point.id.as_str()).collect())
            .unwrap_or_default()
    }

    fn method(&self, extractor: &str, point: &str) -> Option<Method> {
        self.get(extractor)?.point(point).map(|point| point.find.method())
    }
}

/// Reads one spec and checks that what it refers to is there.
///
/// # Errors
/// Not TOML, an unknown key, or a reference to a section, state or table that the spec does not have.
pub fn parse(path: &Path, text: &str) -> Result<Spec> {
    let syntax = |line, column, message| Error::Syntax { path: path.to_owned(), line, column, message };
    let spec: Spec = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let before = &text[..at.min(text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
        syntax(line, column, error.message().to_owned())
    })?;
    let line_of = |id: &str| {
        let needle = format!("id = \"{id}\"");
        text.lines().position(|line| line.trim() == needle).map_or(0, |line| line + 1)
    };
    for (index, point) in spec.points.iter().enumerate() {
        let fail = |what: String| Err(syntax(line_of(&point.id), 1, format!("point `{}`: {what}", point.id)));
        if spec.points[..index].iter().any(|other| other.id == point.id) {
            return fail("defined twice".into());
        }
        if !spec.sections.iter().any(|section| section.slug == point.section) {
            return fail(format!("no section `{}` in this spec", point.section));
        }
        if let Some(state) = &point.state
            && !spec.interactions.iter().any(|interaction| interaction.name == *state)
        {
            return fail(format!("no interaction `{state}` in this spec"));
        }
        if let Some(scale) = point.response.as_ref().and_then(|response| response.scale.as_ref())
            && scale.parse::<rust_decimal::Decimal>().is_err()
        {
            return fail(format!("scale `{scale}` is not a number"));
        }
        let has = |table: &str, column: Option<&str>| {
            let table = spec.point(table).and_then(|point| match &point.find {
                Find::Table(table) => Some(table),
                _ => None,
            });
            table.is_some_and(|table| column.is_none_or(|id| table.columns.iter().any(|one| one.id == id)))
        };
        match &point.find {
            Find::Cell(Cell { table, column }) | Find::Opportunity(Opportunity { table, column })
                if !has(table, Some(column)) =>
            {
                return fail(format!("no table `{table}` with a column `{column}`"));
            }
            Find::Opportunities(Opportunities { table, .. }) if !has(table, None) => {
                return fail(format!("no table `{table}`"));
            }
            Find::Stat(stat) if stat.rule.is_none() == stat.vocabulary.is_none() => {
                return fail("a stat has either a `rule` or a `vocabulary`".into());
            }
            Find::Cells(_) if point.response.as_ref().is_none_or(|response| response.rows.is_none()) => {
                return fail("cells are read from `response.rows`".into());
            }
            Find::Drawn(_) if point.response.as_ref().is_none_or(|response| response.path.is_none()) => {
                return fail("a drawn figure is read from `response.path`".into());
            }
            _ => {}
        }
    }
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_specs_parse() {
        let specs = Specs::built_in().unwrap();
        assert!(specs.get("country_profile").is_some_and(|spec| spec.points.len() > 50));
    }

    #[test]
    fn an_error_names_file_line_and_what_is_wrong() {
        let text = "name = \"x\"\nversion = 1\npage = \"country\"\nsections = []\n[[points]]\nid = \"a\"\nmetric = \"A\"\nsection = \"nowhere\"\nfind = { stat = { labels = [\"A\"], rule = \"F1\" } }\n";
        let error = parse(Path::new("x.toml"), text).unwrap_err().to_string();
        assert_eq!(error, "x.toml:6:1: point `a`: no section `nowhere` in this spec");
        let error = parse(Path::new("x.toml"), "name = 1\n").unwrap_err().to_string();
        assert!(error.starts_with("x.toml:1:8: "), "{error}");
    }
}
