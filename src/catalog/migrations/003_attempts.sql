-- How many runs tried a rejected file as it is; the process that reads it may have had a bad night.

ALTER TABLE rejections ADD COLUMN attempts INTEGER NOT NULL DEFAULT 1;
