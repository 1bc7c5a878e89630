-- Loads the rows of postgres_copy.py, also again, and finds near-duplicates among all that are there.
CREATE TABLE IF NOT EXISTS documents (
  id bigint PRIMARY KEY,
  -- 8 and 32 bytes, as they are written everywhere.
  fingerprint bytea CHECK (octet_length(fingerprint) = 8),
  fingerprint_256 bytea CHECK (octet_length(fingerprint_256) = 32),
  bits bigint GENERATED ALWAYS AS (('x' || encode(fingerprint, 'hex'))::bit(64)::bigint) STORED
);
-- Of four blocks of 16 bits, one at least is the same in two fingerprints within 3 bits.
CREATE INDEX IF NOT EXISTS documents_block_1 ON documents ((bits >> 48 & 65535));
CREATE INDEX IF NOT EXISTS documents_block_2 ON documents ((bits >> 32 & 65535));
CREATE INDEX IF NOT EXISTS documents_block_3 ON documents ((bits >> 16 & 65535));
CREATE INDEX IF NOT EXISTS documents_block_4 ON documents ((bits & 65535));
-- For `simhash-doc sql --dialect postgres`, whose statements take fewer comparisons for millions of documents.
CREATE OR REPLACE VIEW fingerprints AS SELECT id, bits AS fingerprint FROM documents WHERE bits IS NOT NULL;

CREATE TEMPORARY TABLE loaded (id bigint, fingerprint bytea, fingerprint_256 bytea);
\copy loaded FROM PSTDIN
INSERT INTO documents SELECT * FROM loaded
  ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, fingerprint_256 = excluded.fingerprint_256;
ANALYZE documents;

SELECT id, coalesce(encode(fingerprint, 'hex'), '-') FROM documents ORDER BY id;
SELECT 'pair', a.id, b.id, bit_count((a.bits # b.bits)::bit(64)) FROM documents a JOIN documents b ON a.id < b.id
  AND (a.bits >> 48 & 65535 = b.bits >> 48 & 65535 OR a.bits >> 32 & 65535 = b.bits >> 32 & 65535
    OR a.bits >> 16 & 65535 = b.bits >> 16 & 65535 OR a.bits & 65535 = b.bits & 65535)
  AND bit_count((a.bits # b.bits)::bit(64)) <= 3 ORDER BY 2, 3;
