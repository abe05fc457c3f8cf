-- What changed between a model and the version before it: counts, and the first elements of each sort, as JSON.

ALTER TABLE generations ADD COLUMN changes TEXT;
