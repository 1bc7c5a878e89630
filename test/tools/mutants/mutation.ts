import type { Mutant } from '../../../src/conformance/suite/load-suite.ts';
import type { InputOf, Operation, ResultOf } from '../../../src/conformance/vector.ts';
import type { Pipeline, Steps } from '../../twin/twin.ts';
import type { HtmlReading } from './html-reading.ts';

/** The operations of the protocol as an implementation runs them. */
export type Runs = { readonly [O in Operation]: (input: InputOf<O>) => ResultOf<O> };

/** Implementations of operations that are not run through the steps of the twin. */
export type PartialRuns = { readonly [O in Operation]?: (input: InputOf<O>) => ResultOf<O> };

interface Others {
  /** For mistakes outside the steps, such as those about documents without a fingerprint. */
  readonly operations?: ((p: Pipeline) => PartialRuns) | undefined;
  /** The vectors with long texts that it is run on nevertheless, because only these detect it. */
  readonly long?: readonly string[] | undefined;
  /** For mistakes of step 0. */
  readonly html?: Partial<HtmlReading> | undefined;
}

/** What a wrong implementation does otherwise than the twin: steps, by their names, and other things. */
export type Change = Partial<Steps> & Others;

/** Changes by the names that `mutants.json` gives the wrong implementations. */
export type Changes = Readonly<Record<string, Change>>;

/** A wrong implementation: the twin with some of its steps replaced. */
export interface Mutation extends Omit<Mutant, 'outcomes' | 'unknown'>, Others {
  readonly source: string;
  readonly overrides: Partial<Steps>;
}
