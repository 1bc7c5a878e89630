import { expect, test } from 'vitest';
import { loadFiles } from '../../../src/conformance/suite/load.ts';
import { isThere } from '../../adapters/implementations.ts';
import { type Asked, type Card, readCards } from './card.ts';
import { type Installed, install } from './install.ts';
import { LIBRARIES, type Library } from './libraries.ts';
import { measure } from './measure.ts';

// A sample of the documents: `npm run report-card` runs all.
const DOCUMENTS = 15;
const groups = loadFiles()
  .filter(({ group }) => ['tokenise', 'token-hash', 'simhash', 'compare', 'lookup', 'fingerprint'].includes(group))
  .map(({ vectors, ...group }) => ({
    ...group,
    vectors: group.group === 'fingerprint' ? vectors.slice(0, DOCUMENTS) : vectors,
  }));

/** The findings of a report about each step, whatever the vectors. */
function findingsOf({ asked, given, library }: Card): unknown {
  const one = (each: Asked | null): unknown =>
    each && [
      each.operation,
      each.passed > 0,
      each.failed > 0,
      each.step === null ? null : (each.like[0]?.mutant ?? null),
    ];
  return { version: library.version, installed: library.installed, asked: asked.map(one), tokens: one(given.tokens) };
}

/** Installs a library beside those of the command; undefined without its registry. */
function installHere(library: Library): Installed | undefined {
  try {
    return install(
      library,
      new URL(`../../../build/report-card/test/${library.id}`, import.meta.url).pathname,
      readCards().get(library.id)?.library.installed,
    );
  } catch (error) {
    isThere(`${library.package}, from ${library.registry}: ${(error as Error).message}`, false);
    return undefined;
  }
}

test.for(['npm-simhash', 'pypi-simhash'])(
  '%s answers as in its report when it is installed again',
  async (id, { skip }) => {
    const library = LIBRARIES.find((each) => each.id === id)!;
    const installed = installHere(library);
    if (installed === undefined) return skip();
    const card = await measure(library, installed, groups);
    expect(findingsOf(card)).toEqual(findingsOf(readCards().get(id)!));
  },
);
