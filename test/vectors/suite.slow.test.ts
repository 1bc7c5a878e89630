import { test } from 'vitest';
import { loadFiles } from '../../src/conformance/suite/load-suite.ts';
import { isLong } from './long.ts';
import { expectPass } from './pass.ts';

const long = loadFiles()
  .flatMap((group) => group.vectors)
  .filter((vector) => vector.status !== 'retired' && isLong(vector));

test.each(long.map((vector) => [vector.id, vector.title, vector] as const))('%s: %s', async (_id, _title, vector) =>
  expectPass(vector),
);
