import { fingerprintMutations } from './fingerprint.ts';
import { hashMutations } from './hash.ts';
import { htmlMutations } from './html.ts';
import { locatorMutations } from './locators.ts';
import { lookupMutations } from './lookup.ts';
import { minhashMutations } from './minhash.ts';
import type { Mutation } from './mutation.ts';
import { textMutations } from './text.ts';
import { tokenMutations } from './tokens.ts';

/** All wrong implementations, in the order of the steps that they get wrong. */
export const mutations: readonly Mutation[] = [
  ...htmlMutations,
  ...textMutations,
  ...locatorMutations,
  ...tokenMutations,
  ...hashMutations,
  ...fingerprintMutations,
  ...lookupMutations,
  ...minhashMutations,
];
