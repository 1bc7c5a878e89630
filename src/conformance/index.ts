export {
  type AdapterLimits,
  createProcessAdapter,
  createReferenceAdapter,
  type Ending,
  type ProcessAdapter,
  referenceCommand,
} from './adapter-process.ts';
export {
  applyBaseline,
  type Baseline,
  type BaselineProblem,
  type BaselineVerdict,
  baselineOf,
  readBaseline,
  writeBaseline,
} from './baseline.ts';
export type { Mutant, Resemblance } from './diagnose.ts';
export type { DifferentialReport, Disagreement } from './differential.ts';
export type { FirstStep } from './first-step.ts';
export { generate } from './generate.ts';
export { isLanguage, type Language, readSkeleton, SKELETONS, type Skeleton, writeSkeleton } from './init.ts';
export {
  type Flag,
  loadFlags,
  loadGroups,
  loadManifest,
  loadMutants,
  type Manifest,
  suiteOf,
} from './load.ts';
export type { Location, StepFinding } from './locate.ts';
export { createOneShotAdapter } from './one-shot.ts';
export { type Adapter, type Hello, PROTOCOL, type Reply } from './protocol.ts';
export { type Badge, badgeOf, writeBadge } from './reports/badge.ts';
export { explainReply, explainVector } from './reports/explain.ts';
export { writeHtml } from './reports/html.ts';
export { writeJsonLines } from './reports/json.ts';
export { writeJunit } from './reports/junit.ts';
export { type Results, readResults, resultsOf, type VectorResult, writeResults } from './reports/results.ts';
export { writeTap } from './reports/tap.ts';
export { type Paint, type TerminalOptions, writeTerminal } from './reports/terminal.ts';
export { loadRules, type Rule } from './rules.ts';
export {
  type ClassVerdict,
  type Counts,
  type Grade,
  gradeOf,
  inputToSend,
  locateFailure,
  type Report,
  type RunOptions,
  runConformance,
  type Status,
  type VectorOutcome,
} from './run.ts';
export { type Selection, selectVectors } from './select.ts';
export { runOneShotSmoke, runSmoke, type SmokeCheck, type SmokeReport } from './smoke.ts';
export { CLASSES, type ConformanceClass, STEP_NAMES } from './steps.ts';
export type * from './types.ts';
export { createValidator, type Fault, type Validator } from './validate.ts';
