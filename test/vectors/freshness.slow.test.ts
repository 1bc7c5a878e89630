import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VECTORS } from '../../src/conformance/suite/load.ts';
import { buildFiles } from '../tools/generate/build.ts';
import { recordedFindings } from '../tools/generate/vectors.ts';

const built = buildFiles(recordedFindings());

test.each([...built.keys()])('vectors/%s is what `npm run generate -- vectors` writes', (name) => {
  expect(readFileSync(new URL(name, VECTORS), 'utf8')).toBe(built.get(name));
});
