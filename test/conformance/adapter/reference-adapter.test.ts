import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { referenceCommand } from '../../../src/conformance/adapter/process-adapter.ts';
import { imports, jsonLines } from '../../cli/command.ts';

/** Lets the adapter answer requests where WebAssembly cannot run; gives the replies and the exit code. */
function answers(requests: readonly object[]): unknown[] {
  const [program, ...args] = referenceCommand() as [string, ...string[]];
  const { stdout, status } = spawnSync(program, [...imports('delete globalThis.WebAssembly;'), ...args], {
    input: requests.map((request) => `${JSON.stringify(request)}\n`).join(''),
    encoding: 'utf8',
  });
  return [...jsonLines(stdout), status];
}

test('the reference answers requests that it does not support, and goes on', () => {
  const requests = [
    { id: '1', op: 'extract', input: { base64: btoa('%PDF-1.4'), type: 'pdf' } },
    { id: '2', op: 'extract', input: { base64: 5 } },
    { id: '3', op: 'extract', input: { base64: btoa('PK\x03\x04'), type: 'docx' } },
    { id: '4', op: 'decode', input: { utf8: '61' } },
  ];
  expect(answers(requests)).toEqual([
    { id: '1', unsupported: true },
    { id: '2', error: { code: 'internal', message: expect.stringContaining('a string "base64"') } },
    { id: '3', error: { code: 'internal', message: expect.stringContaining('damaged') } },
    { id: '4', ok: { text: 'a' } },
    0,
  ]);
});
