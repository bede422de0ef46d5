//! Where a text stands on a page.

use super::page::{Line, Lines, Page};
use crate::value::fold::words_at;

/// Left, top, width and height in CSS pixels of the page.
type Area = [f32; 4];

impl Page {
    /// The box of a displayed text within some lines: left, top, width and height in CSS pixels of the page. Of
    /// several, that of the line closest to a text of the value's locator. A text over several lines has the box of
    /// them all.
    #[must_use]
    pub fn box_of(&self, within: &Lines, displayed: &str, locator: &str) -> Option<Area> {
        if displayed.is_empty() {
            return None;
        }
        let lines = || self.lines[within.clone()].iter().enumerate();
        let is_label = |line: &Line| line.text.chars().count() > 2 && locator.contains(&line.text);
        let labels: Vec<usize> = lines().filter(|(_, line)| is_label(line)).map(|(at, _)| at).collect();
        // A label is more often before its value than after it.
        let from = |label: usize, at: usize| label.abs_diff(at) * 2 + usize::from(label > at);
        let distance = |at: usize| labels.iter().map(|label| from(*label, at)).min().unwrap_or(0);
        let found = lines().filter(|(_, line)| line.text.contains(displayed));
        let placed = found.filter_map(|(at, line)| {
            let is_part = words_at(&line.text, displayed).is_none();
            Some(((is_part, distance(at), line.text.len()), shown(line)?))
        });
        let nearest = placed.min_by_key(|(key, _)| *key).map(|(_, area)| area);
        nearest.or_else(|| {
            let blocks = self.inside(within).map(|block| &block.lines);
            let holding = blocks.filter(|lines| self.text((*lines).clone()).contains(displayed));
            let lines = holding.min_by_key(|lines| lines.len())?;
            self.lines[lines.clone()].iter().filter_map(shown).reduce(union)
        })
    }
}

/// The box of a line that takes up room.
fn shown(line: &Line) -> Option<Area> {
    line.area.filter(|[.., width, height]| *width > 0.0 && *height > 0.0)
}

/// The smallest box around two boxes.
#[must_use]
pub fn union(one: Area, other: Area) -> Area {
    let [left, top] = [0, 1].map(|at| one[at].min(other[at]));
    let [width, height] = [(0, left), (1, top)].map(|(at, from)| {
        let end = |area: Area| area[at] + area[at + 2];
        end(one).max(end(other)) - from
    });
    [left, top, width, height]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(html: &str, displayed: &str, locator: &str) -> Option<Area> {
        let page = Page::parse(html);
        page.box_of(&(0..page.lines.len()), displayed, locator)
    }

    #[test]
    fn of_equal_texts_the_one_by_its_label_counts() {
        let html = "<p data-agt-box=\"0,0,90,20\">Population in 1957</p><p data-agt-box=\"0,20,90,20\">57</p>\
             <p data-agt-box=\"0,900,90,20\">Rank of exports</p><p data-agt-box=\"0,920,90,20\">57</p>";
        let top = |locator: &str| place(html, "57", locator).map(|area| area[1]);
        assert_eq!(top("section `x`, below \"Rank of exports\""), Some(920.0));
        assert_eq!(top("section `x`, below \"Population in 1957\""), Some(20.0));
        assert_eq!(place(html, "58", ""), None);
        assert_eq!(place(html, "", ""), None);
    }

    #[test]
    fn a_text_over_several_lines_has_the_box_of_them_all() {
        let html = "<div data-agt-box=\"0,0,500,500\">Total: <div>of goods</div></div><div>\
             <p data-agt-box=\"10,20,90,20\">$2,274</p><p data-agt-box=\"10,40,70,20\">per person</p></div>";
        assert_eq!(place(html, "$2,274 per person", ""), Some([10.0, 20.0, 90.0, 40.0]));
        assert_eq!(place("<p data-agt-box=\"0,0,0,20\">57</p>", "57", ""), None, "it takes up no room");
    }
}
