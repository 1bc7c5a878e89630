import { loadMutants } from '../../../src/conformance/suite/load-suite.ts';
import { fingerprintChanges } from './fingerprint.ts';
import { hashChanges } from './hash.ts';
import { htmlChanges } from './html.ts';
import { locatorChanges } from './locators.ts';
import { lookupChanges } from './lookup.ts';
import { minhashChanges } from './minhash.ts';
import type { Changes, Mutation } from './mutation.ts';
import { textChanges } from './text.ts';
import { tokenChanges } from './tokens.ts';

const changes: Changes = {
  ...{ ...htmlChanges, ...textChanges, ...locatorChanges, ...tokenChanges, ...hashChanges },
  ...{ ...fingerprintChanges, ...lookupChanges, ...minhashChanges },
};

/** All wrong implementations, in the order of vectors/mutants.json, which says what each gets wrong and who does so. */
export const mutations: readonly Mutation[] = loadMutants(new Set()).map(({ name, title, step, source = '' }) => {
  if (!(name in changes))
    throw new RangeError(`vectors/mutants.json: nothing in test/tools/mutants/ is called ${name}`);
  const { operations, long, html, ...overrides } = changes[name]!;
  return { name, title, step, source, overrides, operations, long, html };
});

const known = new Set(mutations.map(({ name }) => name));
const unknown = Object.keys(changes).filter((name) => !known.has(name));
if (unknown.length > 0)
  throw new RangeError(`vectors/mutants.json: title and source of ${unknown.join(', ')} are missing`);
