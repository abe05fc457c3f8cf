use std::{
    env, fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::{Config, ConfigError, check, keys, raw::Raw};

/// What the command line says.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// `--config FILE`.
    pub config: Option<PathBuf>,
    /// `--data DIR`.
    pub data: Option<PathBuf>,
}

/// What the environment says.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// `DOSSIER_CONFIG`: the configuration file.
    pub config: Option<PathBuf>,
    /// `DOSSIER_DATA`: the data folder.
    pub data: Option<PathBuf>,
    /// `DOSSIER_MODELS`: where model files lie.
    pub models: Option<PathBuf>,
    /// `DOSSIER_LOG`: what is logged.
    pub log: Option<String>,
    /// `HOME`.
    pub home: Option<PathBuf>,
}

impl Environment {
    /// The environment of this process. Empty variables count as unset.
    pub fn of_process() -> Self {
        let path = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        Environment {
            config: path("DOSSIER_CONFIG"),
            data: path("DOSSIER_DATA"),
            models: path("DOSSIER_MODELS"),
            log: env::var("DOSSIER_LOG").ok().filter(|value| !value.is_empty()),
            home: path("HOME"),
        }
    }
}

impl Config {
    /// The settings for this command: file and environment together.
    ///
    /// The file is `--config`, else `DOSSIER_CONFIG`, else `dossier.toml` in the data folder, which may
    /// be absent. The data folder is `--data`, else `DOSSIER_DATA`, else `~/.local/share/dossier`.
    ///
    /// # Errors
    /// The file cannot be read or says something that cannot be; the message names file and key.
    pub fn load(cli: &Overrides) -> Result<Config, ConfigError> {
        Config::load_with(cli, &Environment::of_process())
    }

    /// As [`Config::load`], with the environment passed in.
    ///
    /// # Errors
    /// As there.
    pub fn load_with(cli: &Overrides, environment: &Environment) -> Result<Config, ConfigError> {
        let home = environment.home.as_deref();
        let data = match cli.data.as_ref().or(environment.data.as_ref()) {
            Some(data) => absolute(data),
            None => home.ok_or(ConfigError::NoHome)?.join(".local/share/dossier"),
        };
        let named = cli.config.as_ref().or(environment.config.as_ref()).map(|path| absolute(path));
        let file = named.clone().unwrap_or_else(|| data.join("dossier.toml"));
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound && named.is_none() => String::new(),
            Err(source) => return Err(ConfigError::Read { path: file, source }),
        };
        check::check(parse(&text, &file)?, file, data, environment)
    }

    /// The text of a configuration file with every key explained and commented out.
    pub fn example() -> String {
        keys::example()
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

pub(super) fn parse(text: &str, path: &Path) -> Result<Raw, ConfigError> {
    let syntax = |e: toml::de::Error| ConfigError::Syntax {
        path: path.to_owned(),
        message: e.to_string().trim().to_owned(),
    };
    let table: toml::Table = toml::from_str(text).map_err(syntax)?;
    if let Some(key) = unknown(&table, "") {
        let nearest = nearest(&key);
        return Err(ConfigError::UnknownKey { path: path.to_owned(), key, nearest });
    }
    toml::from_str(text).map_err(syntax)
}

/// The first key that [`keys::KEYS`] does not have, with its section.
fn unknown(table: &toml::Table, section: &str) -> Option<String> {
    for (name, value) in table {
        let full = if section.is_empty() { name.clone() } else { format!("{section}.{name}") };
        let below = format!("{full}.");
        let found = if keys::KEYS.iter().any(|key| key.name == full) {
            None
        } else if keys::KEYS.iter().any(|key| key.name.starts_with(&below)) {
            match value {
                toml::Value::Table(inner) => unknown(inner, &full),
                toml::Value::Array(items) => {
                    items.iter().filter_map(toml::Value::as_table).find_map(|item| unknown(item, &full))
                }
                _ => None, // a value where a section belongs: the typed reading says so, with its place
            }
        } else {
            Some(full)
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The known key or section that is spelt most like `key`, unless nothing is near: at most a third of
/// its letters differ, or it is the same key in another section.
fn nearest(key: &str) -> Option<String> {
    let last = key.rsplit('.').next().unwrap_or(key);
    let sections = keys::KEYS.iter().filter_map(|k| k.name.rsplit_once('.').map(|(section, _)| section));
    let candidates = keys::KEYS.iter().map(|k| k.name).chain(sections);
    let cost = |name: &str| {
        let same_name = name.rsplit('.').next().map_or(usize::MAX, |n| 1 + 2 * distance(n, last));
        distance(name, key).min(same_name)
    };
    let best = candidates.min_by_key(|name| (cost(name), distance(name, key)))?;
    (cost(best) <= 1 + key.chars().count() / 3).then(|| best.to_owned())
}

/// How many letters have to be put in, taken out or changed.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = i;
        let mut left = i + 1;
        for (y, cell) in b.iter().zip(row.iter_mut().skip(1)) {
            let above = *cell;
            left = (corner + usize::from(x != *y)).min(above + 1).min(left + 1);
            corner = above;
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}
