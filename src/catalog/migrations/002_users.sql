-- Who may sign in, which groups they are in, and which access lists a group is on.

-- `name_key` is the name folded for comparison. `password` is a PHC string (argon2id).
CREATE TABLE users (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT NOT NULL,
    name_key   TEXT NOT NULL UNIQUE,
    password   TEXT NOT NULL,
    role       TEXT NOT NULL CHECK (role IN ('reader', 'auditor', 'admin')),
    language   TEXT,
    disabled   INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE user_groups (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE group_members (
    member_group INTEGER NOT NULL REFERENCES user_groups (id) ON DELETE CASCADE,
    member       INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (member, member_group)
) STRICT, WITHOUT ROWID;

CREATE TABLE group_acls (
    granted_group INTEGER NOT NULL REFERENCES user_groups (id) ON DELETE CASCADE,
    acl           INTEGER NOT NULL REFERENCES acls (id) ON DELETE CASCADE,
    PRIMARY KEY (granted_group, acl)
) STRICT, WITHOUT ROWID;

-- Only the SHA-256 of a session's token is kept: who reads this table cannot sign in with it.
-- Times are seconds since 1970.
CREATE TABLE sessions (
    token_sha256 BLOB PRIMARY KEY,
    account      INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at   INTEGER NOT NULL,
    seen_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_account ON sessions (account);
CREATE INDEX sessions_created ON sessions (created_at);
