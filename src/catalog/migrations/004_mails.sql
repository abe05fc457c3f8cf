-- What joins mails to threads and to requests: `id:` a message of the thread, `conv:` the conversation that a
-- mail program counts it to, `subject:` its subject without marks of replies, `rfi:` the number of a request.
CREATE TABLE mail_keys (
    generation INTEGER NOT NULL REFERENCES generations (id) ON DELETE CASCADE,
    key        TEXT NOT NULL,
    PRIMARY KEY (generation, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_keys_key ON mail_keys (key, generation);
