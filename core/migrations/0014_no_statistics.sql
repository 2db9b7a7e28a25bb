-- What SQLite's planner was told when the file was last closed stayed with it while a school grew, and it looked through whole
-- tables that had held a row then (docs/decisions/0062). PostgreSQL keeps statistics of its own and has no such tables.
DROP TABLE IF EXISTS sqlite_stat1;
DROP TABLE IF EXISTS sqlite_stat4;
