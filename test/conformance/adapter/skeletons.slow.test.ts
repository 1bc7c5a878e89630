import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createInProcessAdapter } from '../../../src/conformance/adapter/in-process-adapter.ts';
import { createProcessAdapter } from '../../../src/conformance/adapter/process-adapter.ts';
import { type Language, SKELETONS, writeSkeleton } from '../../../src/conformance/adapter/skeletons.ts';
import { inputToSend } from '../../../src/conformance/judge/judge-vector.ts';
import { isOfScalars } from '../../../src/conformance/suite/accumulate.ts';
import { loadGroups } from '../../../src/conformance/suite/load-suite.ts';
import { listLiveVectors } from '../../../src/conformance/suite/select-vectors.ts';
import type { Operation } from '../../../src/conformance/vector.ts';
import { isThere, succeeds } from '../../adapters/implementations.ts';

const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-'));

/** The tools that each needs on the machine, and the flags for warnings of a compiler. */
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
 * A hash in the place of the stub that every byte goes into, h := 31 h + byte modulo 2^64, so that it shows whether the
 * bytes arrive. 101 bytes are unsupported, and 102 are refused.
 */
const FILLED: { readonly [L in Language]: readonly [stub: RegExp, hash: string] } = {
  python: [
    /(def token_hash\(octets\):\n {4}""".*"""\n) {4}raise Unsupported/,
    `$1    if len(octets) == 101:
        raise Unsupported
    if len(octets) == 102:
        raise Refusal("out-of-range")
    h = 0
    for octet in octets:
        h = (31 * h + octet) % 2**64
    return h`,
  ],
  c: [
    /(static status token_hash\(struct octets token\)\n\{\n) {4}\(void\)token;\n {4}return UNSUPPORTED;/,
    `$1    uint64_t h = 0;
    size_t i;

    if (token.length == 101)
        return UNSUPPORTED;
    if (token.length == 102)
        return "out-of-range";
    for (i = 0; i < token.length; i++)
        h = 31 * h + token.at[i];
    put("{\\"hash\\":\\"%016" PRIx64 "\\"}", h);
    return OK;`,
  ],
  go: [
    /(func tokenHash\(octets \[\]byte\) \(hash uint64, err error\) \{\n)\terr = errUnsupported\n\treturn\n/,
    `$1	switch len(octets) {
	case 101:
		return 0, errUnsupported
	case 102:
		return 0, refusal("out-of-range")
	}
	for _, octet := range octets {
		hash = 31*hash + uint64(octet)
	}
	return
`,
  ],
  rust: [
    /fn token_hash\(_octets: &\[u8\]\) -> Answer<u64> \{\n {4}Err\(Fault::Unsupported\)/,
    `fn token_hash(octets: &[u8]) -> Answer<u64> {
    match octets.len() {
        101 => Err(Fault::Unsupported),
        102 => Err(Fault::Refused("out-of-range")),
        _ => Ok(octets.iter().fold(0u64, |h, octet| h.wrapping_mul(31).wrapping_add(u64::from(*octet)))),
    }`,
  ],
  java: [
    /(static long tokenHash\(byte\[\] octets\) \{\n) {8}throw new Unsupported\(\);/,
    `$1        if (octets.length == 101) throw new Unsupported();
        if (octets.length == 102) throw new Refusal("out-of-range");
        long h = 0;
        for (byte octet : octets) h = 31 * h + (octet & 0xff);
        return h;`,
  ],
  javascript: [
    /function tokenHash\(_octets\) \{\n {2}throw unsupported\(\);/,
    `function tokenHash(octets) {
  if (octets.length === 101) throw unsupported();
  if (octets.length === 102) throw refusal('out-of-range');
  let h = 0n;
  for (const octet of octets) h = BigInt.asUintN(64, 31n * h + BigInt(octet));
  return h;`,
  ],
};

function hashOf(bytes: Uint8Array): string {
  let h = 0n;
  for (const byte of bytes) h = BigInt.asUintN(64, 31n * h + BigInt(byte));
  return h.toString(16).padStart(16, '0');
}

const languages = Object.keys(SKELETONS) as Language[];

describe.each(languages)('the skeleton in %s', (language) => {
  const { check, build } = TOOLS[language];
  const [program, ...args] = check as [string, ...string[]];
  const there = isThere(`${language}: ${program}`, succeeds(program, ...args));

  /** Writes the skeleton, or what it was changed to, into a folder of its own and builds it. */
  function prepare(name: string, change?: (text: string) => string): readonly string[] {
    const place = join(folder, language, name);
    const path = writeSkeleton(language, place);
    if (change !== undefined) writeFileSync(path, change(readFileSync(path, 'utf8')));
    const command = build ?? SKELETONS[language].build?.split(' ');
    if (command !== undefined) execFileSync(command[0]!, command.slice(1), { cwd: place });
    // The command as it is printed, run from another folder.
    const [first, ...rest] = SKELETONS[language].run.split(' ') as [string, ...string[]];
    if (first === 'java') return [first, '-cp', place, ...rest];
    return first.startsWith('./') ? [join(place, first)] : [first, ...rest.map((each) => join(place, each))];
  }

  test.skipIf(!there)('runs unchanged', async () => {
    const adapter = createProcessAdapter(prepare('as-it-is'));
    const hello = await adapter.hello();
    const { operations } = await createInProcessAdapter().hello();
    expect(hello).toMatchObject({ name: 'my-implementation' });
    expect([...hello.operations].sort()).toEqual([...operations].sort());
    // An unknown operation, and more bytes than the pipes of any system hold.
    expect(await adapter.request('no-such-operation' as Operation, {})).toEqual({ kind: 'unsupported' });
    expect(await adapter.request('token-hash', { text: 'a'.repeat(1 << 20) })).toEqual({ kind: 'unsupported' });
    expect(await adapter.end()).toEqual({ code: 0, signal: null });
  });

  test.skipIf(!there)('decodes the input of every vector, and answers unsupported', async () => {
    const adapter = createProcessAdapter(prepare('unsupported'));
    for (const { vector } of listLiveVectors(loadGroups(), true)) {
      // The runner makes requests of its cases.
      if (vector.operation === 'accumulate' && isOfScalars(vector.input)) continue;
      const reply = await adapter.request(vector.operation, inputToSend(vector.input));
      expect([vector.id, reply]).toEqual([vector.id, { kind: 'unsupported' }]);
    }
    expect(adapter.restarts).toBe(0);
    await adapter.close();
  });

  test.skipIf(!there)('reads its input exactly, and returns what the implementation returns', async () => {
    const [stub, filled] = FILLED[language];
    const adapter = createProcessAdapter(
      prepare('filled', (text) => {
        expect(text).toMatch(stub);
        return text.replace(stub, filled);
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
    expect(await adapter.request('token-hash', { utf8: '00'.repeat(101) })).toEqual({ kind: 'unsupported' });
    expect(await adapter.request('token-hash', { utf8: '00'.repeat(102) })).toEqual({
      ...{ kind: 'error', code: 'out-of-range', message: '' },
    });
    expect(adapter.restarts).toBe(0);
    await adapter.close();
  });

  const lines = (command: readonly string[], input: string) =>
    spawnSync(command[0]!, command.slice(1), { input, encoding: 'utf8' });

  test.skipIf(!there)('reads all valid JSON, and nothing else', () => {
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
      ...['{', '{"id":"1"', '{"id":"1","op":"x",}', '{"id":"1" "op":"x"}', '{"id":"1","op":"x"} x', '[1,]', '', '"'],
      ...['{"a":01}', '{"a":+1}', '{"a":1.}', '{"a":"\\x"}', '{"a":"\t"}', '{"a":"\\u12"}', '{"a":nul}', "{'a':1}"],
      ...['{"a":"\\"}', '['.repeat(100_000)],
    ];
    for (const line of bad) {
      const ran = lines(command, `${line}\n`);
      // Refused, and not by a fault of memory.
      expect([line.slice(0, 30), ran.stdout, ran.status]).toEqual([line.slice(0, 30), '', 1]);
    }
  });
});
