-- Facts of energy proofs, and the U-values of models. They live and are seen with their generation.
-- `value` is a decimal with a point, or words; `element_key` is the element's code without what people
-- write differently; `place` is a locator.

CREATE TABLE facts (
    generation  INTEGER NOT NULL REFERENCES generations (id) ON DELETE CASCADE,
    ordinal     INTEGER NOT NULL,
    kind        TEXT NOT NULL,
    subject     TEXT NOT NULL,
    element     TEXT NOT NULL,
    element_key TEXT NOT NULL,
    label       TEXT NOT NULL,
    value       TEXT NOT NULL,
    unit        TEXT NOT NULL,
    count       INTEGER NOT NULL,
    place       TEXT NOT NULL,
    cell        TEXT NOT NULL,
    PRIMARY KEY (generation, ordinal)
) STRICT;
CREATE INDEX facts_element ON facts (kind, element_key, generation);
