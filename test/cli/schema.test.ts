import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { withSubcommands } from '../../src/cli/command.ts';
import { loadCommands } from '../../src/cli/commands/all-commands.ts';
import { LOSSES } from '../../src/extract/result.ts';
import { LABELS } from '../../src/scheme/labels/label.ts';
import { folder, jsonLines, run, stdoutOf, wordsOf } from './command.ts';

const schema = JSON.parse(readFileSync(new URL('../../spec/command.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema(schema, 'command');

const text = wordsOf('', 100).join(' ');
const cwd = folder({
  'docs/a.txt': text,
  'docs/b.html': `<p>${text} more`,
  'docs/c.txt': `${text} 1,200 euros`,
  'docs/d.txt': 'something else altogether',
  'docs/e.txt': wordsOf('', 70).join(' '),
  'short.txt': 'few words',
  'empty.txt': '',
  'digits.txt': '1 2 3',
  'rows.jsonl': `${JSON.stringify({ id: 'a', text })}\n${JSON.stringify({ id: 'b', text })}\n`,
});

/** Command lines that print JSON, and the definitions of the schema that their lines have. */
const PRINTED: readonly (readonly [line: string, definition: string])[] = [
  ['hash --json docs short.txt empty.txt digits.txt', 'hash'],
  ['hash --json --text-field text --id-field id rows.jsonl', 'hash'],
  ['hash --json --token-counts --label minhash-doc-256 docs', 'hash'],
  ['hash --json --check list.txt', 'hash --check'],
  ['compare --json docs/a.txt docs/c.txt', 'compare'],
  ['compare --json simhash-doc:4L3UPEMLCUTGM short.txt', 'compare'],
  ['compare --json empty.txt short.txt', 'compare'],
  ['explain --json short.txt', 'explain'],
  ['explain --json digits.txt', 'explain'],
  ['explain --json --label minhash-doc-256 short.txt', 'explain'],
  ['explain --json --diff docs/a.txt docs/b.html', 'explain --diff'],
  ['explain --json --diff --label simhash-doc docs/a.txt docs/b.html', 'explain --diff'],
  ['extract --json docs empty.txt', 'extract'],
  ['dupes --json docs empty.txt', 'dupes'],
  ['dupes --json --no-verify docs', 'dupes'],
  ['dupes --json --pairs docs', 'dupes --pairs'],
  ['dupes --json --new --against docs short.txt', 'dupes --new'],
  ['dedupe --json rows.jsonl --text-field text --out kept.jsonl', 'dedupe'],
  ['index add --json store docs empty.txt', 'index add'],
  ['index sync --json store docs', 'index sync'],
  ['index query --json store docs/a.txt', 'index query'],
  ['index query --json --verify store docs/a.txt short.txt', 'index query'],
  ['index stats --json store', 'index stats'],
  ['index verify --json store', 'index verify'],
  ['index export store', 'index export'],
  ['index import --json copy exported.jsonl', 'index import'],
  ['index remove --json store docs/a.txt', 'index remove'],
  ['conformance --json --group label --random 0', 'conformance'],
  ['conformance init --json --lang python --out mine', 'conformance init'],
  ['vectors validate --json', 'vectors validate'],
];

test('every line of --json matches the schema, and every definition is used', async () => {
  writeFileSync(join(cwd, 'list.txt'), await stdoutOf(['hash', 'docs'], { cwd }));
  for (const [line, definition] of PRINTED) {
    const { stdout } = await run(line.split(' '), { cwd });
    if (definition === 'index export') writeFileSync(join(cwd, 'exported.jsonl'), stdout);
    const validate = ajv.getSchema(`command#/$defs/${definition.replaceAll(' ', '%20')}`)!;
    expect(stdout, line).not.toBe('');
    for (const object of jsonLines(stdout)) {
      validate(object);
      expect(validate.errors ?? [], `${line}: ${JSON.stringify(object)}`).toEqual([]);
      // A key that the schema does not name is not allowed, except in the lines of conformance.
      if (definition !== 'conformance') expect(validate({ ...object, other: 1 }), line).toBe(false);
    }
  }
  const parts = ['losses', 'place', 'label', 'fingerprint', 'overlap', 'distance', 'differs', 'size', 'failure'];
  const printed = new Set(PRINTED.map(([, definition]) => definition));
  expect(Object.keys(schema.$defs).filter((name) => !printed.has(name))).toEqual(parts);
  expect(schema.$defs.label.enum).toEqual(LABELS);
  expect(schema.$defs.losses.items.enum).toEqual(LOSSES);
});

test('every command with --json has a definition', async () => {
  const commands = (await loadCommands()).flatMap(withSubcommands);
  const names = commands.filter(({ options }) => options.some(({ name }) => name === 'json')).map(({ name }) => name);
  // Vectors have schemas of their own; a reply to a person is not in the schema.
  const others = ['conformance explain', 'conformance verify', 'vectors', 'vectors list', 'vectors show'];
  expect(names.filter((name) => schema.$defs[name] === undefined)).toEqual(others);
});
