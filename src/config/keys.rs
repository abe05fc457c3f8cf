/// A key of the configuration file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Full name: `section.key`, `source.key` for a key of `[[source]]`.
    pub name: &'static str,
    /// Unit or form of the value.
    pub unit: &'static str,
    /// Value where the key is absent, as TOML; empty where there is none.
    pub default: &'static str,
    /// What it does.
    pub effect: &'static str,
    /// A value as TOML, for the example file.
    pub example: &'static str,
}

const fn key(
    name: &'static str,
    unit: &'static str,
    default: &'static str,
    example: &'static str,
    effect: &'static str,
) -> Key {
    Key { name, unit, default, effect, example }
}

/// Every key, in the order of the example file.
pub const KEYS: &[Key] = &[
    key(
        "models_dir",
        "folder",
        "\"~/.cache/dossier/models\"",
        "\"/var/lib/dossier/models\"",
        "Where model files are looked for. DOSSIER_MODELS wins over it.",
    ),
    key(
        "log",
        "tracing directives",
        "\"warn,dossier=info\"",
        "\"warn,dossier=info,dossier::jobs=debug\"",
        "What is logged on standard error; never document text or questions. DOSSIER_LOG wins over it.",
    ),
    key(
        "server.bind",
        "address:port",
        "\"127.0.0.1:7420\"",
        "\"127.0.0.1:7420\"",
        "Where the web server listens. Loopback unless this says otherwise.",
    ),
    key(
        "server.language",
        "de, fr, it or en",
        "\"de\"",
        "\"fr\"",
        "Language of pages for a reader who has chosen none and whose browser asks for none of these.",
    ),
    key("server.session_hours", "hours, 1 to 720", "12", "12", "A session ends after this time in any case."),
    key(
        "server.session_idle_minutes",
        "minutes, 5 to 10080",
        "120",
        "60",
        "A session ends after this time without a request.",
    ),
    key(
        "server.page_cache_mb",
        "MiB, 0 to 1048576",
        "2048",
        "8192",
        "Room for drawn pages under `cache/pages`; those drawn longest ago go first. 0 keeps none.",
    ),
    key(
        "ingest.schedule",
        "cron: minute hour day month weekday, local time",
        "\"30 1 * * *\"",
        "\"0 22 * * 1-5\"",
        "When `dossier serve` starts a run. An empty text means never by itself.",
    ),
    key(
        "ingest.watch",
        "true or false",
        "false",
        "true",
        "True: `dossier serve` runs again over a source as soon as something changes in it.",
    ),
    key(
        "ingest.watch_seconds",
        "seconds, 1 to 86400",
        "30",
        "60",
        "Pause between two looks at a watched source; longer by itself where a look takes long.",
    ),
    key(
        "ingest.full_hash_days",
        "days, 0 to 365",
        "7",
        "7",
        "After so many days a run hashes every file, whatever size and times say, and tries rejected files again. 0 means every run.",
    ),
    key("ingest.max_file_mb", "MiB", "1024", "2048", "A larger file is rejected without being read."),
    key(
        "ingest.worker_memory_mb",
        "MiB, at least 128",
        "1536",
        "3072",
        "Memory of the process that reads files. A file that needs more is rejected.",
    ),
    key(
        "ingest.worker_seconds",
        "seconds, 1 to 3600",
        "60",
        "180",
        "Time for one file. A file that needs more is rejected.",
    ),
    key(
        "ingest.worker_program",
        "path of a program",
        "",
        "\"/usr/bin/dossier\"",
        "Program that is started as worker. Without it, the running program starts itself.",
    ),
    key(
        "ingest.ocr_languages",
        "Tesseract's names, joined with `+`",
        "\"deu+fra+ita+eng\"",
        "\"deu+fra\"",
        "Languages in which pages that are images are read. Fewer are faster. Empty: such pages are not read.",
    ),
    key(
        "ingest.ocr_seconds",
        "seconds, 1 to 600",
        "60",
        "120",
        "Time for reading the image of one page. The time for its file does not run meanwhile.",
    ),
    key(
        "ingest.ocr_program",
        "path of a program",
        "\"/usr/bin/tesseract\"",
        "\"/usr/local/bin/tesseract\"",
        "Tesseract, version 4 or newer, which reads images of pages.",
    ),
    key("ingest.workers", "files", "0", "4", "Files that are read at the same time. 0 means one per core."),
    key(
        "ingest.attempts",
        "runs, 1 to 100",
        "3",
        "3",
        "A file whose reader died, took too long or needed too much memory is tried in so many runs, then set aside until it changes or every file is hashed again.",
    ),
    key(
        "ingest.min_free_mb",
        "MiB",
        "2048",
        "10240",
        "A run stops, and says so, where the data folder's disk has less room left; what it has taken in stays. 0 means never.",
    ),
    key("ingest.limits.max_pages", "pages", "20000", "20000", "Pages of one PDF that are read."),
    key(
        "ingest.limits.max_ocr_pages",
        "pages",
        "2000",
        "2000",
        "Pages of one PDF or TIFF that are images and are read by text recognition.",
    ),
    key(
        "ingest.limits.max_image_pixels",
        "pixels",
        "300000000",
        "300000000",
        "Pixels of one picture in an image file (A0 at 400 dots per inch has 250 million). A larger one is rejected with the reason.",
    ),
    key(
        "ingest.limits.max_expanded_mb",
        "MiB",
        "1024",
        "1024",
        "Size to which one compressed stream, or an archive with all of its members, may expand.",
    ),
    key("ingest.limits.max_members", "files", "10000", "10000", "Members of one archive that are read."),
    key(
        "ingest.limits.max_rows",
        "rows",
        "1000000",
        "1000000",
        "Rows of one workbook or CSV file that are read, all sheets together.",
    ),
    key(
        "ingest.limits.max_elements",
        "elements",
        "5000000",
        "5000000",
        "Elements of one model that are read.",
    ),
    key(
        "ingest.limits.max_text_chars",
        "characters",
        "200000000",
        "200000000",
        "Characters of text of one file that are read.",
    ),
    key("engine.threads", "threads", "0", "8", "Threads that compute. 0 means one per core."),
    key(
        "engine.answer_model",
        "SHA-256, name or path of a registered model, or \"none\"",
        "",
        "\"/var/lib/dossier/models/answer.gguf\"",
        "The model that writes answers. Without this key, the newest answer model of the register; without any, answers are source sentences.",
    ),
    key(
        "engine.embed_model",
        "SHA-256, name or path of a registered model, or \"none\"",
        "",
        "\"/var/lib/dossier/models/embed.gguf\"",
        "The model that makes vectors. Without this key, the newest embedding model of the register; without any, search is by words only.",
    ),
    key(
        "engine.rerank_model",
        "SHA-256, name or path of a registered model, or \"none\"",
        "",
        "\"/var/lib/dossier/models/reranker.gguf\"",
        "The model that judges the best hits of a search once more and orders them anew. Without this key, the newest such model of the register; without any, hits stay in the order of the search.",
    ),
    key(
        "engine.context_tokens",
        "tokens, 512 to 131072",
        "4096",
        "8192",
        "Room for passages, question and answer together. More takes more memory.",
    ),
    key(
        "engine.parallel_answers",
        "answers, 1 to 64",
        "16",
        "4",
        "Answers that are written at the same time; further questions wait for their turn.",
    ),
    key(
        "engine.kv_tokens",
        "tokens, 0 to 8388608",
        "0",
        "32768",
        "Room that all answers being written have together, each up to `engine.context_tokens`; a question that does not fit beside them waits. 0 means twice `engine.context_tokens`.",
    ),
    key(
        "engine.kv_kind",
        "f16 or q8_0",
        "\"f16\"",
        "\"q8_0\"",
        "How the model remembers what it has read. q8_0 takes 47 % less memory; `dossier bench llm --facts` shows what it costs.",
    ),
    key(
        "engine.prefix_cache_mb",
        "MiB, 0 to 1048576",
        "256",
        "2048",
        "Memory for earlier prompts and conversations, so that what they have in common with the next is not read again. The longest unused ones go first. 0 keeps none.",
    ),
    key(
        "engine.drafts",
        "true or false",
        "true",
        "false",
        "Guess the next words from the sources, so that what is quoted comes sooner. The answer is the same with and without.",
    ),
    key(
        "engine.require_gpu",
        "true or false",
        "false",
        "true",
        "True: refuse to start where no GPU computes.",
    ),
    key(
        "answers.force_citations",
        "true or false",
        "false",
        "true",
        "True: the model can write nothing but up to three sentences, each with the number of a passage at its end. What a sentence says is checked in either case.",
    ),
    key(
        "answers.strict",
        "true or false",
        "true",
        "false",
        "True: a sentence of the model that no passage bears out is left out and listed apart. False: behind one that holds it stands in its place, marked as not verified.",
    ),
    key(
        "answers.require_instruction",
        "true or false",
        "false",
        "true",
        "True: a question is answered only for readers who have acknowledged the instruction on using the AI in its present version. False: they are asked to.",
    ),
    key(
        "retention.content_days",
        "days, 1 to 3650",
        "90",
        "30",
        "Questions, answers and searches cannot be read any more after this time: their keys are destroyed. Who did what and when stays.",
    ),
    key(
        "retention.trail_days",
        "days, 1 to 3650",
        "365",
        "400",
        "Events are removed from the log after this time, in bundles of 256; their hashes stay.",
    ),
    key(
        "retention.case_days",
        "days, 1 to 3650",
        "730",
        "1100",
        "Requests, incidents, erasures, holds and gaps are removed after this time.",
    ),
    key(
        "retention.article_4",
        "true or false",
        "false",
        "true",
        "True where sensitive data is processed on a large scale or profiled with high risk (DPO 4): retention.trail_days under 365 is refused.",
    ),
    key(
        "retention.high_risk",
        "true or false",
        "false",
        "true",
        "True where the use is of high risk by annex III of the AI Act: retention.trail_days under 183 is refused.",
    ),
    key("report.firm", "text", "\"\"", "\"Muster Architekten AG\"", "Name of the firm on the report."),
    key(
        "report.controller",
        "text",
        "\"\"",
        "\"Geschäftsleitung\"",
        "Who is responsible for the processing.",
    ),
    key(
        "report.contact",
        "text",
        "\"\"",
        "\"datenschutz@firma.example\"",
        "How to reach whoever answers questions about data protection.",
    ),
    key("report.purpose", "text", "\"\"", "\"Suche in Projektunterlagen\"", "What the system is used for."),
    key(
        "report.classification",
        "text",
        "\"\"",
        "\"Suche in Projektakten; kein Bereich von Anhang III\"",
        "Why it is not high-risk under the AI Act, Annex III.",
    ),
    key(
        "report.excluded_uses",
        "text",
        "\"\"",
        "\"Beurteilung von Mitarbeitenden\"",
        "Uses that are forbidden.",
    ),
    key(
        "report.reviewer",
        "text",
        "\"\"",
        "\"Leitung Qualität\"",
        "Who reviewed purpose and classification.",
    ),
    key("report.reviewed_on", "date, YYYY-MM-DD", "\"\"", "\"2026-11-30\"", "When that was."),
    key(
        "report.data_categories",
        "text",
        "\"\"",
        "\"Namen, Funktionen, Kontaktdaten\"",
        "Categories of personal data in the documents.",
    ),
    key("report.persons", "text", "\"\"", "\"Mitarbeitende, Planer, Bauherrschaft\"", "Whose data they are."),
    key("report.storage_place", "text", "\"\"", "\"Serverraum, Zürich\"", "Where the appliance stands."),
    key("report.recipients", "text", "\"\"", "\"keine\"", "Who receives data."),
    key("report.abroad", "text", "\"\"", "\"keine\"", "Countries that data goes to."),
    key(
        "report.retention",
        "text",
        "\"\"",
        "\"bis Projektabschluss plus 10 Jahre\"",
        "How long what is kept.",
    ),
    key(
        "report.dpia_date",
        "date, YYYY-MM-DD",
        "\"\"",
        "\"2026-10-01\"",
        "Date of the data protection impact assessment, if there is one.",
    ),
    key(
        "report.time_zone",
        "IANA name",
        "\"\"",
        "\"Europe/Zurich\"",
        "Where days begin and end on the report and in `--from` and `--to`. Empty means the machine's time zone.",
    ),
    key(
        "source.name",
        "letters, digits, `-`, `_`, `.`",
        "",
        "\"schulhaus\"",
        "Name of the source, unique. Renaming it makes every document of it a new one.",
    ),
    key(
        "source.path",
        "folder",
        "",
        "\"/mnt/projekte/schulhaus\"",
        "The folder that is read, in place, with its subfolders; never written. A relative path counts from this file.",
    ),
    key(
        "source.include",
        "globs",
        "[]",
        "[\"**/*.pdf\", \"**/*.ifc\"]",
        "Files to read, relative to the folder, in either case. Empty means every file.",
    ),
    key(
        "source.exclude",
        "globs",
        "[]",
        "[\"**/Archiv/**\"]",
        "Files and folders to leave out; wins over `include`. Hidden and temporary files are left out anyway.",
    ),
    key(
        "source.project",
        "text",
        "the source's name",
        "\"Schulhaus Rosenmatt\"",
        "Project that the documents belong to. It is made when it does not exist, and nobody may see it until granted.",
    ),
    key(
        "source.acl",
        "text",
        "the project's own list",
        "\"Schulhaus Kosten\"",
        "Access list that the documents stand under, for a source that fewer people may see than the project.",
    ),
    key(
        "source.ocr_languages",
        "Tesseract's names, joined with `+`",
        "that of ingest",
        "\"ita\"",
        "Languages in which pages that are images are read in this source.",
    ),
    key(
        "source.rfi_columns",
        "file",
        "",
        "\"rfi-spalten.toml\"",
        "How the source's RFI registers are read where headers or statuses are not recognised. `dossier extract --dry-run` shows what is. A relative path counts from this file.",
    ),
    key(
        "source.rule.paths",
        "globs",
        "",
        "[\"4210-*/**\"]",
        "Files of the source that belong to another project or stand under another access list. The first rule that names a file holds.",
    ),
    key("source.rule.project", "text", "the source's project", "\"Werkhof Moos\"", "Project of these files."),
    key(
        "source.rule.acl",
        "text",
        "the project's own list",
        "\"Werkhof Kosten\"",
        "Access list of these files.",
    ),
];

/// The example file: every key with its unit, default and effect, commented out.
pub(super) fn example() -> String {
    let mut out = String::from(
        "# Settings of Dossier. Every key is shown with an example value; remove `# ` to set it.\n\
         # Unknown keys are errors.\n",
    );
    let mut section = "";
    for key in KEYS {
        let (head, name) = key.name.rsplit_once('.').unwrap_or(("", key.name));
        if head != section {
            section = head;
            out.push_str(&match head {
                "source" => "\n# One block for each folder.\n# [[source]]\n".to_owned(),
                "source.rule" => "\n# As many as needed, below their source.\n# [[source.rule]]\n".to_owned(),
                _ => format!("\n[{head}]\n"),
            });
        }
        let default = if key.default.is_empty() { "none" } else { key.default };
        out.push_str(&format!("\n## {}\n## {}; default {default}\n", key.effect, key.unit));
        out.push_str(&format!("# {name} = {}\n", key.example));
    }
    out
}
