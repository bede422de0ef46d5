//! The commands of every page are run as printed, in a fresh clone, and print what the page shows.
//!
//! What stands above a block says which site it needs: `(twin)`, `(live site)`, `(no site)`; or what else it `(needs …)`, and
//! then another test runs it. The commands of a page are one session of a shell. `…` stands for anything, `# exit code 3`
//! for the code that a command ends with, and a file is written where the page says "as `NAME`".

use std::fmt::Write as _;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{LazyLock, Mutex};
use std::time::Instant;

use tempfile::TempDir;

use super::pages::{Block, PROJECT, Page, book};

/// A page for each kind of user: nothing but its own lines lead to the first value.
const USERS: [(&str, &str); 4] = [
    ("score my answers", "docs/start/score-answers.md"),
    ("collect from the live site", "docs/start/first-live-run.md"),
    ("a monthly check", "docs/how-to/monthly-check.md"),
    ("my own question", "docs/how-to/own-question.md"),
];

/// Where the page says which replica is served for the live site.
const SERVED: &str = "<!-- the tests serve for the live site: atlas-gt twin ";

#[derive(Debug)]
enum Step {
    Write { name: String, text: String },
    Run { command: String, printed: Option<Vec<String>>, code: i32 },
}

/// The project as it is checked out, without what is built and without tests.
static CLONE: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let copy = "git ls-files -co --exclude-standard | grep -v ^tests/ | xargs -d '\\n' ls -d 2>/dev/null | tar -cf - -T - | tar -xf - -C \"$0\" \
        && cd \"$0\" && git init --quiet && git add . && git -c user.name=a -c user.email=a@localhost commit --quiet -m clone";
    let done =
        Command::new("sh").args(["-c", copy]).arg(folder.path()).current_dir(PROJECT).status().unwrap();
    assert!(done.success());
    folder
});

/// The commands of a block, a line each: a line that ends with a backslash goes on, and so does a text up to its `EOF`.
fn commands(text: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut open = None;
    for line in text.lines() {
        if open.is_some() {
            let command = commands.last_mut().unwrap();
            write!(command, "\n{line}").unwrap();
        } else if line.trim().is_empty() || line.starts_with('#') {
            continue;
        } else {
            commands.push(line.to_owned());
        }
        open = match open {
            None if line.ends_with('\\') => Some("\\"),
            None if line.contains("<<'EOF'") => Some("EOF"),
            Some("\\") if line.ends_with('\\') => open,
            Some("EOF") if line != "EOF" => open,
            _ => None,
        };
    }
    commands
}

fn exit_code(command: &str) -> i32 {
    let code = command.split("# exit code ").nth(1);
    code.map_or(0, |rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap())
}

/// Whether a block needs more than a site, such as root: another test runs it.
fn needs_more(block: &Block) -> bool {
    block.above.contains("(needs ") && block.above.ends_with("):")
}

/// What a block asks for: none of the sites is guessed.
fn steps(page: &Page) -> Vec<Step> {
    let mut steps = Vec::new();
    for block in page.blocks() {
        if let (false, Some((_, rest))) = (block.is_commands(), block.above.rsplit_once(" as `")) {
            let name = rest.split('`').next().unwrap().to_owned();
            steps.push(Step::Write { name, text: block.text + "\n" });
            continue;
        }
        if !block.is_commands() {
            continue;
        }
        let sites = ["(twin):", "(live site):", "(no site):"];
        if needs_more(&block) {
            continue;
        }
        assert!(
            sites.iter().any(|site| block.above.ends_with(site)),
            "{}: what stands above a block ends with one of {sites:?} or (needs …): {}",
            page.name(),
            block.above
        );
        let run = |command: String, printed| Step::Run { code: exit_code(&command), command, printed };
        if block.language == "sh" {
            steps.extend(commands(&block.text).into_iter().map(|command| run(command, None)));
            continue;
        }
        for session in format!("\n{}", block.text).split("\n$ ").skip(1) {
            let lines: Vec<&str> = session.lines().collect();
            let length = 1 + lines.iter().take_while(|line| line.ends_with('\\')).count();
            let printed = lines[length..].iter().map(|line| (*line).to_owned()).collect();
            steps.push(run(lines[..length].join("\n"), Some(printed)));
        }
    }
    steps
}

/// The words of a line with single spaces, for the columns of a table are as wide as what stands in them.
fn plain(line: &str) -> String {
    let drawn = |letter: char| "─═ ".contains(letter);
    line.split(drawn).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Whether a line is as shown, `…` for anything.
fn line_fits(shown: &str, line: &str) -> bool {
    let mut parts = shown.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first.trim_end()) else { return false };
    let mut last = first;
    for part in parts {
        last = part.trim();
        match rest.find(last) {
            Some(at) => rest = &rest[at + last.len()..],
            None => return false,
        }
    }
    shown.ends_with('…') || rest.is_empty() || (shown.contains('…') && line.ends_with(last))
}

/// Whether a line says that a visit failed and is made again, as may happen on a busy machine.
fn tells_of_another_try(line: &str) -> bool {
    line.split_once("; again in ").is_some_and(|(_, wait)| wait.ends_with(" s"))
}

/// What is shown and not printed, in the order in which it is shown.
fn differs(shown: &[String], printed: &str) -> Option<String> {
    let printed: Vec<String> =
        printed.lines().map(plain).filter(|line| !line.is_empty() && !tells_of_another_try(line)).collect();
    let mut left = printed.iter();
    let mut anything = false;
    for line in shown.iter().map(|line| plain(line)).filter(|line| !line.is_empty()) {
        if line == "…" {
            anything = true;
            continue;
        }
        let found = if anything {
            left.any(|own| line_fits(&line, own))
        } else {
            left.next().is_some_and(|own| line_fits(&line, own))
        };
        if !found {
            return Some(line);
        }
        anything = false;
    }
    if anything { None } else { left.next().map(|line| format!("nothing more; printed is: {line}")) }
}

/// A replica that stands for the live site.
struct Site {
    process: Child,
    address: String,
}

impl Site {
    fn serve(flags: &str) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_atlas-gt"))
            .args(["twin", "--port", "0", "--rate-limit", "0"])
            .args(flags.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.trim().split_once("/countries").map_or(line.trim(), |(address, _)| address).to_owned();
        Self { process, address }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs a page, and says how many commands it has, and what is not as the page says.
fn run(page: &Page) -> (usize, Vec<String>) {
    let steps = steps(page);
    let count = steps.iter().filter(|step| matches!(step, Step::Run { .. })).count();
    if count == 0 {
        return (0, Vec::new());
    }
    let folder = tempfile::tempdir().unwrap();
    let clone = folder.path().join("atlas-ground-truth");
    let copied = Command::new("cp").arg("-r").arg(CLONE.path()).arg(&clone).status().unwrap();
    assert!(copied.success());
    let said = folder.path().join("said");
    std::fs::create_dir(&said).unwrap();
    let script = script(&steps, &said);
    let mut command = Command::new("bash");
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ATLAS_GT_")) {
        command.env_remove(name);
    }
    let program = Path::new(env!("CARGO_BIN_EXE_atlas-gt")).parent().unwrap();
    command
        .args(["-c", &script])
        .current_dir(&clone)
        .stdin(Stdio::null())
        .env("HOME", folder.path())
        .env("XDG_CACHE_HOME", folder.path().join("cache"))
        .env("PATH", format!("{}:{}", program.display(), std::env::var("PATH").unwrap()));
    let live = page.text.contains("(live site):").then(|| {
        let flags = page.text.split_once(SERVED).map_or("", |(_, rest)| rest.split(" -->").next().unwrap());
        Site::serve(flags)
    });
    if let Some(site) = &live {
        // a store of the live site refuses the records of a replica
        std::fs::remove_dir_all(clone.join("ground_truth")).unwrap();
        command
            .env("ATLAS_GT_SITE", &site.address)
            .env("ATLAS_GT_STORE", "ground_truth")
            .env("ATLAS_GT_RATE", "6000");
    }
    let status = command.status().unwrap();
    assert!(status.success(), "{}: {status}", page.name());
    (count, wrong(&steps, &said, page.name()))
}

fn script(steps: &[Step], said: &Path) -> String {
    let mut script = "trap 'kill $(jobs -p) 2>/dev/null; true' EXIT\n".to_owned();
    for (index, step) in steps.iter().enumerate() {
        let at = said.join(index.to_string());
        let at = at.display();
        match step {
            Step::Write { name, text } => {
                let source = said.join(format!("{index}.file"));
                std::fs::write(&source, text).unwrap();
                writeln!(script, "mkdir -p \"$(dirname '{name}')\" && cp '{}' '{name}'", source.display())
                    .unwrap();
            }
            Step::Run { command, .. } => {
                writeln!(script, "{{\n{command}\n}} >{at}.out 2>&1\necho $? >{at}.code").unwrap();
            }
        }
    }
    script + "true\n"
}

fn wrong(steps: &[Step], said: &Path, name: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let Step::Run { command, printed, code } = step else { continue };
        let read = |ending: &str| {
            let bytes = std::fs::read(said.join(format!("{index}.{ending}"))).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let (out, ended) = (read("out"), read("code").trim().to_owned());
        if ended != code.to_string() {
            wrong.push(format!("{name}: {command}\nended with {ended}, not {code}:\n{out}"));
        } else if let Some(line) = printed.as_deref().and_then(|shown| differs(shown, &out)) {
            wrong.push(format!("{name}: {command}\nshows: {line}\nprints:\n{out}"));
        }
    }
    wrong
}

/// Runs pages, two at a time as they mostly wait, and prints how many commands they have and how long they take.
fn run_all(pages: impl IntoIterator<Item = (String, PathBuf), IntoIter: Send>) {
    let left = Mutex::new(pages.into_iter());
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some((title, path)) = { left.lock().unwrap().next() } {
            let started = Instant::now();
            let (count, found) = run(&Page::read(path));
            if count > 0 {
                println!("{title}: {count} commands, {:.1} s", started.elapsed().as_secs_f64());
            }
            wrong.lock().unwrap().extend(found);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The pages of the book in a folder but for those of the four users.
fn pages_in(folder: &str) -> Vec<(String, PathBuf)> {
    let users = USERS.map(|(_, page)| page);
    let pages =
        book().into_iter().filter(|page| page.name().starts_with(folder) && !users.contains(&page.name()));
    pages.map(|page| (page.name().to_owned(), page.path)).collect()
}

#[test]
fn a_user_with_answers_gets_there_with_one_page() {
    let (user, page) = USERS[0];
    run_all([(user.to_owned(), Path::new(PROJECT).join(page))]);
}

#[test]
#[ignore = "slow: make test-deep"]
fn four_users_get_there_with_one_page_each() {
    let pages = USERS.map(|(user, page)| (format!("{user} ({page})"), Path::new(PROJECT).join(page)));
    for (_, page) in &pages {
        assert!(steps(&Page::read(page.clone())).len() > 2, "{}", page.display());
    }
    run_all(pages);
}

#[test]
fn the_examples_of_the_start_run_as_printed() {
    let readme = ("README.md".to_owned(), Path::new(PROJECT).join("README.md"));
    run_all(pages_in("docs/start").into_iter().chain([readme]));
}

#[test]
#[ignore = "slow: make test-deep"]
fn the_examples_of_how_to_run_as_printed() {
    run_all(pages_in("docs/how-to"));
}

#[test]
fn the_examples_of_reference_and_explanation_run_as_printed() {
    run_all(["docs/introduction", "docs/reference", "docs/explanation"].into_iter().flat_map(pages_in));
}

#[test]
fn few_examples_need_more_than_a_site() {
    let blocks: Vec<Block> = book().iter().flat_map(Page::blocks).filter(Block::is_commands).collect();
    let more = blocks.iter().filter(|block| needs_more(block)).count();
    println!("{} blocks of commands, {more} of them need more than a site", blocks.len());
    assert!(more <= 9 && blocks.len() > 70, "{more} of {}", blocks.len());
}

#[test]
fn what_is_shown_and_what_is_printed_are_compared() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(differs(&lines("a  b\n…\nread … s"), "a b\nx\ny\nread 2.1 s\n"), None);
    assert_eq!(differs(&lines("a\n…"), "a\nb\n"), None);
    assert_eq!(differs(&lines("a\nc"), "a\nb\n").as_deref(), Some("c"));
    assert!(differs(&lines("a"), "a\nb\n").is_some());
    assert!(differs(&lines("read … s"), "read 2.1 min").is_some());
    let tried_again = "  /countries/404: the browser did not answer; again in 0.7 s\nread 2.1 s\n";
    assert_eq!(differs(&lines("read … s"), tried_again), None);
    assert_eq!(
        commands("a \\\n  b\ncat <<'EOF'\n# x\nEOF\nc # exit code 3"),
        ["a \\\n  b", "cat <<'EOF'\n# x\nEOF", "c # exit code 3"]
    );
    assert_eq!((exit_code("c # exit code 3: changes wait"), exit_code("c")), (3, 0));
}
