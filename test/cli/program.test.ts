import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programName, quoteWords } from '../../src/cli/command.ts';
import { IS_SLOW } from '../suite.ts';
import { folder, MAIN, shell } from './command.ts';

test.each([
  ['linked', '/usr/bin/simhash-doc', {}, 'simhash-doc'],
  ['as a file', '/package/dist/cli/main.js', {}, 'simhash-doc'],
  ['by npx', '/x/node_modules/.bin/simhash-doc', { npm_lifecycle_event: 'npx' }, 'npx simhash-doc'],
  ['from a clone', '/clone/dist/cli/start.js', { npm_lifecycle_event: 'start' }, 'npm start --'],
  ['in a script of another package', '/x/simhash-doc', { npm_lifecycle_event: 'start' }, 'simhash-doc'],
])('the name of the program is that of its start: %s', (_, script, env, name) => {
  expect(programName(script, env)).toBe(name);
});

test('words are quoted if a shell would split or change them', () => {
  expect(quoteWords(['python3', "it's mine.py", '$HOME', '', './a-b_c.py'])).toBe(
    "python3 'it'\\''s mine.py' '$HOME' '' ./a-b_c.py",
  );
});

if (IS_SLOW)
  describe('in the form that users type,', () => {
    const root = new URL('../..', import.meta.url).pathname;
    const adapter = `import sys, json
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "hello":
        ok = dict(name="x", version="1", language="Python", protocol=1, unicode=None, operations=["token-hash"])
        reply = dict(id=request["id"], ok=ok)
    else:
        reply = dict(id=request["id"], ok=dict(hash="0" * 16))
    print(json.dumps(reply), flush=True)
`;

    test('npm start in a clone resolves paths in the current folder, and prints commands to type there', async () => {
      const cwd = folder({ 'adapter.py': adapter });
      const line = `npm --prefix "${root}" start --silent -- conformance --group token-hash --random 0 --junit out.xml -- python3 adapter.py`;
      const { code, stdout, stderr } = await shell(`INIT_CWD= ${line}; status=$?; ls; exit $status`, [], cwd);
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      expect(stdout).toMatch(/\n {2}npm start -- conformance explain token-hash\/\S+ -- python3 adapter\.py\n/);
      expect(stdout.trimEnd().split('\n').slice(-2)).toEqual(['adapter.py', 'out.xml']);
      expect(readFileSync(join(cwd, 'out.xml'), 'utf8')).toContain('<testsuites name="simhash-doc conformance of x"');
    });

    test('npx resolves paths and prints commands in the same way', async () => {
      const bin = 'node_modules/.bin/simhash-doc';
      const script = `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`;
      const cwd = folder({ 'adapter.py': adapter, 'package.json': '{"private":true}', [bin]: script });
      chmodSync(join(cwd, bin), 0o755);
      const line = 'npx --no simhash-doc conformance --group token-hash --random 0 -- python3 adapter.py';
      const { code, stdout } = await shell(line, [], cwd);
      expect(code).toBe(1);
      expect(stdout).toMatch(/\n {2}npx simhash-doc conformance explain token-hash\/\S+ -- python3 adapter\.py\n/);
    });
  });
