//! What scorers made of answers with known labels, counted by kind, and how much of it may be wrong.

use std::collections::BTreeMap;

use atlas_gt::scoring::answer::AnswerVerdict;

/// Whether every corpus has to reach [`FINAL`]; until then none may be worse than its own figures of the day it came.
pub const IS_FINAL: bool = false;

/// What a corpus may get wrong: no wrong answer that passes, one right answer in a hundred that is called wrong or missing,
/// eight that nobody decides.
const FINAL: Shares = Shares { false_passes: 0.0, false_fails: 0.01, right_unscored: 0.08 };

struct Shares {
    false_passes: f64,
    false_fails: f64,
    right_unscored: f64,
}

/// How many answers of a corpus may be decided otherwise than is due.
#[derive(Debug, Clone, Copy)]
pub struct Allowed {
    pub false_passes: usize,
    pub false_fails: usize,
    pub right_unscored: usize,
}

/// What is due to an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    Right,
    Wrong,
    /// It does not give what is asked, or not all of it, or nobody could decide it.
    #[serde(alias = "open")]
    Missing,
}

/// How a verdict differs from what is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A wrong answer is called right.
    Pass,
    /// A right answer is called wrong or missing.
    Fail,
    /// A right answer is left to a judge.
    Unscored,
    /// A wrong answer is left to a judge, which is no fault.
    Open,
}

impl Fault {
    fn of(due: Label, said: AnswerVerdict) -> Option<Self> {
        match (due, said) {
            (Label::Right, AnswerVerdict::Right) => None,
            (Label::Right, AnswerVerdict::Unscored) => Some(Self::Unscored),
            (Label::Right, AnswerVerdict::Wrong | AnswerVerdict::Missing) => Some(Self::Fail),
            (_, AnswerVerdict::Right) => Some(Self::Pass),
            (_, AnswerVerdict::Unscored) => Some(Self::Open),
            (_, AnswerVerdict::Wrong | AnswerVerdict::Missing) => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Unscored => "unscored",
            Self::Open => "open",
        }
    }
}

/// The figures of one kind, or of a corpus.
#[derive(Debug, Clone, Default)]
struct Count {
    right: usize,
    wrong: usize,
    faults: BTreeMap<Fault, usize>,
    shown: usize,
}

impl Count {
    fn of(&self, fault: Fault) -> usize {
        self.faults.get(&fault).copied().unwrap_or_default()
    }

    fn add(&mut self, due: Label, fault: Option<Fault>) {
        *(if due == Label::Right { &mut self.right } else { &mut self.wrong }) += 1;
        if let Some(fault) = fault {
            *self.faults.entry(fault).or_default() += 1;
        }
    }

    fn row(&self, name: &str) -> String {
        let [pass, fail, unscored, open] =
            [Fault::Pass, Fault::Fail, Fault::Unscored, Fault::Open].map(|fault| self.of(fault));
        format!("{name:58.58} {:6} {fail:5} {unscored:8} | {:6} {pass:5} {open:8}", self.right, self.wrong)
    }
}

/// The figures of a corpus, kind by kind.
pub struct Figures {
    name: String,
    kinds: BTreeMap<String, Count>,
    all: Count,
    failing: Vec<String>,
    wish: Wish,
}

/// Which failing answers are printed.
struct Wish {
    show: usize,
    kind: Option<String>,
    fault: Option<String>,
}

impl Figures {
    pub fn new(name: &str) -> Self {
        let show = std::env::var("SHOW").ok();
        let wish = Wish {
            show: show.map_or(0, |show| show.parse().unwrap_or(usize::MAX)),
            kind: std::env::var("KIND").ok(),
            fault: std::env::var("FAULT").ok(),
        };
        let name = name.to_owned();
        Self { name, kinds: BTreeMap::new(), all: Count::default(), failing: Vec::new(), wish }
    }

    /// Counts an answer; `told` says what it is and why it was decided so.
    pub fn add(&mut self, kind: &str, due: Label, said: AnswerVerdict, told: impl FnOnce() -> String) {
        let fault = Fault::of(due, said);
        self.all.add(due, fault);
        let count = self.kinds.entry(kind.to_owned()).or_default();
        count.add(due, fault);
        let Some(fault) = fault else { return };
        let Wish { show, kind: of_kind, fault: of_fault } = &self.wish;
        let is_wanted = of_kind.as_deref().is_none_or(|wanted| kind.contains(wanted))
            && of_fault.as_deref().map_or(fault != Fault::Open, |wanted| fault.name() == wanted);
        if is_wanted && count.shown < *show {
            count.shown += 1;
            self.failing.push(format!("{}: {kind}: {}", fault.name(), told()));
        }
    }

    /// Prints the figures, and fails where they are worse than a corpus may be.
    #[track_caller]
    pub fn settle(self, today: Allowed) {
        let share = |of: usize, share: f64| (of as f64 * share).floor() as usize;
        let at_last = Allowed {
            false_passes: share(self.all.wrong, FINAL.false_passes),
            false_fails: share(self.all.right, FINAL.false_fails),
            right_unscored: share(self.all.right, FINAL.right_unscored),
        };
        self.check(if IS_FINAL { at_last } else { today });
    }

    /// As [`Figures::settle`], of what has no exception in the end.
    #[track_caller]
    pub fn settle_whole(self, today: Allowed) {
        let none = Allowed { false_passes: 0, false_fails: 0, right_unscored: 0 };
        self.check(if IS_FINAL { none } else { today });
    }

    #[track_caller]
    fn check(self, allowed: Allowed) {
        println!("{:58}  right  fail unscored |  wrong  pass unscored", self.name);
        for (kind, count) in &self.kinds {
            println!("{}", count.row(&format!("  {kind}")));
        }
        println!("{}\n", self.all.row("  all"));
        for line in &self.failing {
            println!("{line}\n");
        }
        let found = Allowed {
            false_passes: self.all.of(Fault::Pass),
            false_fails: self.all.of(Fault::Fail),
            right_unscored: self.all.of(Fault::Unscored),
        };
        assert!(
            found.false_passes <= allowed.false_passes
                && found.false_fails <= allowed.false_fails
                && found.right_unscored <= allowed.right_unscored,
            "{}: {found:?}, more than {allowed:?}; SHOW=all prints them",
            self.name
        );
    }
}
