//! The tree keeps to what the manual says of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Which module of the root package may use which; every arrow points down the table of the architecture page.
const ALLOWED: &[(&str, &[&str])] = &[
    ("cli", &["*"]),
    (
        "app",
        &[
            "answer", "audit", "auth", "catalog", "config", "engine", "erasure", "index", "jobs", "scope",
            "worker",
        ],
    ),
    ("web", &["app", "answer", "jobs", "auth", "worker", "catalog", "audit", "config", "engine", "scope"]),
    ("answer", &["index", "engine", "catalog", "audit", "scope"]),
    ("jobs", &["index", "engine", "worker", "catalog", "audit", "config", "erasure", "scope"]),
    ("worker", &[]),
    ("audit", &[]),
    ("index", &["catalog", "scope"]),
    ("auth", &["catalog", "scope", "audit"]),
    ("engine", &[]),
    ("catalog", &["scope"]),
    ("erasure", &[]),
    ("config", &[]),
    ("scope", &[]),
    ("manual", &[]),
];

/// Which member crate and which home library a module may name.
const CRATES: &[(&str, &[&str])] = &[
    ("ingest", &["answer", "app", "catalog", "cli", "config", "erasure", "index", "jobs", "web", "worker"]),
    ("kernels", &["engine", "cli", "worker"]),
    ("compliance", &["audit"]),
    ("axum", &["web", "cli"]),
    ("askama", &["web"]),
    ("tantivy", &["index"]),
    ("lancedb", &["index"]),
    ("rusqlite", &["catalog"]),
    ("tokenizers", &["engine"]),
    ("llguidance", &["engine"]),
    ("argon2", &["auth"]),
    ("seccompiler", &["worker"]),
    ("landlock", &["worker"]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with("target") {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The source without comments and strings, line for line, so that only code is looked at.
fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(length) = raw_string(rest, out.chars().next_back()) {
            length
        } else if c == '"' {
            string(rest)
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        let (gone, after) = rest.split_at(skipped);
        out.push(' ');
        out.extend(gone.chars().filter(|c| *c == '\n'));
        rest = after;
    }
    out
}

/// Bytes of the string literal at the start of `text`.
fn string(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 1;
    while end < bytes.len() && bytes[end] != b'"' {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    (end + 1).min(bytes.len())
}

/// Bytes of the raw string literal at the start of `text`, if there is one.
fn raw_string(text: &str, before: Option<char>) -> Option<usize> {
    if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let hashes = text.strip_prefix('r')?.bytes().take_while(|b| *b == b'#').count();
    let body = text.get(1 + hashes..)?.strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let end = body.find(&close).unwrap_or(body.len());
    Some((1 + hashes + 1 + end + close.len()).min(text.len()))
}

/// The module of the root package that a source file belongs to.
fn module_of(path: &Path) -> Option<String> {
    let inner = path.strip_prefix(root().join("src")).ok()?;
    let first = inner.components().next()?.as_os_str().to_string_lossy().into_owned();
    let name = first.trim_end_matches(".rs").to_owned();
    (!matches!(name.as_str(), "main" | "lib" | "build")).then_some(name)
}

fn sources() -> BTreeMap<PathBuf, String> {
    let all = files(&root().join("src"), "rs");
    assert!(all.len() > 40, "the source must have been found");
    all.into_iter().map(|p| (p.clone(), code(&fs::read_to_string(&p).unwrap()))).collect()
}

/// Every name that follows `prefix` in the code, the first segment only; groups are opened.
fn names_after(text: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices(prefix) {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &text[at + prefix.len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 1;
            let mut name = String::new();
            let mut take = true;
            for c in group.chars() {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 1 => take = true,
                    c if (c.is_alphanumeric() || c == '_') && depth == 1 && take => {
                        name.push(c);
                        continue;
                    }
                    _ => {}
                }
                if !name.is_empty() {
                    names.push(std::mem::take(&mut name));
                    take = c == ',';
                }
                if depth == 0 {
                    break;
                }
            }
        } else {
            names.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    names
}

#[test]
fn modules_use_only_what_lies_below_them() {
    let modules: Vec<&str> = ALLOWED.iter().map(|(m, _)| *m).collect();
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let Some(module) = module_of(&path) else { continue };
        let allowed = ALLOWED.iter().find(|(m, _)| *m == module).map(|(_, a)| *a);
        let allowed =
            allowed.unwrap_or_else(|| panic!("module {module} is not in the table of the architecture page"));
        for used in names_after(&text, "crate::") {
            let known = modules.contains(&used.as_str());
            if known && used != module && !allowed.contains(&used.as_str()) && !allowed.contains(&"*") {
                wrong.push(format!("{}: {module} → {used}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "forbidden directions:\n{}", wrong.join("\n"));
}

#[test]
fn arrows_point_down_the_table_of_the_architecture_page() {
    let page = fs::read_to_string(root().join("src/manual/architecture.md")).unwrap();
    let rows: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('|').next())
        .flat_map(|cell| cell.split(['`', ',', ' ']))
        .filter_map(|path| path.strip_prefix("src/"))
        .map(|name| name.trim_end_matches(".rs"))
        .collect();
    let place = |module: &str| rows.iter().position(|row| *row == module);
    for (module, allowed) in ALLOWED.iter().filter(|(_, allowed)| !allowed.is_empty()) {
        let from = place(module).unwrap_or_else(|| panic!("{module} is not in the table"));
        for used in allowed.iter().filter(|used| **used != "*") {
            assert!(place(used).is_some_and(|to| from < to), "{module} → {used} does not point down");
        }
    }
}

#[test]
fn every_library_has_one_home() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let Some(module) = module_of(&path) else { continue };
        for (library, homes) in CRATES {
            let used = text.match_indices(&format!("{library}::")).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':')
            });
            if used && !homes.contains(&module.as_str()) {
                wrong.push(format!("{}: {library} in {module}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "libraries outside their home:\n{}", wrong.join("\n"));
}

#[test]
fn the_member_crates_know_neither_each_other_nor_the_root() {
    for member in ["ingest", "kernels", "compliance"] {
        let manifest = fs::read_to_string(root().join(member).join("Cargo.toml")).unwrap();
        for other in ["ingest", "kernels", "compliance", "dossier"] {
            let names_it = manifest
                .lines()
                .any(|l| l.starts_with(&format!("{other}.")) || l.starts_with(&format!("{other} ")));
            assert!(!names_it, "{member} depends on {other}");
        }
    }
}

#[test]
fn environment_variables_are_read_in_config_only() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let module = module_of(&path).unwrap_or_default();
        // What cargo tells the build is no setting of the product.
        let builds = path.ends_with("src/build.rs");
        if module != "config" && !builds && (text.contains("env::var") || text.contains("env::vars")) {
            wrong.push(path.display().to_string());
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Nothing in the product connects to anything: what could do so stands in the test of the way out, in the reader's own
/// probe, and in the command line's way to the running server, a socket in the data folder.
#[test]
fn nothing_connects_but_the_test_of_the_way_out() {
    let homes = ["src/worker/network.rs", "src/worker/sandbox.rs", "src/cli/egress_test.rs"];
    let mut seen = 0;
    let mut wrong = Vec::new();
    let mut sources = sources();
    for member in ["ingest", "compliance", "kernels"] {
        for path in files(&root().join(member).join("src"), "rs") {
            let text = code(&fs::read_to_string(&path).unwrap());
            sources.insert(path, text);
        }
    }
    for (path, text) in sources {
        let inner = path.strip_prefix(root()).unwrap().display().to_string();
        let ways = [
            "TcpStream::connect",
            "UdpSocket::bind",
            "TcpSocket::",
            "socket2::",
            "ToSocketAddrs",
            "lookup_host",
        ];
        let uses = ways.iter().any(|way| text.contains(way));
        seen += usize::from(uses);
        if uses && !homes.contains(&inner.as_str()) {
            wrong.push(inner.clone());
        }
        if text.contains("UnixStream::connect")
            && !homes.contains(&inner.as_str())
            && inner != "src/cli/control.rs"
        {
            wrong.push(inner);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(seen, homes.len(), "what is looked for must be found where it is");
}

#[test]
fn unsafe_stands_in_kernels_only_and_says_why() {
    let manifest = |member: &str| fs::read_to_string(root().join(member).join("Cargo.toml")).unwrap();
    assert!(manifest("").contains("[workspace.lints.rust]\nunsafe_code = \"forbid\""));
    for member in ["", "ingest", "compliance"] {
        assert!(manifest(member).contains("[lints]\nworkspace = true"), "{member:?} has lints of its own");
    }
    for path in files(&root().join("kernels").join("src"), "rs") {
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (n, line) in code(&text).lines().enumerate() {
            if !line.contains("unsafe {") {
                continue;
            }
            let reason = lines[n.saturating_sub(8)..=n].iter().any(|l| l.contains("SAFETY:"));
            assert!(reason, "{}:{} has an unsafe block without a SAFETY: note", path.display(), n + 1);
        }
    }
}

#[test]
fn every_path_that_the_manual_and_the_readme_name_exists() {
    let mut pages = files(&root().join("src/manual"), "md");
    pages.push(root().join("README.md"));
    assert!(pages.len() >= 4, "the manual must have been found");
    let mut checked = 0;
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for picture in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let beside = page.parent().unwrap().join(picture);
            assert!(beside.exists(), "{} links {picture}, which is not there", page.display());
        }
        for name in text.split('`').skip(1).step_by(2) {
            let top = name.split('/').next().unwrap_or("");
            let is_path = name.contains('/')
                && ["src", "ingest", "kernels", "compliance", "templates", "tests", ".ci", ".config"]
                    .contains(&top)
                && !name.contains([' ', '*', '{', '<']);
            if is_path {
                checked += 1;
                assert!(root().join(name).exists(), "{} names {name}, which is not there", page.display());
            }
        }
    }
    assert!(checked > 10, "paths must have been found");
}

#[test]
fn the_manual_explains_every_configuration_key_as_the_program_knows_it() {
    let page = fs::read_to_string(root().join("src/manual/configuration.md")).unwrap();
    let cell = |text: &str| text.replace('|', "\\|");
    let expected: String = dossier::config::KEYS
        .iter()
        .map(|key| {
            let default =
                if key.default.is_empty() { "–".to_owned() } else { format!("`{}`", cell(key.default)) };
            format!("| `{}` | {} | {default} | {} |\n", key.name, cell(key.unit), cell(key.effect))
        })
        .collect();
    let rest = page.split_once("|---|---|---|---|\n").expect("the table").1;
    let rows: String = rest.lines().take_while(|l| l.starts_with('|')).map(|l| format!("{l}\n")).collect();
    assert_eq!(rows, expected);
}

#[test]
fn comments_and_strings_are_no_code() {
    let source = "a(); // crate::x\nb(\"crate::y \\\" \"); r#\"unsafe {\n\"# c();";
    assert_eq!(code(source), "a();  \nb( );  \n c();");
}
