import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isThere } from '../../adapters/implementations.ts';
import { httpOf, warcRecord } from '../archives.ts';
import { folder, PRINT_PEAK, run, runProcess } from '../command.ts';
import { entriesOf } from './cdxj/entries.ts';

/** A virtual environment of Python with cdxj-indexer, as CONTRIBUTING.md describes. */
const tools = fileURLToPath(new URL('../../../build/python/bin/', import.meta.url));

describe.runIf(isThere('cdxj-indexer', existsSync(join(tools, 'cdxj-indexer'))))(
  'enrich of a sorted index of cdxj-indexer',
  () => {
    test.each(['a.warc', 'a.warc.gz'])('keeps the lines of %s, with the fingerprints of hash --cdxj', async (name) => {
      const cwd = folder();
      execFileSync(join(tools, 'python'), [fileURLToPath(new URL('cdxj/sample.py', import.meta.url)), name], { cwd });
      const index = execFileSync(join(tools, 'cdxj-indexer'), ['--sort', name], { cwd, encoding: 'utf8' });
      const { code, stdout } = await run(['enrich', '-'], { cwd, stdin: index });
      expect(code).toBe(0);
      expect(stdout.replaceAll(/, "document-fingerprint(?:-extractor)?": "[^"]*"/g, '')).toBe(index);
      const hashed = entriesOf((await run(['hash', '--cdxj', name], { cwd })).stdout);
      const fingerprints = new Map(hashed.map((entry) => [entry['offset'], entry['document-fingerprint']]));
      for (const entry of entriesOf(stdout))
        expect(entry['document-fingerprint']).toBe(fingerprints.get(entry['offset']));
      expect([...fingerprints.values()].filter((each) => each !== undefined).length).toBe(6);
    });
  },
);

/** The number of captures, each a gzip member. */
const CAPTURES = 3000;

/** Writes a WARC file of pages; returns the place of each record. */
function writeWarc(path: string): { readonly offset: number; readonly length: number }[] {
  const places: { offset: number; length: number }[] = [];
  const members: Buffer[] = [];
  for (let index = 0, offset = 0; index < CAPTURES; index++) {
    const words = Array.from({ length: 100 }, (_, word) => `word${(index * 31 + word * 7) % 5000}`);
    const block = httpOf('text/html', `<p>${words.join(' ')}`);
    const member = zlib.gzipSync(warcRecord(block, { 'WARC-Target-URI': `http://a.example/${index}` }));
    members.push(member);
    places.push({ offset, length: member.length });
    offset += member.length;
  }
  writeFileSync(path, Buffer.concat(members));
  return places;
}

test('the memory of enrich does not grow with the index or with a line', async () => {
  const cwd = folder();
  const places = writeWarc(join(cwd, 'a.warc.gz'));
  const line = `example,a)/ 20260102030405 ${JSON.stringify({ filename: 'a.warc.gz', ...places[5] })}\n`;
  const enrich = async (index: string): Promise<number> => {
    writeFileSync(join(cwd, 'index.cdxj'), index);
    const { stderr } = await runProcess(['enrich', '-j', '1', 'index.cdxj', '-o', 'out'], { cwd, node: PRINT_PEAK });
    expect(readFileSync(join(cwd, 'out')).length).toBeGreaterThanOrEqual(index.length);
    return Number(stderr.trim().split('\n').at(-1));
  };
  const small = await enrich(line.repeat(1000));
  const peaks = [await enrich(line.repeat(8000)), await enrich(line + 'x'.repeat(200 << 20))];
  for (const peak of peaks) expect(peak).toBeLessThan(small + 100_000);
});
