import type { InputOf, Operation, ResultOf } from '../../../src/conformance/vector.ts';
import type { Pipeline, Steps } from '../../twin/twin.ts';
import type { HtmlReading } from './html-reading.ts';

/** The operations of the protocol as an implementation runs them. */
export type Runs = { readonly [O in Operation]: (input: InputOf<O>) => ResultOf<O> };

/** Implementations of operations that are not run through the steps of the twin. */
export type PartialRuns = { readonly [O in Operation]?: (input: InputOf<O>) => ResultOf<O> };

/** A wrong implementation: the twin with some of its steps replaced. */
export interface Mutation {
  /** A slug, never given to another. */
  readonly name: string;
  /** The mistake, one sentence. */
  readonly title: string;
  /** The first step that it gets wrong. */
  readonly step: number;
  /** A library, or a kind of library, that does or did so. */
  readonly source: string;
  readonly overrides: Partial<Steps>;
  /** For mistakes outside the steps, such as those about documents without a fingerprint. */
  readonly operations?: (p: Pipeline) => PartialRuns;
  /** The vectors with long texts that it is run on nevertheless, because only these detect it. */
  readonly long?: readonly string[];
  /** For mistakes of step 0. */
  readonly html?: Partial<HtmlReading>;
}

/** The members that a mutation may have in addition to its name, its title and its overrides. */
type More = Omit<Mutation, 'name' | 'title' | 'step' | 'overrides'>;

/** Returns a function that makes mutations of one step; a string as `more` is the source. */
export function mistakesOfStep(step: number) {
  return (name: string, title: string, overrides: Partial<Steps>, more: string | More): Mutation => ({
    ...{ name, title, step, overrides },
    ...(typeof more === 'string' ? { source: more } : more),
  });
}

/** Returns a function that makes mutations of one step from what differs between them: the change. */
export function mistakesBy<C>(step: number, overridesOf: (change: C) => Partial<Steps>) {
  const mistake = mistakesOfStep(step);
  return (name: string, title: string, change: C, more: string | More): Mutation =>
    mistake(name, title, overridesOf(change), more);
}

/** Returns a function that makes mutations of one step that replace whole operations. */
export function mistakesOfOperations(step: number) {
  return (name: string, title: string, operations: NonNullable<Mutation['operations']>, source: string): Mutation => ({
    ...{ name, title, step, overrides: {}, operations, source },
  });
}
