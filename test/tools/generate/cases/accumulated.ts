import type { Case, Group } from '../case.ts';
import { digests } from './accumulated-digests.ts';
import { accumulated, TWIN } from './accumulating.ts';

export const accumulatedGroup: Group = {
  group: 'accumulated',
  description:
    'Many cases of one step, with one digest for each tier: the SHA-256 of a line for each case. On the digests of the ' +
    'larger tiers the reference implementation and at least one independent implementation agree.',
  cases: accumulated.map((each): Case => {
    if (each.input.count <= TWIN) return each;
    const digest = digests[each.name]?.digest;
    if (digest === undefined)
      throw new Error(`${each.name}: run test/tools/generate/accumulated.ts to find its digest`);
    return { ...each, shorter: { ...each.input, count: 1 }, hand: { digest } };
  }),
};
