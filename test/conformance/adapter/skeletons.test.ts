import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createProcessAdapter } from '../../../src/conformance/adapter/process.ts';
import {
  isLanguage,
  type Language,
  readSkeleton,
  SKELETONS,
  writeSkeleton,
} from '../../../src/conformance/adapter/skeletons.ts';
import { runSmoke } from '../../../src/conformance/smoke.ts';
import { isThere } from '../../adapters/implementations.ts';
import { IS_SLOW } from '../../suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What has to be on the machine to try each, and the flags that let a compiler complain. */
const TOOLS: { readonly [L in Language]: { readonly check: readonly string[]; readonly build?: readonly string[] } } = {
  python: { check: ['python3', '--version'] },
  c: {
    check: ['cc', '--version'],
    build: ['cc', '-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-O2', '-o', 'adapter', 'adapter.c'],
  },
  go: { check: ['go', 'version'] },
  rust: { check: ['rustc', '--version'], build: ['rustc', '-D', 'warnings', '-O', '--edition', '2021', 'adapter.rs'] },
  java: { check: ['javac', '-version'], build: ['javac', '-Xlint:all,-serial', '-Werror', 'Adapter.java'] },
  javascript: { check: [process.execPath, '--version'] },
};

/**
 * In the place of the stub a hash that every octet goes into, h := 31 h + octet modulo 2^64, so that it shows whether the
 * octets arrive.
 */
const FILLED: { readonly [L in Language]: readonly [stub: RegExp, hash: string] } = {
  python: [
    /return 0 {2}# CALL.*/,
    'h = 0\n    for octet in octets:\n        h = (31 * h + octet) % 2**64\n    return h',
  ],
  c: [
    /\(void\)octets;[^}]*return 0;.*/,
    'uint64_t h = 0;\n    size_t i;\n    for (i = 0; i < length; i++)\n        h = 31 * h + octets[i];\n    return h;',
  ],
  go: [
    /return 0 \/\/ CALL.*/,
    'h := uint64(0)\n\tfor _, octet := range octets {\n\t\th = 31*h + uint64(octet)\n\t}\n\treturn h',
  ],
  rust: [
    /let _ = octets;\n {4}0 \/\/ CALL.*/,
    'octets.iter().fold(0u64, |h, octet| h.wrapping_mul(31).wrapping_add(u64::from(*octet)))',
  ],
  java: [/return 0; \/\/ CALL.*/, 'long h = 0; for (byte octet : octets) h = 31 * h + (octet & 0xff); return h;'],
  javascript: [
    /function tokenHash\(_octets\) \{\n {2}return 0n; \/\/ CALL.*/,
    'function tokenHash(octets) {\n  let h = 0n;\n  for (const octet of octets) h = BigInt.asUintN(64, 31n * h + BigInt(octet));\n  return h;',
  ],
};

function hashOf(octets: Uint8Array): string {
  let h = 0n;
  for (const octet of octets) h = BigInt.asUintN(64, 31n * h + BigInt(octet));
  return h.toString(16).padStart(16, '0');
}

const languages = Object.keys(SKELETONS) as Language[];
/** The compilers of the others take long: the slow suite runs them. */
const tried = IS_SLOW ? languages : languages.filter((each) => ['python', 'c', 'javascript'].includes(each));

describe.each(tried)('the skeleton in %s', (language) => {
  const { check, build } = TOOLS[language];
  const [program, ...args] = check as [string, ...string[]];
  // The toolchains of these languages are no part of what .ci/run installs: where one is missing, that is said.
  const there = isThere(`${language}: ${program}`, spawnSync(program, args, { stdio: 'ignore' }).status === 0, false);

  /** Writes the skeleton, or what it was changed to, into a folder of its own and builds it. */
  function prepare(name: string, change?: (text: string) => string): readonly string[] {
    const place = join(folder, language, name);
    const path = writeSkeleton(language, place);
    if (change !== undefined) writeFileSync(path, change(readFileSync(path, 'utf8')));
    const command = build ?? SKELETONS[language].build?.split(' ');
    if (command !== undefined) execFileSync(command[0]!, command.slice(1), { cwd: place });
    // The command as it is told to people, run from another folder.
    const [first, ...rest] = SKELETONS[language].run.split(' ') as [string, ...string[]];
    if (first === 'java') return [first, '-cp', place, ...rest];
    return first.startsWith('./') ? [join(place, first)] : [first, ...rest.map((each) => join(place, each))];
  }

  test.skipIf(!there)('works as it is', async () => {
    const { ok, checks, hello } = await runSmoke(prepare('as-it-is'));
    expect(checks.filter((each) => !each.ok)).toEqual([]);
    expect(ok).toBe(true);
    expect(hello).toMatchObject({ name: 'my-implementation', operations: ['token-hash'] });
  });

  test.skipIf(!there)('reads its input exactly, and gives what the implementation gives', async () => {
    const [stub, filled] = FILLED[language];
    const adapter = createProcessAdapter(
      prepare('filled', (text) => {
        expect(text).toMatch(stub);
        return text.replace(stub, () => filled);
      }),
    );
    const texts = [
      ...['', 'a', '"\\/\b\f\n\r\t', '\u0000\u0001\u001f\u007f', '\u00e9\u07ff\u0800\uffff', '\u{10000}\u{10ffff}'],
      ...['\u2028\u2029\u0085', `${'long '.repeat(50_000)}\u{1f600}`],
    ];
    for (const text of texts)
      expect(await adapter.request('token-hash', { text })).toMatchObject({
        result: { hash: hashOf(Buffer.from(text, 'utf8')) },
      });
    for (const utf8 of ['', '00', 'ff00c328', '0a0d'.repeat(1000)])
      expect(await adapter.request('token-hash', { utf8 })).toMatchObject({
        result: { hash: hashOf(Buffer.from(utf8, 'hex')) },
      });
    expect(adapter.restarts).toBe(0);
    await adapter.close();
  });

  const lines = (
    command: readonly string[],
    input: string,
  ): { readonly status: number | null; readonly stdout: string } =>
    spawnSync(command[0]!, command.slice(1), { input, encoding: 'utf8' });

  test.skipIf(!there)('reads all JSON, and no more than that', () => {
    const command = prepare('strict');
    const good = [
      ' { "op" : "x" , "input" : { "a" : [ 1 , -2.5e+3 , 0 , true , false , null , { } , [ ] , "" ] } , "id" : "1" } \r',
      '{"id":"\\u00e9\\ud83d\\ude00\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000","op":"x","input":{}}',
      '{"id":"\u00e9\u{1f600}","op":"x","input":{}}',
    ];
    const { status, stdout } = lines(command, good.map((line) => `${line}\n`).join(''));
    expect(status).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { id: '1', unsupported: true },
      { id: '\u00e9\u{1f600}"\\/\b\f\n\r\t\u0000', unsupported: true },
      { id: '\u00e9\u{1f600}', unsupported: true },
    ]);
    // The readers that are part of a skeleton; the others are those of the languages.
    if (!['c', 'rust', 'java'].includes(language)) return;
    const bad = [
      '{',
      '{"id":"1"',
      '{"id":"1","op":"x",}',
      '{"id":"1" "op":"x"}',
      '[1,]',
      '{"a":01}',
      '{"a":+1}',
      '{"a":1.}',
    ];
    bad.push(
      '{"a":"\\x"}',
      '{"a":"\t"}',
      '{"a":"\\u12"}',
      '{"a":nul}',
      '{"id":"1","op":"x"} x',
      "{'a':1}",
      '',
      '"',
      '{"a":"\\"}',
    );
    bad.push('['.repeat(100_000));
    for (const line of bad) {
      const ran = lines(command, `${line}\n`);
      // Refused, and not by a fault of memory.
      expect([line.slice(0, 30), ran.stdout, ran.status]).toEqual([line.slice(0, 30), '', 1]);
    }
  });
});

describe('init', () => {
  test('never overwrites', () => {
    const place = join(folder, 'twice');
    const path = writeSkeleton('python', place);
    writeFileSync(path, 'mine');
    expect(() => writeSkeleton('python', place)).toThrow(/EEXIST/);
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  test('knows its languages', () => {
    expect(isLanguage('rust')).toBe(true);
    for (const name of ['cobol', 'toString', '']) expect(isLanguage(name)).toBe(false);
    for (const language of languages) {
      const text = readSkeleton(language);
      expect(text).toContain('CALL YOUR IMPLEMENTATION HERE');
      expect(text).toContain('simhash-doc conformance smoke -- ');
      for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(120);
    }
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });
});
