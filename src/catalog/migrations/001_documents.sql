-- What exists, in which version, and under which access list. Strict tables, ids that are never used twice.

CREATE TABLE acls (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE projects (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    acl  INTEGER NOT NULL REFERENCES acls (id)
) STRICT;
CREATE INDEX projects_acl ON projects (acl);

-- One row per source and path; survives a move. `live` names the generation that readers see.
CREATE TABLE documents (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    source  TEXT NOT NULL,
    path    TEXT NOT NULL,
    project INTEGER NOT NULL REFERENCES projects (id),
    acl     INTEGER NOT NULL REFERENCES acls (id),
    parent  INTEGER REFERENCES documents (id),
    live    INTEGER REFERENCES generations (id),
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX documents_path ON documents (source, path) WHERE removed = 0;
CREATE INDEX documents_live ON documents (live);
CREATE INDEX documents_parent ON documents (parent);
CREATE INDEX documents_project ON documents (project, path);
CREATE INDEX documents_acl ON documents (acl);
CREATE INDEX documents_removed ON documents (id) WHERE removed = 1;

-- One reading of one document's bytes: staged, then live, then replaced, then purged.
-- `base` is the generation that was live when this one was staged; `project` and `acl` become the
-- document's with the commit. `logged`: the audit log has it.
CREATE TABLE generations (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    document     INTEGER NOT NULL REFERENCES documents (id),
    base         INTEGER,
    project      INTEGER NOT NULL REFERENCES projects (id),
    acl          INTEGER NOT NULL REFERENCES acls (id),
    state        TEXT NOT NULL CHECK (state IN ('staged', 'live', 'replaced')),
    version      TEXT NOT NULL,
    embedder     TEXT,
    sha256       TEXT NOT NULL,
    size         INTEGER NOT NULL,
    mtime_ns     INTEGER NOT NULL,
    ctime_ns     INTEGER NOT NULL,
    inode        INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    title        TEXT NOT NULL,
    metadata     TEXT NOT NULL,
    warnings     TEXT NOT NULL,
    pages        INTEGER NOT NULL,
    chunks       INTEGER NOT NULL,
    elements     INTEGER NOT NULL,
    records      INTEGER NOT NULL,
    staged_at    TEXT NOT NULL,
    committed_at TEXT,
    logged       INTEGER NOT NULL DEFAULT 0 CHECK (logged IN (0, 1))
) STRICT;
CREATE INDEX generations_document ON generations (document);
CREATE INDEX generations_state ON generations (state);
CREATE INDEX generations_unlogged ON generations (id) WHERE state = 'live' AND logged = 0;

CREATE TABLE chunks (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    generation INTEGER NOT NULL REFERENCES generations (id) ON DELETE CASCADE,
    ordinal    INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    locator    TEXT NOT NULL,
    section    TEXT NOT NULL,
    text       TEXT NOT NULL,
    language   TEXT,
    UNIQUE (generation, ordinal)
) STRICT;

-- `words` is packed, see words.rs.
CREATE TABLE pages (
    generation     INTEGER NOT NULL REFERENCES generations (id) ON DELETE CASCADE,
    number         INTEGER NOT NULL,
    width_pt       REAL NOT NULL,
    height_pt      REAL NOT NULL,
    text           TEXT NOT NULL,
    words          BLOB NOT NULL,
    tables         TEXT NOT NULL,
    ocr_confidence REAL,
    PRIMARY KEY (generation, number)
) STRICT;

CREATE TABLE elements (
    generation INTEGER NOT NULL REFERENCES generations (id) ON DELETE CASCADE,
    ordinal    INTEGER NOT NULL,
    global_id  TEXT NOT NULL,
    class      TEXT NOT NULL,
    name       TEXT NOT NULL,
    type       TEXT NOT NULL,
    storey     TEXT NOT NULL,
    body       TEXT NOT NULL,
    PRIMARY KEY (generation, ordinal)
) STRICT;
CREATE INDEX elements_global_id ON elements (global_id, generation);

CREATE TABLE spatial (
    generation INTEGER NOT NULL REFERENCES generations (id) ON DELETE CASCADE,
    ordinal    INTEGER NOT NULL,
    body       TEXT NOT NULL,
    PRIMARY KEY (generation, ordinal)
) STRICT;

CREATE TABLE records (
    generation INTEGER NOT NULL REFERENCES generations (id) ON DELETE CASCADE,
    ordinal    INTEGER NOT NULL,
    number     TEXT NOT NULL,
    state      TEXT NOT NULL,
    body       TEXT NOT NULL,
    PRIMARY KEY (generation, ordinal)
) STRICT;
CREATE INDEX records_number ON records (number, generation);

CREATE TABLE record_elements (
    generation INTEGER NOT NULL,
    record     INTEGER NOT NULL,
    global_id  TEXT NOT NULL,
    FOREIGN KEY (generation, record) REFERENCES records (generation, ordinal) ON DELETE CASCADE
) STRICT;
CREATE INDEX record_elements_global_id ON record_elements (global_id);
CREATE INDEX record_elements_record ON record_elements (generation, record);

-- The runs, and what each of them could not read.
CREATE TABLE runs (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    started_at  TEXT NOT NULL,
    finished_at TEXT,
    state       TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed', 'interrupted')),
    actor       TEXT NOT NULL,
    summary     TEXT
) STRICT;
CREATE INDEX runs_running ON runs (id) WHERE state = 'running';

CREATE TABLE run_rejected (
    run    INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    path   TEXT NOT NULL,
    code   TEXT NOT NULL,
    reason TEXT NOT NULL
) STRICT;
CREATE INDEX run_rejected_run ON run_rejected (run, source, path);

-- Files that cannot be read as they are; not tried again until they change. `reader` names the
-- reader's version and limits, so that new limits are a reason to try again.
CREATE TABLE rejections (
    source     TEXT NOT NULL,
    path       TEXT NOT NULL,
    size       INTEGER NOT NULL,
    mtime_ns   INTEGER NOT NULL,
    ctime_ns   INTEGER NOT NULL,
    inode      INTEGER NOT NULL,
    reader     TEXT NOT NULL,
    code       TEXT NOT NULL,
    reason     TEXT NOT NULL,
    first_seen TEXT NOT NULL,
    PRIMARY KEY (source, path)
) STRICT;

-- Per source: when every file was last hashed, whatever its times said.
CREATE TABLE sources (
    name           TEXT PRIMARY KEY,
    full_hashed_at TEXT
) STRICT;

-- The model register.
CREATE TABLE models (
    sha256       TEXT PRIMARY KEY,
    path         TEXT NOT NULL,
    role         TEXT NOT NULL CHECK (role IN ('embed', 'answer')),
    name         TEXT NOT NULL,
    architecture TEXT NOT NULL,
    quantisation TEXT NOT NULL,
    licence      TEXT,
    languages    TEXT NOT NULL,
    file_bytes   INTEGER NOT NULL,
    added_at     TEXT NOT NULL
) STRICT;
