import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { parseHeaders } from '../../src/extract/archive/http-response.ts';
import { readWarc } from '../../src/extract/archive/warc.ts';
import { extract } from '../../src/extract/extract.ts';
import { fingerprint, formatLabelled } from '../../src/index.ts';
import { attribute, parsePage } from '../page.ts';

const annex = readFileSync(new URL('../../spec/carrying.md', import.meta.url), 'utf8');
const TEXT = 'The quick brown fox jumps over the lazy dog.';
const LABEL = 'minhash-doc-256';
const labelled = (text: string, label = LABEL): string => formatLabelled(label, fingerprint(text, { label })!);
const CARRIED = labelled(TEXT);

/** The names of CAR-7. */
const NAMES = ['document-fingerprint', 'document-fingerprint-extractor'];

/** The code after the marker of an example. */
function example(name: string): string {
  const found = new RegExp(`<!-- example: ${name} -->\\n\\n\`\`\`[a-z]+\\n(.*?)\`\`\`\\n`, 's').exec(annex);
  if (found === null) throw new Error(`spec/carrying.md has no example ${name}`);
  return found[1]!;
}

/** The texts of the elements of an XML document, by their names. */
function xmlTexts(xml: string): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  const open: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ name }) => open.push(name));
  parser.on('closetag', () => void open.pop());
  parser.on('text', (text) => {
    const name = open.at(-1);
    if (name !== undefined && text.trim() !== '') texts.set(name, [...(texts.get(name) ?? []), text]);
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return texts;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the example of spec/carrying.md contains the fingerprint where a parser of the format finds it', () => {
  test('in WARC: the record ends at its length, and its fields are read', async () => {
    const record = example('warc').replaceAll('\n', '\r\n');
    const end = record.indexOf('\r\n\r\n');
    const headers = parseHeaders(record.slice(0, end).split('\r\n').slice(1));
    const block = record.slice(end + 4);
    expect(bytes(block).length).toBe(Number(headers.get('content-length')));
    expect(headers.get('warc-type')).toBe('metadata');
    const fields = parseHeaders(block.split('\r\n'));
    expect([...NAMES.map((name) => fields.get(name))]).toEqual([CARRIED, 'html/2']);
    // A reader of documents passes over it to the record after.
    const page = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nfox';
    const next = `WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.org/\r\nContent-Length: ${page.length}\r\n\r\n${page}\r\n\r\n`;
    const names: string[] = [];
    for await (const { name } of readWarc([bytes(`${record}\r\n\r\n${next}`)])) names.push(name);
    expect(names).toEqual(['https://example.org/']);
  });

  test('in CDXJ', () => {
    const lines = example('cdxj')
      .split('\n')
      .filter((line) => line !== '');
    expect(lines.length).toBe(1);
    const [, key, timestamp, json] = /^(\S+) (\d{14}) (\{.*\})$/.exec(lines[0]!)!;
    const entry = JSON.parse(json!) as Record<string, string>;
    expect([key, timestamp]).toEqual(['org,example)/fox', '20260101000000']);
    expect(NAMES.map((name) => entry[name])).toEqual([CARRIED, 'html/2']);
    const members = [...annex.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) \|/gm)].flatMap(([, names]) =>
      names!.replaceAll('`', '').split(', '),
    );
    expect(Object.keys(entry)).toEqual(members.filter((name) => name !== 'digest' && name !== 'losses'));
    for (const value of Object.values(entry)) expect(value).toBeTypeOf('string');
  });

  test('in HTTP: a List of Tokens, also with other labels', () => {
    const [, name, value] = /^([A-Za-z-]+): (.*)\n$/.exec(example('http'))!;
    // A token with a parameter, as RFC 9651 has them.
    const item =
      /^(?<token>[A-Za-z*][\w!#$%&'*+.^`|~:/-]*)(?:;[ ]*(?<key>[a-z*][a-z0-9_.*-]*)="(?<text>[ !#-[\]-~]*)")?$/;
    expect(name).toBe('Document-Fingerprint');
    expect({ ...item.exec(value!.split(', ')[0]!)?.groups }).toEqual({
      token: CARRIED,
      key: 'extractor',
      text: 'html/2',
    });
    for (const other of ['simhash-doc+bg1:4L3UPEMLCUTGM', `minhash-doc-256:${'A'.repeat(52)}`])
      expect(other).toMatch(item);
  });

  test('in HTML, whose fingerprint it is', async () => {
    const html = example('html');
    const { text, extractor } = await extract(bytes(html));
    const found = parsePage(html).elements.filter((each) => NAMES.includes(attribute(each, 'name') ?? ''));
    expect(found.map((each) => [each.tagName, attribute(each, 'content')])).toEqual([
      ['meta', CARRIED],
      ['meta', extractor],
    ]);
    expect(labelled(text)).toBe(CARRIED);
  });

  test('in JATS, whose fingerprint it is', async () => {
    const xml = example('jats');
    const { text, extractor } = await extract(bytes(xml), { type: 'xml' });
    expect(xmlTexts(xml).get('meta-name')).toEqual(NAMES);
    expect(xmlTexts(xml).get('meta-value')).toEqual([CARRIED, extractor]);
    expect(labelled(text)).toBe(CARRIED);
  });

  test('in JSON Lines', () => {
    const [fox, other, empty] = example('json-lines')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { label: string; fingerprint: string | null });
    expect(`${fox!.label}:${fox!.fingerprint}`).toBe(CARRIED);
    expect(`${other!.label}:${other!.fingerprint}`).toBe(labelled(TEXT, 'simhash-doc'));
    expect(empty!.fingerprint).toBeNull();
  });

  test('in SQL', () => {
    const script = `
import sqlite3, sys
connection = sqlite3.connect(':memory:')
rows = []
for statement in sys.stdin.read().split(';'):
    rows += connection.execute(statement).fetchall()
print(rows)`;
    const output = execFileSync('python3', ['-c', script], { input: example('sql'), encoding: 'utf8' });
    expect(output.trim()).toBe(`[('${labelled(TEXT, 'simhash-doc')}',)]`);
  });

  test('and every fingerprint of the annex is that of its text', () => {
    for (const [found, label] of annex.matchAll(/(simhash-doc|minhash-doc(?:-256)?):[A-Z2-7]{13,52}/g))
      expect(found).toBe(labelled(TEXT, label!));
  });
});
