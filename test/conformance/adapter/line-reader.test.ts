import { describe, expect, test } from 'vitest';
import { parseLine } from '../../../src/conformance/adapter/line-reader.ts';
import { createProcessAdapter } from '../../../src/conformance/adapter/process-adapter.ts';

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const reply = (text: string): string => `{"id":"1","ok":{"text":"${text}"}}`;
const bytes = (...parts: readonly (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? utf8(part) : Buffer.from(part))));
const around = (...bad: number[]): Buffer => bytes('{"id":"1","ok":{"text":"caf', bad, '"}}');

const RIGHT: readonly [string, Buffer][] = [
  ['UTF-8', utf8(reply('café 日本語 😀 \ufffd \uffff \u0080 \ufeff'))],
  ['escapes', utf8(reply('\\u0063\\ud83d\\ude00\\\\\\"\\ud7ff\\ue000'))],
  ['white space', utf8(` ${reply('a')}\t `)],
  ['equal names in other objects', utf8('{"id":"1","ok":{"a":{"a":1},"b":[{"a":1},{"a":"a"}],"c":"a"}}')],
  ['large and small numbers', utf8('{"id":"1","ok":{"a":1.7976931348623157e308,"b":[-1e-400,18446744073709551615]}}')],
  ['what looks like a fault inside a string', utf8(reply('1e400 NaN {\\"a\\":1,\\"a\\":2} \\\\ud800'))],
];

const FAULTS: readonly [string, Buffer, RegExp][] = [
  ['Latin-1', around(0xe9), /^ill-formed UTF-8 at byte 28 of the line, after ".*caf": e9, as Latin-1 .*U\+00E9$/],
  ['windows-1252', around(0x80), /at byte 28 .*: 80, as windows-1252 or raw bytes/],
  ['CESU-8', around(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80), /: ed a0 bd ed b8 80, as CESU-8/],
  ['a lone surrogate', around(0xed, 0xb0, 0x80), /: ed b0 80, a lone surrogate/],
  ['modified UTF-8', around(0xc0, 0x80), /: c0 80, as the modified UTF-8 of Java writes U\+0000/],
  ['overlong', around(0xc1, 0xbf), /: c1 bf, an overlong sequence/],
  ['overlong in three bytes', around(0xe0, 0x80, 0x80), /: e0 80 80, /],
  ['beyond U+10FFFF', around(0xf4, 0x90, 0x80, 0x80), /at byte 28 .*: f4 90 80 80, /],
  ['after characters of several bytes', bytes('{"id":"é日😀', [0xff], '"}'), /at byte 17 /],
  ['UTF-16LE', Buffer.from(reply('a'), 'utf16le'), /^UTF-16LE without a byte order mark in place of UTF-8: 7b 00 22/],
  ['UTF-16BE', Buffer.from(reply('a'), 'utf16le').swap16(), /^UTF-16BE without a byte order mark/],
  ['UTF-16 with a mark', bytes([0xff, 0xfe], [...Buffer.from(reply('a'), 'utf16le')]), /little-endian, in place/],
  ['UTF-32', Buffer.from([...utf8('{"id"')].flatMap((each) => [each, 0, 0, 0])), /^UTF-32 in place of UTF-8/],
  ['a byte order mark', utf8(`\ufeff${reply('a')}`), /^a byte order mark \(U\+FEFF\) before "\{/],
  ['CR LF', utf8(`${reply('a')}\r`), /^CR LF at the end of the line, expected LF alone/],
  ['a member twice', utf8('{"id":"1","ok":{"hash":"0","hash":"1"}}'), /^the member "hash" occurs twice in an object/],
  ['a member twice, escaped', utf8('{"id":"1","\\u006fk":{},"ok":{}}'), /^the member "ok" occurs twice/],
  ['1e400', utf8('{"id":"1","ok":{"distance":1e400}}'), /^the number "1e400", which no double holds/],
  ['-1e999 in a list', utf8('{"id":"1","ok":{"counters":[0,-1e999]}}'), /^the number "-1e999"/],
  ['a lone high surrogate', utf8(reply('a\\ud800b')), /^the escape of a lone surrogate, \\ud800/],
  ['a lone low surrogate', utf8(reply('\\uDC00')), /^the escape of a lone surrogate, \\udc00/],
  ['NaN', utf8('{"id":"1","ok":{"similarity":NaN}}'), /got ".*": NaN is not JSON$/],
  ['None', utf8('{"id":"1","ok":{"fingerprint": None}}'), /: None is not JSON$/],
  ['a raw control character', utf8(reply('a\u0001b')), /: U\+0001 has to be escaped in a string$/],
  ['17 levels', utf8(`{"id":"1","ok":{"a":${'['.repeat(15)}${']'.repeat(15)}}}`), /^more than 16 levels of nesting/],
];

describe('a reply', () => {
  test.each(RIGHT)('may hold %s', (_, line) => {
    expect(parseLine(line)).toMatchObject({ id: '1', reply: { kind: 'ok' } });
  });

  test.each(FAULTS)('with %s breaks the protocol, and the message names the fault', (_, line, message) => {
    expect(parseLine(line)).toEqual({ breach: expect.stringMatching(message) });
  });

  test('may have 16 levels', () => {
    const lists = `${'['.repeat(14)}${']'.repeat(14)}`;
    expect(parseLine(utf8(`{"id":"1","ok":{"a":${lists}}}`))).toMatchObject({ id: '1' });
  });

  test('of endless spaces is rejected in linear time', () => {
    const start = process.cpuUsage();
    expect(parseLine(utf8(`{${' '.repeat(100_000)}`))).toEqual({ breach: expect.stringContaining('got "{ ') });
    expect(process.cpuUsage(start).user).toBeLessThan(2e6);
  });
});

test('a process that answers with raw bytes breaks the protocol', async () => {
  const path = new URL('hostile-adapter.mjs', import.meta.url).pathname;
  const adapter = createProcessAdapter([process.execPath, path, 'raw-octets']);
  const answer = await adapter.request('token-hash', { text: 'a' });
  await adapter.close();
  const detail = expect.stringMatching(/^garbage: ill-formed UTF-8.*: ff fe/);
  expect(answer).toMatchObject({ kind: 'protocol', detail });
});
