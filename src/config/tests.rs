use std::path::{Path, PathBuf};

use super::{load::parse, *};

fn load(text: &str) -> Result<Config, ConfigError> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("dossier.toml"), text).unwrap();
    // The mapping file that the example names.
    std::fs::write(folder.path().join("rfi-spalten.toml"), "").unwrap();
    let cli = Overrides { data: Some(folder.path().to_owned()), config: None };
    Config::load_with(&cli, &Environment { home: Some("/home/anna".into()), ..Environment::default() })
}

fn message(text: &str) -> String {
    let message = load(text).unwrap_err().to_string();
    assert!(message.contains("dossier.toml"), "names the file: {message}");
    message
}

#[test]
fn an_empty_file_gives_the_documented_defaults() {
    let config = load("").unwrap();
    assert_eq!(config.server.bind.to_string(), "127.0.0.1:7420");
    assert_eq!(config.server.language, "de");
    assert_eq!(config.ingest.schedule.as_deref(), Some("30 1 * * *"));
    assert_eq!((config.ingest.worker_memory_mb, config.ingest.worker_seconds), (1536, 60));
    assert_eq!(config.models_dir, Path::new("/home/anna/.cache/dossier/models"));
    assert_eq!((config.engine.threads, config.engine.context_tokens), (0, 4096));
    assert_eq!((config.engine.parallel_answers, config.engine.kv_tokens), (16, 0));
    assert_eq!((config.engine.kv_kind, config.engine.prefix_cache_mb), (KvStorage::F16, 256));
    assert!(config.sources.is_empty() && !config.engine.require_gpu);
}

#[test]
fn the_table_of_keys_gives_the_defaults_of_the_program() {
    let lines: Vec<String> = KEYS
        .iter()
        .filter(|key| !key.default.is_empty() && !key.name.starts_with("source."))
        .map(|key| format!("{} = {}", key.name, key.default))
        .collect();
    let mut written = load(&lines.join("\n")).unwrap();
    let empty = load("").unwrap();
    (written.file, written.data) = (empty.file.clone(), empty.data.clone());
    assert_eq!(written, empty);
}

#[test]
fn the_table_of_keys_and_the_types_agree() {
    // serde lists the fields of a section when it meets a strange one.
    for (section, text) in [
        ("", "strange = 1"),
        ("server.", "[server]\nstrange = 1"),
        ("ingest.", "[ingest]\nstrange = 1"),
        ("ingest.limits.", "[ingest.limits]\nstrange = 1"),
        ("engine.", "[engine]\nstrange = 1"),
        ("answers.", "[answers]\nstrange = 1\nforce_citations = true"),
        ("retention.", "[retention]\nstrange = 1\nhigh_risk = true"),
        ("report.", "[report]\nstrange = 1"),
        ("source.", "[[source]]\nstrange = 1"),
        ("source.rule.", "[[source]]\n[[source.rule]]\nstrange = 1"),
    ] {
        let message = toml::from_str::<raw::Raw>(text).unwrap_err().to_string();
        // Or names the only one.
        let listed = message.split(", expected").nth(1).unwrap();
        let sections =
            ["server", "ingest", "engine", "answers", "retention", "report", "source", "limits", "rule"];
        let mut fields: Vec<String> = listed
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|field| !sections.contains(field) || (section, *field) == ("report.", "retention"))
            .map(|field| format!("{section}{field}"))
            .collect();
        let depth = section.matches('.').count();
        let mut keys: Vec<String> = KEYS
            .iter()
            .filter(|key| key.name.starts_with(section) && key.name.matches('.').count() == depth)
            .map(|key| key.name.to_owned())
            .collect();
        fields.sort();
        keys.sort();
        assert_eq!(fields, keys, "section `{section}`");
    }
}

#[test]
fn the_example_changes_nothing_and_works_when_uncommented() {
    let mut config = load(&Config::example()).unwrap();
    let empty = load("").unwrap();
    (config.file, config.data) = (empty.file.clone(), empty.data.clone());
    assert_eq!(config, empty);

    let all: String = Config::example()
        .lines()
        .filter(|line| !line.starts_with("##"))
        .map(|line| match line.strip_prefix("# ") {
            Some(setting) if setting.contains(" = ") || setting.starts_with('[') => format!("{setting}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    let config = load(&all).unwrap();
    assert_eq!(config.sources[0].acl.as_deref(), Some("Schulhaus Kosten"));
    assert_eq!(config.ingest.worker_seconds, 180);
    assert_eq!(config.report.firm, "Muster Architekten AG");
}

#[test]
fn an_unknown_key_is_named_with_the_nearest_known_one() {
    for (text, key, nearest) in [
        ("[server]\nbnid = \"x\"", "server.bnid", "server.bind"),
        ("[ingset]\nschedule = \"x\"", "ingset", "ingest"),
        ("[[source]]\nname = \"a\"\npfad = \"/a\"", "source.pfad", ""),
        ("[[source]]\nincludes = []", "source.includes", "source.include"),
        ("threads = 2", "threads", "engine.threads"),
        ("[ingest.limits]\nmax_page = 2", "ingest.limits.max_page", "ingest.limits.max_pages"),
    ] {
        let message = message(text);
        assert!(message.contains(&format!("unknown key `{key}`")), "{message}");
        if !nearest.is_empty() {
            assert!(message.contains(&format!("did you mean `{nearest}`?")), "{message}");
        }
    }
    assert!(!message("zzzzzzzz = 1").contains("did you mean"));
}

#[test]
fn values_that_cannot_be_are_refused_by_name() {
    for (text, part) in [
        ("[server]\nbind = \"localhost\"", "`server.bind` is `localhost`"),
        ("[server]\nlanguage = \"rm\"", "allowed are de, fr, it, en"),
        ("[server]\nsession_hours = 0", "allowed are 1 to 720"),
        ("[server]\nsession_hours = -1", "line 2"),
        ("[ingest]\nschedule = \"every night\"", "`ingest.schedule`"),
        ("[ingest]\nworker_memory_mb = 1", "allowed are 128"),
        ("[engine]\nkv_kind = \"q4_0\"", "`engine.kv_kind` is `q4_0`; allowed are f16 and q8_0"),
        ("[engine]\nparallel_answers = 0", "allowed are 1 to 64"),
        ("[retention]\ntrail_days = 200\narticle_4 = true", "365 at least"),
        ("[retention]\ntrail_days = 182\nhigh_risk = true", "183 at least"),
        ("[retention]\ncontent_days = 400", "must be between"),
        ("[engine]\nkv_tokens = 4095", "one answer alone may take engine.context_tokens = 4096"),
        ("[report]\nreviewed_on = \"30.11.2026\"", "write a date as"),
        ("[[source]]\npath = \"/a\"", "`source.name`"),
        ("[[source]]\nname = \"a/b\"\npath = \"/a\"", "`source.name`"),
        ("[[source]]\nname = \"a\"", "`source.path of a` is missing"),
        ("[[source]]\nname = \"a\"\npath = \"/a\"\nexclude = [\"[\"]", "`source.exclude of a`"),
        ("[[source]]\nname = \"a\"\npath = \"/a\"\nproject = \" \"", "`source.project of a` is empty"),
        ("[[source]]\nname = \"a\"\npath = \"/a\"\n[[source]]\nname = \"a\"\npath = \"/b\"", "used twice"),
        ("server = 3", "line 1"),
        ("= 3", "line 1"),
    ] {
        let message = message(text);
        assert!(message.contains(part), "`{part}` not in: {message}");
    }
}

#[test]
fn paths_count_from_the_file_or_the_home_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.toml");
    let text = "models_dir = \"~/gguf\"\n[[source]]\nname = \"a\"\npath = \"plans\"\n[engine]\nembed_model = \"e5.gguf\"";
    std::fs::write(&file, text).unwrap();
    let cli = Overrides { config: Some(file.clone()), data: None };
    let mut environment = Environment { home: Some("/home/anna".into()), ..Environment::default() };
    let config = Config::load_with(&cli, &environment).unwrap();
    assert_eq!(config.data, Path::new("/home/anna/.local/share/dossier"));
    assert_eq!(config.sources[0].path, folder.path().join("plans"));
    assert_eq!(config.sources[0].project, "a");
    assert_eq!(config.models_dir, Path::new("/home/anna/gguf"));
    assert_eq!(config.engine.embed_model.map(PathBuf::from), Some(folder.path().join("e5.gguf")));

    environment.models = Some("/srv/models".into());
    environment.data = Some("/srv/dossier".into());
    let config = Config::load_with(&cli, &environment).unwrap();
    assert_eq!((config.models_dir, config.data), ("/srv/models".into(), "/srv/dossier".into()));
    assert!(matches!(
        Config::load_with(&Overrides::default(), &Environment::default()),
        Err(ConfigError::NoHome)
    ));
    let missing = Overrides { config: Some(folder.path().join("none.toml")), data: None };
    assert!(matches!(Config::load_with(&missing, &environment), Err(ConfigError::Read { .. })));
}

#[test]
fn an_empty_schedule_means_never() {
    assert_eq!(load("[ingest]\nschedule = \"\"").unwrap().ingest.schedule, None);
}

#[test]
fn hashes_and_names_stay_and_paths_are_completed() {
    let hash = "AB".repeat(32);
    let raw = parse(&format!("[engine]\nanswer_model = \"{hash}\""), Path::new("x.toml")).unwrap();
    assert_eq!(raw.engine.answer_model.as_deref(), Some(hash.as_str()));
    let config = load(&format!("[engine]\nanswer_model = \"{hash}\"")).unwrap();
    assert_eq!(config.engine.answer_model, Some(hash.to_lowercase()));
    // A name is what the register shows, and no path; "none" is none.
    let kept = |model: &str| {
        let config = load(&format!("[engine]\nanswer_model = \"{model}\"")).unwrap();
        config.engine.answer_model.unwrap()
    };
    for name in ["Gemma 3", "none", "abab12cd"] {
        assert_eq!(kept(name), name);
    }
    for path in ["m/e5", "e5.gguf", "~/e5"] {
        assert!(Path::new(&kept(path)).is_absolute(), "{path}");
    }
}

#[test]
fn settings_are_named_by_their_keys() {
    let text = "[[source]]\nname = \"server\"\npath = \"/mnt\"\n[report]\ntime_zone = \"Europe/Zurich\"\n";
    let config = load(text).unwrap();
    let settings = config.settings();
    assert_eq!(settings["source.server.path"], "\"/mnt\"");
    assert_eq!(settings["report.time_zone"], "\"Europe/Zurich\"");
    // Every key of the table is there, but for those that the caller's environment decides. Rules stand
    // together under the name of their table.
    assert!(settings.contains_key("source.server.rule"));
    let left_out = |name: &str| ["models_dir", "log"].contains(&name) || name.starts_with("source.rule.");
    for key in KEYS.iter().filter(|key| !left_out(key.name)) {
        let name = key.name.replacen("source.", "source.server.", 1);
        assert!(settings.contains_key(&name), "{name}");
    }
    assert!(message("[report]\ntime_zone = \"Mond/Nord\"").contains("report.time_zone"));
}
