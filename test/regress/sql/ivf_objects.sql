-- What extension pagoda creates, and that the server finds its operator classes sound.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pagoda;
RESET client_min_messages;

SELECT amname, amtype FROM pg_am WHERE amname = 'ivf_rabitq';

SELECT opcname, opcintype::regtype, opcdefault
FROM pg_opclass JOIN pg_am ON pg_am.oid = opcmethod
WHERE amname = 'ivf_rabitq' ORDER BY opcintype::regtype::text DESC, opcname;

SELECT opfname, amopopr::regoperator, amopstrategy, amoppurpose,
       (SELECT opfname FROM pg_opfamily WHERE oid = amopsortfamily) AS sort_family
FROM pg_amop JOIN pg_opfamily AS f ON f.oid = amopfamily JOIN pg_am ON pg_am.oid = opfmethod
WHERE amname = 'ivf_rabitq' ORDER BY opfname DESC;

SELECT opfname, amproc::regprocedure, amprocnum
FROM pg_amproc JOIN pg_opfamily AS f ON f.oid = amprocfamily JOIN pg_am ON pg_am.oid = opfmethod
WHERE amname = 'ivf_rabitq' ORDER BY opfname DESC;

SELECT opcname, amvalidate(pg_opclass.oid)
FROM pg_opclass JOIN pg_am ON pg_am.oid = opcmethod
WHERE amname = 'ivf_rabitq' ORDER BY opcname;

-- Capabilities that clients ask for.
SELECT property, pg_indexam_has_property(oid, property)
FROM pg_am, unnest(ARRAY['can_order', 'can_unique', 'can_multi_col', 'can_exclude', 'can_include'])
     AS property
WHERE amname = 'ivf_rabitq';
CREATE TABLE ivf_objects_t (id int, v vector(2));
CREATE INDEX ivf_objects_i ON ivf_objects_t USING ivf_rabitq (v);
SELECT property, pg_index_has_property('ivf_objects_i', property)
FROM unnest(ARRAY['clusterable', 'index_scan', 'bitmap_scan', 'backward_scan']) AS property;
SELECT property, pg_index_column_has_property('ivf_objects_i', 1, property)
FROM unnest(ARRAY['orderable', 'distance_orderable', 'returnable', 'search_array',
                  'search_nulls']) AS property;
SELECT pg_get_indexdef('ivf_objects_i'::regclass);

-- Descriptions of operator classes are not for SQL.
SELECT pagoda_ivf_vector_l2(NULL);
SELECT pagoda_ivf_handler(NULL);

-- Columns of pagoda_index_info.
\df pagoda_index_info
\x on
SELECT * FROM pagoda_index_info('ivf_objects_i');
\x off

-- The comment of the control file and what the extension needs.
SELECT extname, extversion, extrelocatable FROM pg_extension WHERE extname = 'pagoda';
SELECT count(*) AS dependencies_on_vector
FROM pg_depend JOIN pg_extension AS needing ON needing.oid = objid
     JOIN pg_extension AS needed ON needed.oid = refobjid
WHERE needing.extname = 'pagoda' AND needed.extname = 'vector';
DROP TABLE ivf_objects_t;

-- The extension can move to another schema, and be dropped and created again.
CREATE SCHEMA ivf_objects_s;
ALTER EXTENSION pagoda SET SCHEMA ivf_objects_s;
CREATE TABLE ivf_objects_t (id int, v vector(2));
CREATE INDEX ivf_objects_i ON ivf_objects_t USING ivf_rabitq (v ivf_objects_s.vector_ip_ops);
SELECT lists FROM ivf_objects_s.pagoda_index_info('ivf_objects_i');
DROP EXTENSION pagoda;
DROP EXTENSION pagoda CASCADE;
SELECT to_regclass('ivf_objects_i');
DROP TABLE ivf_objects_t;
DROP SCHEMA ivf_objects_s;
CREATE EXTENSION pagoda;

-- An extension vector without halfvec (pgvector before 0.7): the vector classes only, and it says so.
BEGIN;
DROP EXTENSION pagoda;
ALTER TYPE halfvec RENAME TO ivf_objects_half;
CREATE EXTENSION pagoda;
SELECT opcname FROM pg_opclass JOIN pg_am ON pg_am.oid = opcmethod
WHERE amname = 'ivf_rabitq' ORDER BY opcname;
ROLLBACK;

-- Without extension vector there is nothing to index.
BEGIN;
DROP EXTENSION pagoda;
SET LOCAL client_min_messages = error;
DROP EXTENSION vector CASCADE;
SET LOCAL client_min_messages = notice;
CREATE EXTENSION pagoda;
ROLLBACK;

-- Only a superuser creates an access method.
CREATE ROLE ivf_objects_owner;
GRANT CREATE ON DATABASE :DBNAME TO ivf_objects_owner;
DROP EXTENSION pagoda;
SET ROLE ivf_objects_owner;
\set VERBOSITY terse
CREATE EXTENSION pagoda;
\set VERBOSITY default
RESET ROLE;
REVOKE CREATE ON DATABASE :DBNAME FROM ivf_objects_owner;
DROP ROLE ivf_objects_owner;
CREATE EXTENSION pagoda;
