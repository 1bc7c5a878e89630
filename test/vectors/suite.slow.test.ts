import { expect, test } from 'vitest';
import { checkVector } from '../../src/conformance/judge/check.ts';
import { loadGroups } from '../../src/conformance/suite/load.ts';
import { isLong } from './long.ts';

const long = loadGroups()
  .flatMap((group) => group.vectors)
  .filter((vector) => vector.status !== 'retired' && isLong(vector));

test.each(long.map((vector) => [vector.id, vector.title, vector] as const))('%s: %s', async (_id, _title, vector) => {
  expect(await checkVector(vector)).toBeNull();
});
