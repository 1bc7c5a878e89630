import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isThere } from '../adapters/implementations.ts';
import { folder } from '../cli/command.ts';
import { makeDraft } from '../tools/generate/draft.ts';

const xml2rfc = new URL('../../build/python/bin/xml2rfc', import.meta.url).pathname;

/** Both checkers require the current date. */
const TODAY = new Date().toISOString().slice(0, 10);

/** The checker of the IETF, of npm; the first call downloads it. */
const IDNITS = ['-y', '@ietf-tools/idnits@3.0.0-alpha.74'];
const hasIdnits = spawnSync('npx', [...IDNITS, '--version']).status === 0;

test.runIf(isThere('idnits', hasIdnits))('idnits finds no error and no warning in the Internet-Draft', () => {
  const file = join(folder(), 'draft-simhash-doc-00.xml');
  writeFileSync(file, makeDraft(TODAY));
  const { stdout } = spawnSync('npx', [...IDNITS, '--offline', '--no-progress', '-o', 'json', file], {
    encoding: 'utf8',
  });
  const { nits } = JSON.parse(stdout) as { nits: { severity: string; code: string }[] };
  // It takes the attribute `format` of a reference for the deprecated element of this name.
  const found = nits.filter(({ severity, code }) => severity !== 'ValidationComment' && code !== 'DEPRECATED_ELEMENT');
  expect(found.map(({ code }) => code)).toEqual([]);
});

test.runIf(isThere('xml2rfc', existsSync(xml2rfc)))('xml2rfc accepts the Internet-Draft', () => {
  const file = join(folder(), 'draft.xml');
  writeFileSync(file, makeDraft(TODAY));
  const { status, stderr } = spawnSync(xml2rfc, ['--text', '--no-network', file], { encoding: 'utf8' });
  const found = stderr.split('\n').filter((line) => / (?:Error|Warning): /.test(line));
  expect({ status, found }).toEqual({ status: 0, found: [] });
  expect(readFileSync(file.replace('.xml', '.txt'), 'utf8')).toContain('Step 7: Hash the tokens');
});
