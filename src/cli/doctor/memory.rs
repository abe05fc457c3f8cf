//! The memory that there is, and what the models will take of it.

use serde_json::{Value, json};

use super::{Check, health};
use crate::app;
use crate::catalog::Catalog;
use crate::cli::control;
use crate::config::Config;
use crate::engine::{MemoryPlan, available_memory, mib, proc_field};

/// What the machine has.
pub(super) fn available() -> Check {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let field = |name: &str| proc_field(&text, name).map(|kib| kib >> 10);
    match (field("MemTotal:"), field("MemAvailable:")) {
        (Some(total), Some(free)) if free < 2048 => Check::warn(
            "memory",
            format!("{free} MB of {total} MB are free; a nightly run needs up to 2 GB"),
            "stop other programs or add memory",
        ),
        (Some(total), Some(free)) => Check::ok("memory", format!("{free} MB of {total} MB are free")),
        _ => Check::warn("memory", "the kernel does not say how much memory there is", "mount /proc"),
    }
}

/// What the models take, and who holds it.
pub(super) struct Plan {
    plan: Result<MemoryPlan, String>,
    /// A running server has taken it already.
    is_served: bool,
    available: Option<u64>,
}

/// Works it out from the files of the register, or asks the server that has them open.
pub(super) async fn plan(config: &Config) -> Plan {
    let available = available_memory();
    let is_served = control::is_served(&config.data).await;
    let plan = if is_served {
        let health = health(config).await;
        health.and_then(|h| serde_json::from_value(h["memory_plan"].clone()).map_err(|e| e.to_string()))
    } else {
        from_files(config)
    };
    Plan { plan, is_served, available }
}

fn from_files(config: &Config) -> Result<MemoryPlan, String> {
    app::own(&config.data).map_err(|e| e.to_string())?;
    let catalog = Catalog::open(&config.data.join("catalog.sqlite")).map_err(|e| e.to_string())?;
    app::memory_plan(config, &catalog).map_err(|e| e.to_string())
}

impl Plan {
    pub(super) fn check(&self) -> Check {
        const NAME: &str = "plan";
        let plan = match &self.plan {
            Ok(plan) => plan,
            Err(problem) => {
                return Check::warn(NAME, format!("not known: {problem}"), "see the line on models or data");
            }
        };
        let needed = mib(plan.total());
        if plan.parts.is_empty() {
            return Check::ok(NAME, "no model is registered");
        }
        if self.is_served {
            return Check::ok(NAME, format!("the models of the running server or run take at most {needed}"));
        }
        let available = self.available.map_or("an unknown amount".to_owned(), |bytes| {
            mib(usize::try_from(bytes).unwrap_or(usize::MAX))
        });
        let message = format!("the models take at most {needed}; {available} are available");
        match plan.check(self.available) {
            Ok(()) => Check::ok(NAME, message),
            Err(_) => Check::fail(NAME, message, plan.hint()),
        }
    }

    /// The parts, one in a line.
    pub(super) fn table(&self) -> Vec<String> {
        let Ok(plan) = &self.plan else { return Vec::new() };
        if plan.parts.is_empty() {
            return Vec::new();
        }
        let row = |model: &str, what: &str, bytes: usize| {
            format!("{model:<40} {what:<16} {:>9.1} MiB", bytes as f64 / f64::from(1 << 20))
        };
        let mut lines = vec![String::new(), "Memory of the models at most".to_owned()];
        lines.extend(plan.parts.iter().map(|p| row(&p.model, p.what.name(), p.bytes)));
        lines.push(row("", "all", plan.total()));
        lines.push(format!(
            "Besides, {} of the files stay mapped; the system takes these back when memory is short.",
            mib(plan.mapped_bytes)
        ));
        lines
    }

    /// For programs.
    pub(super) fn value(&self, config: &Config, health: Option<&Value>) -> Value {
        let mut value = match &self.plan {
            Ok(plan) => json!({
                "parts": plan.parts,
                "total_bytes": plan.total(),
                "mapped_bytes": plan.mapped_bytes,
            }),
            Err(problem) => json!({ "problem": problem }),
        };
        value["available_bytes"] = json!(self.available);
        value["models_mb"] = health.map_or(Value::Null, |h| h["models"]["megabytes"].clone());
        value["context_tokens"] = json!(config.engine.context_tokens);
        value["reader_limit_mb"] = json!(config.ingest.worker_memory_mb);
        value
    }
}
