import { createProcessAdapter } from '../../../src/conformance/adapter/process-adapter.ts';
import type { Adapter } from '../../../src/conformance/adapter/protocol.ts';
import { isWrongAnswer } from '../../../src/conformance/diagnosis/first-step.ts';
import { findResemblances } from '../../../src/conformance/diagnosis/resemblance.ts';
import { STEP_OF_OPERATION } from '../../../src/conformance/diagnosis/steps.ts';
import { countOutcomes } from '../../../src/conformance/judge/conformance-classes.ts';
import { resultsOf } from '../../../src/conformance/records/results-file.ts';
import { showDifference } from '../../../src/conformance/report/printable-text.ts';
import type { Report } from '../../../src/conformance/report/report.ts';
import { countByGroup } from '../../../src/conformance/report/wording.ts';
import { runConformance } from '../../../src/conformance/run-conformance.ts';
import {
  loadFiles,
  loadManifest,
  loadMutants,
  type Mutant,
  suiteOf,
} from '../../../src/conformance/suite/load-suite.ts';
import type { Operation, VectorGroup } from '../../../src/conformance/vector.ts';
import type { VectorOutcome } from '../../../src/conformance/vector-outcome.ts';
import type { Asked, Card, FirstDifference } from './card.ts';
import type { Installed } from './install.ts';
import { type Given, lend } from './lend.ts';
import type { Library } from './libraries.ts';

// Half a million characters take some of them long.
const DEADLINE = 60_000;

const suite = suiteOf(loadManifest());
const mutants = loadMutants();

/** Runs a library through vectors (default: all) as it is, then with our tokens and with our hashes. */
export async function measure(
  library: Library,
  { command, ...surroundings }: Installed,
  groups: readonly VectorGroup[] = loadFiles(),
): Promise<Card> {
  const child = createProcessAdapter(command, { deadline: DEADLINE });
  try {
    const { operations } = await child.hello();
    const report = await run(lend(child, 'document'), library, 'document', groups);
    const given = {
      tokens: operations.includes('fingerprint-of-tokens') ? await runGiven(child, library, 'tokens', groups) : null,
      hashes: operations.includes('simhash') ? await runGiven(child, library, 'hashes', groups) : null,
    };
    return cardOf(library, surroundings, report, given);
  } finally {
    await child.close();
  }
}

/** The groups whose documents are run with our tokens and with our hashes. */
const DOCUMENTS = ['fingerprint', 'documents'];

function run(adapter: Adapter, library: Library, given: Given, groups: readonly VectorGroup[]): Promise<Report> {
  return runConformance(adapter, {
    groups: given === 'document' ? groups : groups.filter(({ group }) => DOCUMENTS.includes(group)),
    ...(given !== 'document' && { selection: `documents, given our ${given}` }),
    suite,
    mutants,
    command: [library.adapter],
    // The page is the same after each run.
    randomCases: 0,
    // A library that departs from the scheme differs in all of them.
    scalars: false,
  });
}

async function runGiven(
  child: Adapter,
  library: Library,
  given: Given,
  groups: readonly VectorGroup[],
): Promise<Asked> {
  const { outcomes } = await run(lend(child, given), library, given, groups);
  // Later steps alone can be wrong.
  const later = mutants.filter(({ step }) => step >= (given === 'tokens' ? 7 : 8));
  return judge('fingerprint', outcomes, later);
}

/** Counts what was asked of one operation, and names known mistakes in it. */
function judge(operation: Operation, outcomes: readonly VectorOutcome[], known: readonly Mutant[]): Asked {
  const own = outcomes.filter((outcome) => outcome.operation === operation && outcome.label === undefined);
  const answered = own.filter(({ status }) => status === 'pass' || status === 'fail');
  const wrong = own.filter(isWrongAnswer);
  const like = findResemblances(
    new Map(wrong.map(({ id, outcome }) => [id, outcome ?? ''])),
    new Set(answered.map(({ id }) => id)),
    known,
  );
  const { passed, failed } = countOutcomes(own);
  return {
    operation,
    step: STEP_OF_OPERATION[operation] ?? null,
    passed,
    failed,
    like: like.map(({ mutant, same, missing }) => ({ mutant, same, missing })),
  };
}

function cardOf(
  library: Library,
  { runtime, installed }: Omit<Installed, 'command'>,
  report: Report,
  given: Card['given'],
): Card {
  const { vectors: _, ...results } = resultsOf(report);
  const asked = [
    ...new Set(report.outcomes.filter(({ status }) => status !== 'unsupported').map((each) => each.operation)),
  ];
  return {
    $schema: '../schema/report.schema.json',
    ...results,
    groups: Object.fromEntries(countByGroup(report.outcomes)),
    vectors: {},
    library: {
      registry: library.registry,
      package: library.package,
      version: library.version,
      licence: library.licence,
      ...(library.released !== undefined && { released: library.released }),
      ...(library.with && { with: library.with }),
      runtime,
      installed,
    },
    chosen: library.chosen,
    strengths: library.strengths,
    differs: library.differs,
    asked: asked.map((operation) => {
      const step = STEP_OF_OPERATION[operation];
      return judge(
        operation,
        report.outcomes,
        step === undefined ? mutants : mutants.filter((each) => each.step === step),
      );
    }),
    firstDifference: findFirstDifference(report.outcomes),
    given,
    changes: library.changes,
  };
}

/** Finds the first wrong answer. Outcomes are in the order of the suite, which is that of the steps. */
function findFirstDifference(outcomes: readonly VectorOutcome[]): FirstDifference | null {
  const first = outcomes.find(isWrongAnswer);
  if (first === undefined) return null;
  const { place, expected, actual } = showDifference(first);
  return { id: first.id, place, expected, actual };
}
