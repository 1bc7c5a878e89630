export { createInProcessAdapter } from './adapter/in-process.ts';
export { createOneShotAdapter } from './adapter/one-shot.ts';
export { createProcessAdapter, type ProcessAdapter, referenceCommand } from './adapter/process.ts';
export type { Adapter, ExitStatus, Hello, ProcessFailure, Reply } from './adapter/protocol.ts';
export { isLanguage, type Language, SKELETONS, type Skeleton, writeSkeleton } from './adapter/skeletons.ts';
export type { AdapterLimits } from './checks.ts';
export type { Disagreement, FirstStep } from './diagnosis/first-step.ts';
export type { Resemblance } from './diagnosis/resemblance.ts';
export type { ClassVerdict, ConformanceClass, Counts } from './judge/classes.ts';
export type { Grade } from './judge/grade.ts';
export type { VectorRun } from './judge/judge-vector.ts';
export type { Location, Status, StepFinding, VectorOutcome } from './outcome.ts';
export type { RandomReport } from './random/compare.ts';
export {
  applyBaseline,
  type Baseline,
  type BaselineProblem,
  type BaselineVerdict,
  baselineOf,
  type ReportOptions,
  readBaseline,
  readSkipList,
  writeBaseline,
  writeSkipList,
} from './report/baseline.ts';
export {
  type Claim,
  type ClaimedClass,
  checkClaim,
  claimOf,
  readClaim,
  writeClaim,
} from './report/files/claim.ts';
export { writeHtml } from './report/files/html.ts';
export { writeJunit } from './report/files/junit.ts';
export { type Results, readResults, resultsOf, type VectorResult, writeResults } from './report/files/results.ts';
export type { Report } from './report/run-result.ts';
export {
  type ExplainOptions,
  explainReply,
  explainVector,
  type ReplyExplanation,
  type ReplyOptions,
} from './report/terminal/explain.ts';
export { type TerminalOptions, writeTerminal } from './report/terminal/terminal.ts';
export type { Paint } from './report/text.ts';
export { checkVector, type RunOptions, runConformance } from './run.ts';
export type { RunLimits } from './runner/gate.ts';
export { runSmoke, type SmokeCheck, type SmokeOptions, type SmokeReport } from './smoke.ts';
export {
  loadGroups,
  loadManifest,
  loadMutants,
  type Manifest,
  type Mutant,
  type Suite,
  suiteOf,
} from './suite/load.ts';
export { type Selection, selectVectors } from './suite/select.ts';
export { createValidator, type Fault, type Validator } from './suite/validate.ts';
export type * from './vector.ts';
