export interface Dialect {
  /** Quotes the name of a table or a column, with any characters. */
  quote(name: string): string;
  and(a: string, b: string): string;
  xor(a: string, b: string): string;
  /** The number of one bits of a 64-bit number. */
  bitCount(value: string): string;
  /** The type of a signed 64-bit number. */
  readonly bigint: string;
  /** Reads the 16 hexadecimal digits of a fingerprint as a signed number. */
  fromHex(digits: string): string;
  /** The text after the name of a table that is created. */
  readonly create?: string;
  /** Quotes a text. */
  text(value: string): string;
  /** A number that no other row of a table that is created has. */
  readonly rowNumber: string;
  /** Reads path, member, label and hex from JSON Lines: the statements before, and what stands after FROM. */
  load(file: string): { readonly before: string; readonly from: string };
  /** The versions that the SQL is for, unless it is for all versions in use. */
  readonly versions?: string;
}

const infix =
  (operator: string) =>
  (a: string, b: string): string =>
    `(${a} ${operator} ${b})`;

const inQuotes = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const inQuotesWithEscapes = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
const COLUMNS = ['path', 'member', 'label', 'hex'];

/** Some of standard SQL. */
const STANDARD = {
  quote: (name: string): string => `"${name.replaceAll('"', '""')}"`,
  text: inQuotes,
  rowNumber: 'row_number() OVER ()',
  and: infix('&'),
  bitCount: (value: string): string => `bit_count(${value})`,
  bigint: 'BIGINT',
};

/** A fingerprint is a signed number everywhere: not all of these systems have unsigned ones. */
export const DIALECTS = {
  duckdb: {
    ...STANDARD,
    load: (file) => ({
      before: '',
      from: `read_json(${inQuotes(file)}, format = 'newline_delimited', columns = {${COLUMNS.map((each) => `${each}: 'VARCHAR'`).join(', ')}})`,
    }),
    xor: (a, b) => `xor(${a}, ${b})`,
    // Its own type is INT8, which the sum over four words can exceed.
    bitCount: (value) => `bit_count(${value})::INTEGER`,
    fromHex: (digits) =>
      `(('0x' || ${digits})::UBIGINT::HUGEINT - CASE WHEN ${digits} >= '8' THEN 18446744073709551616::HUGEINT ELSE 0 END)::BIGINT`,
  },
  postgres: {
    ...STANDARD,
    versions: '14 or later',
    load: (file) => ({
      // JSON has no control characters: a line is one value.
      before: `DROP TABLE IF EXISTS simhash_doc_json;
CREATE TEMP TABLE simhash_doc_json (line json);
\\copy simhash_doc_json FROM ${inQuotes(file)} WITH (FORMAT csv, DELIMITER e'\\x02', QUOTE e'\\x01')\n`,
      from: `(SELECT ${COLUMNS.map((each) => `line ->> '${each}' AS ${each}`).join(', ')} FROM simhash_doc_json) j`,
    }),
    xor: infix('#'),
    bitCount: (value) => `bit_count(${value}::bit(64))`,
    fromHex: (digits) => `('x' || ${digits})::bit(64)::bigint`,
  },
  spark: {
    ...STANDARD,
    quote: (name) => `\`${name.replaceAll('`', '``')}\``,
    text: inQuotesWithEscapes,
    create: ' USING parquet',
    rowNumber: 'monotonically_increasing_id()',
    load: (file) => ({
      before: `CREATE OR REPLACE TEMPORARY VIEW simhash_doc_json (${COLUMNS.map((each) => `${each} STRING`).join(', ')})
USING json OPTIONS (path ${inQuotesWithEscapes(file)});\n`,
      from: 'simhash_doc_json',
    }),
    xor: infix('^'),
    fromHex: (digits) => `CAST(conv(${digits}, 16, -10) AS BIGINT)`,
  },
  clickhouse: {
    ...STANDARD,
    quote: (name) => `\`${name.replace(/[\\`]/g, '\\$&')}\``,
    text: inQuotesWithEscapes,
    create: ' ENGINE = MergeTree ORDER BY tuple()',
    load: (file) => ({
      before: '',
      from: `file(${inQuotesWithEscapes(file)}, 'JSONEachRow', '${COLUMNS.map((each) => `${each} Nullable(String)`).join(', ')}')`,
    }),
    and: (a, b) => `bitAnd(${a}, ${b})`,
    xor: (a, b) => `bitXor(${a}, ${b})`,
    bitCount: (value) => `bitCount(${value})`,
    bigint: 'Int64',
    fromHex: (digits) => `reinterpretAsInt64(reverse(unhex(${digits})))`,
  },
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof DIALECTS;
