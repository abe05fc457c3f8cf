use std::collections::BTreeMap;

use serde_json::Value;

use super::Config;

impl Config {
    /// Every setting in force as JSON text, by the name of its key (`source.NAME.path` for sources).
    ///
    /// Left out is what each caller's environment decides and what changes nothing in the data: where the
    /// configuration and the data folder lie, where model files are looked for, what is logged.
    pub fn settings(&self) -> BTreeMap<String, String> {
        let mut out = BTreeMap::new();
        // A struct of plain fields always has a JSON form.
        let Ok(Value::Object(mut all)) = serde_json::to_value(self) else { return out };
        for key in ["file", "data", "models_dir", "log"] {
            all.remove(key);
        }
        let sources = all.remove("sources").unwrap_or_default();
        for source in sources.as_array().into_iter().flatten() {
            let name = source.get("name").and_then(Value::as_str).unwrap_or_default();
            flatten(&format!("source.{name}"), source, &mut out);
        }
        flatten("", &Value::Object(all), &mut out);
        out
    }
}

fn flatten(prefix: &str, value: &Value, out: &mut BTreeMap<String, String>) {
    let Value::Object(fields) = value else {
        out.insert(prefix.to_owned(), value.to_string());
        return;
    };
    for (name, value) in fields {
        let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        flatten(&key, value, out);
    }
}
