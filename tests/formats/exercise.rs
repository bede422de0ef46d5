//! An exercise: a new command that reports a list, in 40 lines at most, in every format.

// begin of the command
use atlas_gt::report::{
    CaseVerdict, Doc, Format, Invocation, Report, ReportCase, Table, Terminal, Text, Tone, write,
};
use atlas_gt::row;

/// Pages that nobody visited for long.
#[derive(serde::Serialize, schemars::JsonSchema)]
struct Forgotten {
    pages: Vec<Page>,
}

/// A page, and for how long nobody visited it.
#[derive(serde::Serialize, schemars::JsonSchema)]
struct Page {
    path: String,
    days: u32,
}

impl Report for Forgotten {
    const NAME: &'static str = "forgotten";
    const ITEMS: Option<&'static str> = Some("pages");

    fn doc(&self, invocation: &Invocation) -> Doc {
        let mut doc = Doc::new("Forgotten pages");
        doc.sum(Text::toned(Tone::Warning, format!("{} pages are forgotten", self.pages.len())));
        let cells = |page: &Page| row![invocation.page(&page.path), page.days];
        doc.body.table(Table::new(&["page", ">days"]).rows(self.pages.iter().map(cells)));
        doc.next("visit them", invocation.command("refresh --stale"));
        doc
    }

    fn cases(&self) -> Vec<ReportCase> {
        self.pages
            .iter()
            .map(|page| ReportCase::new(&page.path, CaseVerdict::from_pass(Some(page.days < 90)), page.days))
            .collect()
    }
}
// end of the command

#[test]
fn a_new_command_that_reports_a_list_takes_40_lines_and_has_every_format() {
    let source = include_str!("exercise.rs");
    let command = source.split("// begin of the command\n").nth(1).unwrap();
    let command = command.split("// end of the command").next().unwrap();
    assert!(command.lines().count() <= 40, "{}", command.lines().count());
    let page = |path: &str, days| Page { path: path.to_owned(), days };
    let report = Forgotten { pages: vec![page("/countries/404", 100), page("/a<b>", 3)] };
    let written = |format| write(&report, format, &Invocation::default(), Terminal::PLAIN).unwrap();
    for (format, due) in [
        (Format::Table, "/countries/404   100"),
        (Format::Md, "| /countries/404 | 100 |"),
        (Format::Html, "a&lt;b&gt;</td>"),
        (Format::Json, "\"schema_version\": 1"),
        (Format::Jsonl, "{\"path\":\"/a<b>\",\"days\":3}\n{\"summary\":"),
        (Format::Junit, "failures=\"1\""),
    ] {
        let text = written(format);
        assert!(text.contains(due), "{format:?}: {text}");
    }
}
