import { permute } from '../../../scheme/tables.ts';
import { DIALECTS, type Dialect, type DialectName } from './dialects.ts';

interface SqlOptions {
  readonly dialect: DialectName;
  readonly task: 'pairs' | 'query' | 'clusters';
  /** The largest distance, 0 to 6. */
  readonly k: number;
  /** The number of different fingerprints that may share a key before further bits are compared. */
  readonly hot: number;
  /** The names of the table and of its columns. */
  readonly table: string;
  readonly id: string;
  readonly fingerprint: string;
  /** The table of fingerprints to look up, with the same columns. */
  readonly queries: string;
}

interface Context extends SqlOptions {
  readonly sql: Dialect;
}

/** The maximum distance at which two fingerprints always share a key. */
const MAX_SHARED = 3;
/** The distance from which on a bit of both parts of a key may differ (LKP-5). */
const BOTH_PARTS = 5;

const values = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row, index) => `    SELECT ${row.join(', ')}${index === rows.length - 1 ? '' : ' UNION ALL'}`).join('\n');

/** Writes the statements for a task: each ends with a semicolon. */
export function writeSql(options: SqlOptions): string {
  const context: Context = { ...options, sql: DIALECTS[options.dialect] };
  const write = { pairs: pairStatements, query: queryStatements, clusters: clusterStatements }[options.task];
  return `${headOf(context)}${write(context)}`;
}

function headOf({ task, k, hot, table, id, fingerprint, sql }: Context): string {
  const column = sql.quote(fingerprint);
  return `-- simhash-doc: ${task} within ${k} bits. Needs no extension.
-- ${oneLine(sql.quote(table))} has the columns ${oneLine(sql.quote(id))} and ${oneLine(column)}, a signed 64-bit number: of the hex that hash --json
-- prints, it is ${oneLine(sql.fromHex('hex'))}.
-- Keys that more than ${hot} different fingerprints share are split by further bits: nothing is left out. The last statement lists them.

`;
}

/** Replaces line breaks by spaces: a comment ends with its line. */
const oneLine = (text: string): string => text.replace(/[\r\n\u2028\u2029]/g, ' ');

const pairStatements = (context: Context): string => `${pairQuery(context)};\n\n${hotQuery(context)};\n`;

/** All pairs: a document with a copy of a fingerprint is paired with the first that has it, which alone is paired with others. */
function pairQuery(context: Context): string {
  const { k } = context;
  const others = k > MAX_SHARED ? 'simhash_doc_probes' : 'simhash_doc_entries';
  return `WITH
${commonTables(context, k <= MAX_SHARED)}${k > MAX_SHARED ? `,\n${probeTables(context)}` : ''},
${nearTable(context, others, 'a.fingerprint < b.fingerprint AND ')}
SELECT CASE WHEN d.id < e.id THEN d.id ELSE e.id END AS a, CASE WHEN d.id < e.id THEN e.id ELSE d.id END AS b, n.distance
FROM simhash_doc_near n JOIN simhash_doc_documents d ON d.fingerprint = n.fingerprint_a JOIN simhash_doc_documents e ON e.fingerprint = n.fingerprint_b
UNION ALL
SELECT f.id AS a, c.id AS b, 0 AS distance
FROM simhash_doc_source c JOIN simhash_doc_documents f ON f.fingerprint = c.fingerprint
WHERE f.id <> c.id`;
}

function nearTable(context: Context, others: string, condition: string): string {
  const { sql, k } = context;
  const difference = sql.xor('a.fingerprint', 'b.fingerprint');
  return `  simhash_doc_near AS (
    SELECT a.fingerprint AS fingerprint_a, b.fingerprint AS fingerprint_b, ${sql.bitCount(difference)} AS distance
    FROM simhash_doc_entries a JOIN ${others} b
      ON a.table_no = b.table_no AND a.table_key = b.table_key AND a.part = b.part AND a.part_key = b.part_key
    WHERE ${condition}${sql.bitCount(difference)} <= ${k}
${isFirst(context, difference)}
  )`;
}

function sourceColumn(context: Context, table: string, column: 'id' | 'fingerprint'): string {
  return `${table}.${context.sql.quote(context[column])}`;
}

/** Each pair counts in the first table, and there in the first part, that finds it. */
function isFirst(context: Context, difference: string): string {
  const { sql, k } = context;
  const masks = tableMasks(k + 1);
  const isZero = (mask: bigint): string => `${sql.and(difference, literal(mask))} = 0`;
  const count = (mask: bigint): string => sql.bitCount(sql.and(difference, literal(mask)));
  const finds = ({ block, subBlock }: (typeof masks)[number]): string => {
    if (k <= MAX_SHARED) return isZero(block | subBlock);
    return k < BOTH_PARTS ? `${count(block | subBlock)} <= 1` : `${count(block)} <= 1 AND ${count(subBlock)} <= 1`;
  };
  return `      AND a.table_no = CASE
${masks.map((each) => `        WHEN ${finds(each)} THEN ${each.table}`).join('\n')}
      END
      AND (a.part = 0 OR a.part = CASE
${masks
  .flatMap(({ table, parts }) =>
    parts.map((mask, part) => `        WHEN a.table_no = ${table} AND ${isZero(mask)} THEN ${part + 1}`),
  )
  .join('\n')}
      END)`;
}

/** The documents with different fingerprints and their keys; `isShared` leaves out keys that only one fingerprint has. */
function commonTables(context: Context, isShared = false): string {
  const { sql, hot } = context;
  const counts = `SELECT table_no, table_key, count(*) AS members FROM simhash_doc_keyed GROUP BY table_no, table_key HAVING count(*)`;
  return `${maskTables(context)},
  simhash_doc_documents AS (
    SELECT fingerprint, min(id) AS id FROM simhash_doc_source GROUP BY fingerprint
  ),
  simhash_doc_keyed AS (
    SELECT t.table_no AS table_no, ${sql.and('d.fingerprint', 't.mask')} AS table_key, d.fingerprint AS fingerprint
    FROM simhash_doc_documents d CROSS JOIN simhash_doc_tables t
  ),
${
  isShared
    ? `  simhash_doc_shared AS (
    ${counts} > 1
  ),
  simhash_doc_hot AS (
    SELECT table_no, table_key, members FROM simhash_doc_shared WHERE members > ${hot}
  ),`
    : `  simhash_doc_hot AS (
    ${counts} > ${hot}
  ),`
}
  simhash_doc_entries AS (
${splitHot(context, 'simhash_doc_keyed', isShared)}
  )`;
}

function maskTables(context: Context): string {
  const { sql, k } = context;
  const masks = tableMasks(k + 1);
  const first = (value: string, name: string, index: number): string =>
    index === 0 ? `CAST(${value} AS ${sql.bigint}) AS ${name}` : value;
  return `  simhash_doc_tables AS (
${values(
  masks.map(({ table, block, subBlock }, index) => [
    index === 0 ? `${table} AS table_no` : table,
    first(literal(block | subBlock), 'mask', index),
    first(literal(block), 'block_mask', index),
    first(literal(subBlock), 'sub_mask', index),
  ]),
)}
  ),
  simhash_doc_parts AS (
${values(
  masks.flatMap(({ table, parts }, index) =>
    parts.map((mask, part) => [
      index + part === 0 ? `${table} AS table_no` : table,
      index + part === 0 ? `${part + 1} AS part` : part + 1,
      first(literal(mask), 'mask', index + part),
    ]),
  ),
)}
  ),
  simhash_doc_source AS (
    SELECT ${sourceColumn(context, 's', 'id')} AS id, ${sourceColumn(context, 's', 'fingerprint')} AS fingerprint
    FROM ${sql.quote(context.table)} s WHERE ${sourceColumn(context, 's', 'fingerprint')} IS NOT NULL
  )`;
}

/** Finds rows under hot keys by each part of their other bits in addition. */
function splitHot({ sql, hot }: Context, rows: string, isShared = false): string {
  const whole = isShared
    ? `JOIN simhash_doc_shared s ON s.table_no = e.table_no AND s.table_key = e.table_key
    WHERE s.members <= ${hot}`
    : `LEFT JOIN simhash_doc_hot h ON h.table_no = e.table_no AND h.table_key = e.table_key
    WHERE h.members IS NULL OR h.members = 0`;
  return `    SELECT e.table_no AS table_no, e.table_key AS table_key, 0 AS part, CAST(0 AS ${sql.bigint}) AS part_key, e.fingerprint AS fingerprint
    FROM ${rows} e ${whole}
    UNION ALL
    SELECT e.table_no AS table_no, e.table_key AS table_key, p.part AS part, ${sql.and('e.fingerprint', 'p.mask')} AS part_key, e.fingerprint AS fingerprint
    FROM ${rows} e
    JOIN simhash_doc_hot h ON h.table_no = e.table_no AND h.table_key = e.table_key
    JOIN simhash_doc_parts p ON p.table_no = e.table_no`;
}

/** The keys of fingerprints with the bits flipped that may differ (LKP-5). */
function probeTables(context: Context, documents = 'simhash_doc_documents'): string {
  const { sql, k } = context;
  const bits = Array.from({ length: 64 }, (_, bit) => [
    bit === 0 ? `CAST(1 AS ${sql.bigint}) AS bit` : literal(1n << BigInt(bit)),
  ]);
  const both = `
    UNION ALL
    SELECT t.table_no AS table_no, ${sql.xor('x.bit', 'y.bit')} AS flip FROM simhash_doc_tables t JOIN simhash_doc_bits x ON ${sql.and('x.bit', 't.block_mask')} <> 0 JOIN simhash_doc_bits y ON ${sql.and('y.bit', 't.sub_mask')} <> 0`;
  return `  simhash_doc_bits AS (
${values(bits)}
  ),
  simhash_doc_flips AS (
    SELECT table_no, CAST(0 AS ${sql.bigint}) AS flip FROM simhash_doc_tables
    UNION ALL
    SELECT t.table_no AS table_no, x.bit AS flip FROM simhash_doc_tables t JOIN simhash_doc_bits x ON ${sql.and('x.bit', 't.mask')} <> 0${k < BOTH_PARTS ? '' : both}
  ),
  simhash_doc_flipped AS (
    SELECT t.table_no AS table_no, ${sql.xor(sql.and('d.fingerprint', 't.mask'), 'f.flip')} AS table_key, d.fingerprint AS fingerprint
    FROM ${documents} d CROSS JOIN simhash_doc_tables t JOIN simhash_doc_flips f ON f.table_no = t.table_no
  ),
  simhash_doc_probes AS (
${splitHot(context, 'simhash_doc_flipped')}
  )`;
}

/** The keys that were split, the largest first. */
function hotQuery(context: Context): string {
  return `WITH
${commonTables(context)}
SELECT table_no, table_key, members FROM simhash_doc_hot ORDER BY members DESC, table_no, table_key`;
}

function queryStatements(context: Context): string {
  const { sql, k, queries } = context;
  const asked = { ...context, table: queries };
  const wanted = `  simhash_doc_asked AS (
    SELECT DISTINCT ${sourceColumn(asked, 'q', 'fingerprint')} AS fingerprint
    FROM ${sql.quote(queries)} q WHERE ${sourceColumn(asked, 'q', 'fingerprint')} IS NOT NULL
  )`;
  const probes =
    k > MAX_SHARED
      ? probeTables(context, 'simhash_doc_asked')
      : `  simhash_doc_flipped AS (
    SELECT t.table_no AS table_no, ${sql.and('q.fingerprint', 't.mask')} AS table_key, q.fingerprint AS fingerprint FROM simhash_doc_asked q CROSS JOIN simhash_doc_tables t
  ),
  simhash_doc_probes AS (
${splitHot(context, 'simhash_doc_flipped')}
  )`;
  return `WITH
${commonTables(context)},
${wanted},
${probes},
${nearTable(context, 'simhash_doc_probes', '')}
SELECT ${sourceColumn(asked, 'q', 'id')} AS query, s.id AS id, n.distance AS distance
FROM simhash_doc_near n
JOIN ${sql.quote(queries)} q ON ${sourceColumn(asked, 'q', 'fingerprint')} = n.fingerprint_b
JOIN simhash_doc_source s ON s.fingerprint = n.fingerprint_a
ORDER BY query, distance, id;

${hotQuery(context)};
`;
}

/** The number of rounds in which labels are passed on: a chain of 2^10 documents needs 10 rounds, and random ones far fewer. */
const ROUNDS = 10;

/** Connected components: every document takes the least label of its neighbours, and then the label of its label. */
function clusterStatements(context: Context): string {
  const { tableOptions = '' } = context.sql;
  const create = (name: string, query: string): string => `CREATE TABLE ${name}${tableOptions} AS\n${query};\n`;
  const edges = `SELECT a, b FROM simhash_doc_pairs UNION ALL SELECT b AS a, a AS b FROM simhash_doc_pairs`;
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const [from, to] = [`simhash_doc_labels_${round}`, `simhash_doc_labels_${round + 1}`];
    return create(
      to,
      `WITH edges AS (${edges}),
passed AS (
  SELECT id, label FROM ${from}
  UNION ALL
  SELECT e.a AS id, n.label AS label FROM edges e JOIN ${from} n ON n.id = e.b
  UNION ALL
  SELECT o.id AS id, n.label AS label FROM ${from} o JOIN ${from} n ON n.id = o.label
  UNION ALL
  SELECT o.label AS id, n.label AS label FROM edges e JOIN ${from} o ON o.id = e.a JOIN ${from} n ON n.id = e.b
)
SELECT id, min(label) AS label FROM passed GROUP BY id`,
    );
  });
  const last = `simhash_doc_labels_${ROUNDS}`;
  return `${create('simhash_doc_pairs', pairQuery(context))}
${create('simhash_doc_labels_0', 'SELECT id, min(label) AS label FROM (SELECT a AS id, a AS label FROM simhash_doc_pairs UNION ALL SELECT b AS id, a AS label FROM simhash_doc_pairs) x GROUP BY id')}
${rounds.join('\n')}
-- This must be 0. If it is not, repeat the last round on its own result.
SELECT count(*) AS unfinished FROM simhash_doc_pairs p JOIN ${last} x ON x.id = p.a JOIN ${last} y ON y.id = p.b WHERE x.label <> y.label;

SELECT label AS cluster_id, id FROM ${last} ORDER BY cluster_id, id;

${hotQuery(context)};
`;
}

const TABLES = 16;
const BITS = 64;

/**
 * The masks of the 16 tables (TAB-3): the block Bi of 16 bits, the sub-block Sj of 12 bits, and the other 36 bits cut into parts.
 * Two fingerprints have the same key in a table if they agree in the first two; within k bits, they agree in one of k + 1 parts.
 */
function tableMasks(parts: number) {
  return Array.from({ length: TABLES }, (_, table) => {
    const [mask, width] = [new Array<bigint>(2 + parts).fill(0n), BITS - 28];
    for (let bit = 0n; bit < BITS; bit++) {
      const place = permute(1n << bit, table).toString(2).length - 1;
      const at = place >= 48 ? 0 : place >= 36 ? 1 : 2 + Math.floor((place * parts) / width);
      mask[at]! |= 1n << bit;
    }
    return { table, block: mask[0]!, subBlock: mask[1]!, parts: mask.slice(2) };
  });
}

/** Returns a signed 64-bit SQL literal; −2^63 is an expression, since not every system can write it as a literal. */
export function literal(value: bigint): string {
  const signed = BigInt.asIntN(BITS, value);
  return signed === -(2n ** 63n) ? '(-9223372036854775807 - 1)' : String(signed);
}
