-- Two more roles (project lead, key custodian), which instruction an account has acknowledged, and where a model's
-- maker describes it.

ALTER TABLE users ADD COLUMN duty TEXT NOT NULL DEFAULT 'reader'
    CHECK (duty IN ('reader', 'lead', 'auditor', 'custodian', 'admin'));
UPDATE users SET duty = role;
ALTER TABLE users DROP COLUMN role;
ALTER TABLE users RENAME COLUMN duty TO role;
ALTER TABLE users ADD COLUMN acknowledged TEXT;

ALTER TABLE models ADD COLUMN revision TEXT;
ALTER TABLE models ADD COLUMN card TEXT;
ALTER TABLE models ADD COLUMN training TEXT;
