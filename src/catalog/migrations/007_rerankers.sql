-- A third role in the model register: models that judge passages.
CREATE TABLE models_new (
    sha256       TEXT PRIMARY KEY,
    path         TEXT NOT NULL,
    role         TEXT NOT NULL CHECK (role IN ('embed', 'answer', 'rerank')),
    name         TEXT NOT NULL,
    architecture TEXT NOT NULL,
    quantisation TEXT NOT NULL,
    licence      TEXT,
    languages    TEXT NOT NULL,
    file_bytes   INTEGER NOT NULL,
    added_at     TEXT NOT NULL
) STRICT;
INSERT INTO models_new SELECT sha256, path, role, name, architecture, quantisation, licence, languages, file_bytes, added_at
    FROM models;
DROP TABLE models;
ALTER TABLE models_new RENAME TO models;
