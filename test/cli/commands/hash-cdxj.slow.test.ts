import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { surtOf } from '../../../src/cli/commands/hash/surt.ts';
import { isThere } from '../../adapters/implementations.ts';
import { folder, run } from '../command.ts';
import { entriesOf } from './cdxj/entries.ts';

/** A virtual environment of Python with cdxj-indexer, as CONTRIBUTING.md describes. */
const tools = fileURLToPath(new URL('../../../build/python/bin/', import.meta.url));
const python = join(tools, 'python');

describe.runIf(isThere('cdxj-indexer', existsSync(join(tools, 'cdxj-indexer'))))('cdxj-indexer', () => {
  test.each(['a.warc', 'a.warc.gz'])('prints the lines of hash --cdxj for %s', async (name) => {
    const cwd = folder();
    execFileSync(python, [fileURLToPath(new URL('cdxj/sample.py', import.meta.url)), name], { cwd });
    const expected = execFileSync(join(tools, 'cdxj-indexer'), [name], { cwd, encoding: 'utf8' });
    const { stdout } = await run(['hash', '--cdxj', name], { cwd });
    const added = /,\s*"document-fingerprint(?:-extractor)?":\s*"[^"]*"/g;
    const entries = entriesOf(stdout.replaceAll(added, ''));
    expect(entries).toEqual(entriesOf(expected).filter(({ mime }) => mime !== 'image/png'));
    expect(entries.length).toBe(7);
  });

  test('makes the keys of surtOf from random URIs', () => {
    const part = fc.constantFrom(
      ...'abAB2/.:?&=#%-_~!;,()|+ éß',
      '//',
      '/../',
      '%2F',
      '%25',
      '%C3',
      'www.',
      'sid=',
      '&a=',
    );
    const host = fc.constantFrom(
      'a.example',
      'www.B.example',
      'bücher.example',
      '10.1.2.3',
      'u@a.example:81',
      'A.example:443',
    );
    const uri = fc
      .tuple(fc.constantFrom('http', 'https', 'ftp', 'HTTP'), host, fc.constantFrom('/', '?', ''), fc.array(part))
      .map(([scheme, authority, start, parts]) =>
        start === '' ? `${scheme}://${authority}` : `${scheme}://${authority}${start}${parts.join('')}`,
      );
    const uris = fc.sample(uri, 2000);
    const script = 'import json, surt, sys; json.dump([surt.surt(each) for each in json.load(sys.stdin)], sys.stdout)';
    const keys = JSON.parse(execFileSync(python, ['-c', script], { input: JSON.stringify(uris), encoding: 'utf8' }));
    expect(uris.map((each) => [each, surtOf(each)])).toEqual(uris.map((each, index) => [each, keys[index]]));
  });
});
