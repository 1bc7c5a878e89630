import { type Label, schemeOf } from '../../../scheme/labels/label.ts';
import { permute } from '../../../scheme/tables.ts';
import { DIALECTS, type Dialect, type DialectName } from './sql-dialects.ts';

interface SqlOptions {
  readonly dialect: DialectName;
  readonly task: 'pairs' | 'query' | 'clusters';
  readonly label: Label;
  /** The largest distance: 0 to 6, or 0 to 27 of 256 bits. */
  readonly k: number;
  /** The number of different fingerprints that may share a key before further bits are compared. */
  readonly hot: number;
  /** The names of the table and of its columns. */
  readonly table: string;
  readonly id: string;
  readonly fingerprint: string;
  /** The table of fingerprints to look up, with the same columns. */
  readonly queries: string;
  /** The output of `hash --json` from which the table is made. */
  readonly load?: string;
}

interface Context extends SqlOptions {
  readonly sql: Dialect;
  /** The words of a fingerprint, 1 or 4, and the largest distance of the nearest two. */
  readonly words: readonly number[];
  readonly wordK: number;
}

/** The maximum distance at which two words always share a key. */
const MAX_SHARED = 3;
/** The distance from which on a bit of both parts of a key may differ (LKP-5). */
const BOTH_PARTS = 5;

const values = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row, index) => `    SELECT ${row.join(', ')}${index === rows.length - 1 ? '' : ' UNION ALL'}`).join('\n');

/** Writes the statements for a task: each ends with a semicolon. */
export function writeSql(options: SqlOptions): string {
  const words = Array.from({ length: schemeOf(options.label).bits / 64 }, (_, word) => word);
  const sql = DIALECTS[options.dialect];
  const context: Context = { ...options, sql, words, wordK: Math.floor(options.k / words.length) };
  const write = { pairs: pairStatements, query: queryStatements, clusters: clusterStatements }[options.task];
  return `${headOf(context)}${loadStatements(context)}${write(context)}`;
}

function headOf(context: Context): string {
  const { task, label, k, hot, table, id, sql, words, wordK } = context;
  const columns = words.map((word) => oneLine(columnOf(context, word)));
  const digits = words.map((word) => oneLine(fromHex(sql, word)));
  return `-- simhash-doc: ${task} of ${label} within ${k} of ${64 * words.length} bits. Needs no extension.
-- Complete: ${words.length === 1 ? 'two fingerprints' : `one of four 64-bit words differs in at most ${wordK} bits, and two words`} within ${wordK} bits share one of the keys that are joined.
-- The result is candidates: SQL does not compare the texts. Confirm them (dupes, dedupe) before you remove any.
-- ${oneLine(sql.quote(table))} has the column ${oneLine(sql.quote(id))}, different in each row, and ${words.length === 1 ? 'a signed 64-bit number' : 'signed 64-bit numbers'}, of the hex that hash --json prints:
${columns.map((column, word) => `--   ${column} = ${digits[word]}\n`).join('')}-- Keys that more than ${hot} different fingerprints share are split by further bits: nothing is left out. The last statement lists them.

`;
}

/** Replaces line breaks by spaces: a comment ends with its line. */
const oneLine = (text: string): string => text.replace(/[\r\n\u2028\u2029]/g, ' ');

/** Makes the table anew from what `hash --json` wrote. Members of an archive share its path: rows are numbered. */
function loadStatements(context: Context): string {
  const { sql, label, table, id, load, words } = context;
  if (load === undefined) return '';
  const [name, { create = '' }] = [sql.quote(table), sql];
  const columns = words.map((word) => `${fromHex(sql, word)} AS ${columnOf(context, word)}`);
  return `DROP TABLE IF EXISTS ${name};

${sql.load(load).before}CREATE TABLE ${name}${create} AS
SELECT ${sql.rowNumber} AS ${sql.quote(id)}, path, member, ${columns.join(', ')}
FROM ${sql.load(load).from} WHERE label = ${sql.text(label)} AND hex IS NOT NULL;

`;
}

/** Reads a word of a fingerprint, of the 16 digits of each in the column `hex`. */
function fromHex(sql: Dialect, word: number): string {
  return sql.fromHex(`substr(hex, ${1 + 16 * word}, 16)`);
}

/** The column of a word: with 256 bits, named as in an index in PostgreSQL (spec/sharing.md). */
function columnOf({ sql, fingerprint }: Context, word: number): string {
  return sql.quote(word === 0 ? fingerprint : `${fingerprint}_${word}`);
}

const pairStatements = (context: Context): string => `${pairQuery(context)};\n\n${hotQuery(context)};\n`;

/** All pairs: a document with a copy of a fingerprint is paired with the first that has it, which alone is paired with others. */
function pairQuery(context: Context): string {
  const { k, wordK } = context;
  const isShared = wordK <= MAX_SHARED;
  const distance = distanceOf(context, 'd', 'e');
  return `WITH
${commonTables(context, isShared)}${isShared ? '' : `,\n${probeTables(context, 'simhash_doc_documents')}`},
${nearTable(context, isShared ? 'simhash_doc_entries' : 'simhash_doc_probes', 'a.id < b.id AND ')}
SELECT d.id AS a, e.id AS b, ${distance} AS distance
FROM simhash_doc_near n JOIN simhash_doc_documents d ON d.id = n.a JOIN simhash_doc_documents e ON e.id = n.b
WHERE ${distance} <= ${k}
UNION ALL
SELECT f.id AS a, c.id AS b, 0 AS distance
FROM simhash_doc_source c JOIN simhash_doc_documents f ON ${equal(context, 'f', 'c')}
WHERE f.id <> c.id`;
}

/** Pairs whose words share a key and are near; several keys may find a pair. */
function nearTable({ sql, wordK }: Context, others: string, condition: string): string {
  return `  simhash_doc_near AS (
    SELECT DISTINCT a.id AS a, b.id AS b
    FROM simhash_doc_entries a JOIN ${others} b
      ON a.table_no = b.table_no AND a.table_key = b.table_key AND a.part = b.part AND a.part_key = b.part_key
    WHERE ${condition}${sql.bitCount(sql.xor('a.bits', 'b.bits'))} <= ${wordK}
  )`;
}

const distanceOf = ({ sql, words }: Context, a: string, b: string): string =>
  words.map((word) => sql.bitCount(sql.xor(`${a}.f${word}`, `${b}.f${word}`))).join(' + ');

const equal = ({ words }: Context, a: string, b: string): string =>
  words.map((word) => `${a}.f${word} = ${b}.f${word}`).join(' AND ');

/** The rows of a table that have a fingerprint. */
function sourceTable(context: Context, name: string, table: string): string {
  const { sql, words } = context;
  const column = (word: number): string => `s.${columnOf(context, word)}`;
  return `  ${name} AS (
    SELECT s.${sql.quote(context.id)} AS id, ${words.map((word) => `${column(word)} AS f${word}`).join(', ')}
    FROM ${sql.quote(table)} s WHERE ${words.map((word) => `${column(word)} IS NOT NULL`).join(' AND ')}
  )`;
}

/** The first document of each fingerprint. */
function firstTable({ words }: Context, name: string, source: string): string {
  const columns = words.map((word) => `f${word}`).join(', ');
  return `  ${name} AS (
    SELECT ${columns}, min(id) AS id FROM ${source} GROUP BY ${columns}
  )`;
}

/** The keys of the words of documents, with `flips` those with these bits flipped. */
function keyTable({ sql, words }: Context, name: string, documents: string, flips = ''): string {
  const all = words.map(
    (word) => `SELECT id, ${words.length === 1 ? '' : `${word} AS word, `}f${word} AS bits FROM ${documents}`,
  );
  const key = sql.and('w.bits', 't.mask');
  return `  ${name} AS (
    SELECT ${words.length === 1 ? '' : `${TABLES} * w.word + `}t.table_no AS table_no, ${flips === '' ? key : sql.xor(key, 'f.flip')} AS table_key, w.id AS id, w.bits AS bits
    FROM (${all.join(' UNION ALL ')}) w CROSS JOIN simhash_doc_tables t${flips === '' ? '' : ` JOIN ${flips} f ON f.table_no = t.table_no`}
  )`;
}

/** The documents with different fingerprints and their keys; `isShared` leaves out keys that only one fingerprint has. */
function commonTables(context: Context, isShared = false): string {
  const { hot } = context;
  const counts = `SELECT table_no, table_key, count(*) AS members FROM simhash_doc_keyed GROUP BY table_no, table_key HAVING count(*)`;
  return `${maskTables(context)},
${sourceTable(context, 'simhash_doc_source', context.table)},
${firstTable(context, 'simhash_doc_documents', 'simhash_doc_source')},
${keyTable(context, 'simhash_doc_keyed', 'simhash_doc_documents')},
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
  const { sql, wordK } = context;
  const masks = tableMasks(wordK + 1);
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
  )`;
}

/** Finds rows under hot keys by each part of their other bits in addition. */
function splitHot({ sql, hot, words }: Context, rows: string, isShared = false): string {
  const on = (table: string): string => `${table}.table_no = e.table_no AND ${table}.table_key = e.table_key`;
  const whole = isShared
    ? `JOIN simhash_doc_shared s ON ${on('s')}
    WHERE s.members <= ${hot}`
    : `LEFT JOIN simhash_doc_hot h ON ${on('h')}
    WHERE h.members IS NULL OR h.members = 0`;
  const select = 'SELECT e.table_no AS table_no, e.table_key AS table_key, e.id AS id, e.bits AS bits';
  return `    ${select}, 0 AS part, CAST(0 AS ${sql.bigint}) AS part_key
    FROM ${rows} e ${whole}
    UNION ALL
    ${select}, p.part AS part, ${sql.and('e.bits', 'p.mask')} AS part_key
    FROM ${rows} e
    JOIN simhash_doc_hot h ON ${on('h')}
    JOIN simhash_doc_parts p ON p.table_no = e.table_no${words.length === 1 ? '' : ` % ${TABLES}`}`;
}

/** The keys of fingerprints, with the bits flipped that may differ (LKP-5). */
function probeTables(context: Context, documents: string): string {
  const hasFlips = context.wordK > MAX_SHARED;
  return `${hasFlips ? flipTables(context) : ''}${keyTable(context, 'simhash_doc_flipped', documents, hasFlips ? 'simhash_doc_flips' : '')},
  simhash_doc_probes AS (
${splitHot(context, 'simhash_doc_flipped')}
  )`;
}

function flipTables({ sql, wordK }: Context): string {
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
    SELECT t.table_no AS table_no, x.bit AS flip FROM simhash_doc_tables t JOIN simhash_doc_bits x ON ${sql.and('x.bit', 't.mask')} <> 0${wordK < BOTH_PARTS ? '' : both}
  ),
`;
}

/** The keys that were split, the largest first. */
function hotQuery(context: Context): string {
  return `WITH
${commonTables(context)}
SELECT table_no, table_key, members FROM simhash_doc_hot ORDER BY members DESC, table_no, table_key`;
}

function queryStatements(context: Context): string {
  const { k, queries } = context;
  const distance = distanceOf(context, 'd', 'x');
  return `WITH
${commonTables(context)},
${sourceTable(context, 'simhash_doc_queries', queries)},
${firstTable(context, 'simhash_doc_asked', 'simhash_doc_queries')},
${probeTables(context, 'simhash_doc_asked')},
${nearTable(context, 'simhash_doc_probes', '')}
SELECT q.id AS query, s.id AS id, ${distance} AS distance
FROM simhash_doc_near n JOIN simhash_doc_documents d ON d.id = n.a JOIN simhash_doc_asked x ON x.id = n.b
JOIN simhash_doc_source s ON ${equal(context, 's', 'd')}
JOIN simhash_doc_queries q ON ${equal(context, 'q', 'x')}
WHERE ${distance} <= ${k}
ORDER BY query, distance, id;

${hotQuery(context)};
`;
}

/** The number of rounds in which labels are passed on: a chain of 2^10 documents needs 10 rounds, and random ones far fewer. */
const ROUNDS = 10;

/** Connected components: every document takes the least label of its neighbours, and then the label of its label. */
function clusterStatements(context: Context): string {
  const { create: options = '' } = context.sql;
  const create = (name: string, query: string): string =>
    `DROP TABLE IF EXISTS ${name};\nCREATE TABLE ${name}${options} AS\n${query};\n`;
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
