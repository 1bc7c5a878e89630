export { createOneShotAdapter } from './adapter/one-shot.ts';
export {
  type AdapterLimits,
  createProcessAdapter,
  createReferenceAdapter,
  type Ending,
  type ProcessAdapter,
  referenceCommand,
} from './adapter/process.ts';
export { type Adapter, type Hello, PROTOCOL, type Reply } from './adapter/protocol.ts';
export {
  isLanguage,
  type Language,
  readSkeleton,
  SKELETONS,
  type Skeleton,
  writeSkeleton,
} from './adapter/skeletons.ts';
export { runOneShotSmoke, runSmoke, type SmokeCheck, type SmokeReport } from './adapter/smoke.ts';
export type { FirstStep } from './diagnosis/first-step.ts';
export type { Location, StepFinding } from './diagnosis/locate.ts';
export type { Mutant, Resemblance } from './diagnosis/resemblance.ts';
export { CLASSES, type ConformanceClass, STEP_NAMES } from './diagnosis/steps.ts';
export type { DifferentialReport, Disagreement } from './differential.ts';
export { type Badge, badgeOf, writeBadge } from './report/badge.ts';
export {
  applyBaseline,
  type Baseline,
  type BaselineProblem,
  type BaselineVerdict,
  baselineOf,
  readBaseline,
  writeBaseline,
} from './report/baseline.ts';
export { explainReply, explainVector } from './report/explain.ts';
export { writeHtml } from './report/html.ts';
export { writeJsonLines } from './report/json.ts';
export { writeJunit } from './report/junit.ts';
export { type Results, readResults, resultsOf, type VectorResult, writeResults } from './report/results.ts';
export { writeTap } from './report/tap.ts';
export { type Paint, type TerminalOptions, writeTerminal } from './report/terminal.ts';
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
export { generate } from './suite/generate.ts';
export {
  type Flag,
  loadFlags,
  loadGroups,
  loadManifest,
  loadMutants,
  type Manifest,
  suiteOf,
} from './suite/load.ts';
export { loadRules, type Rule } from './suite/rules.ts';
export { type Selection, selectVectors } from './suite/select.ts';
export { createValidator, type Fault, type Validator } from './suite/validate.ts';
export type * from './types.ts';
