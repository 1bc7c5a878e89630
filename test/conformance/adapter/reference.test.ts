import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { referenceCommand } from '../../../src/conformance/adapter/process.ts';

/** Lets the adapter answer requests without a package; gives the replies and the exit code. */
function answers(requests: readonly object[], missing: string): unknown[] {
  const hook = `export async function resolve(name, context, next) {
    if (name.startsWith(${JSON.stringify(missing)})) throw new Error('Cannot find package');
    return next(name, context);
  }`;
  const asUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  const setup = `import { register } from 'node:module'; register(${JSON.stringify(asUrl(hook))});`;
  const [program, ...args] = referenceCommand() as [string, ...string[]];
  const { stdout, status } = spawnSync(program, ['--import', asUrl(setup), ...args], {
    input: requests.map((request) => `${JSON.stringify(request)}\n`).join(''),
    encoding: 'utf8',
  });
  return [
    ...stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
    status,
  ];
}

test('the reference answers requests that it does not support, and goes on', () => {
  const pdf = { base64: btoa('%PDF-1.4'), type: 'pdf' };
  const requests = [
    { id: '1', op: 'extract', input: pdf },
    { id: '2', op: 'extract', input: { base64: 5 } },
    { id: '3', op: 'extract', input: { base64: btoa('PK\x03\x04'), type: 'docx' } },
    { id: '4', op: 'decode', input: { utf8: '61' } },
  ];
  expect(answers(requests, './pdfium.generated')).toEqual([
    { id: '1', unsupported: true },
    { id: '2', error: { code: 'internal', message: expect.stringContaining('a string "base64"') } },
    { id: '3', error: { code: 'internal', message: expect.stringContaining('damaged') } },
    { id: '4', ok: { text: 'a' } },
    0,
  ]);
});
