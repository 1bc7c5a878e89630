import type { Case, Group } from '../case.ts';
import { digests } from './accumulated-digests.ts';
import { accumulated, TWIN } from './accumulating.ts';

export const accumulatedGroup: Group = {
  group: 'accumulated',
  description:
    'Many cases of one step, one digest for each tier: SHA-256 over a line for each case. The digests of the larger tiers ' +
    'are those on which the reference and at least one independent implementation agree.',
  cases: accumulated.map((each): Case => {
    if (each.input.count <= TWIN) return each;
    const digest = digests[each.name]?.digest;
    if (digest === undefined) throw new Error(`${each.name}: run test/generate/accumulated.ts to find its digest`);
    return { ...each, shorter: { ...each.input, count: 1 }, hand: { digest } };
  }),
};
