-- The table that postgres_copy.py fills: fingerprints of 8 and 32 bytes, as they are written everywhere.
CREATE TABLE documents (
  id bigint PRIMARY KEY,
  fingerprint bytea CHECK (octet_length(fingerprint) = 8),
  fingerprint_256 bytea CHECK (octet_length(fingerprint_256) = 32)
);
\copy documents FROM PSTDIN
SELECT id, coalesce(encode(fingerprint, 'hex'), '-') FROM documents ORDER BY id;
-- All pairs within 3 bits of 64; `simhash-doc sql --dialect postgres` prints the indexes and the statement for more documents.
SELECT 'pair', a.id, b.id, bit_count((a.fingerprint # b.fingerprint)) FROM (
  SELECT id, ('x' || encode(fingerprint, 'hex'))::bit(64) AS fingerprint FROM documents
) a JOIN (
  SELECT id, ('x' || encode(fingerprint, 'hex'))::bit(64) AS fingerprint FROM documents
) b ON a.id < b.id AND bit_count(a.fingerprint # b.fingerprint) <= 3 ORDER BY 2, 3;
