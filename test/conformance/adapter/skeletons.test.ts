import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLanguage, type Language, SKELETONS, writeSkeleton } from '../../../src/conformance/adapter/skeletons.ts';

const folder = mkdtempSync(join(tmpdir(), 'simhash-doc-'));

test('init never overwrites a file, and writes nothing if one exists', () => {
  const place = join(folder, 'twice');
  const path = writeSkeleton('go', place);
  expect(readdirSync(place).sort()).toEqual(['adapter.go', 'go.mod']);
  writeFileSync(path, 'mine');
  expect(() => writeSkeleton('go', place)).toThrow(/EEXIST.*adapter\.go/);
  expect(readFileSync(path, 'utf8')).toBe('mine');
  rmSync(path);
  expect(() => writeSkeleton('go', place)).toThrow(/EEXIST.*go\.mod/);
  expect(existsSync(path)).toBe(false);
});

test('init rejects an unknown language', () => {
  expect(isLanguage('rust')).toBe(true);
  for (const name of ['cobol', 'toString', '']) expect(isLanguage(name)).toBe(false);
  for (const language of Object.keys(SKELETONS) as Language[]) {
    const text = readFileSync(writeSkeleton(language, join(folder, language)), 'utf8');
    expect(text).toContain('calls of your');
    expect(text).toContain('simhash-doc conformance --bail -- ');
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(120);
  }
});
