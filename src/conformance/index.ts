export type { AdapterLimits } from './adapter/adapter-limits.ts';
export { createInProcessAdapter } from './adapter/in-process-adapter.ts';
export { createOneShotAdapter } from './adapter/one-shot-adapter.ts';
export { createProcessAdapter, type ProcessAdapter, referenceCommand } from './adapter/process-adapter.ts';
export type { Adapter, ExitStatus, Hello, ProcessFailure, Reply } from './adapter/protocol.ts';
export { isLanguage, type Language, SKELETONS, type Skeleton, writeSkeleton } from './adapter/skeletons.ts';
export type { Disagreement, FirstStep } from './diagnosis/first-step.ts';
export type { Resemblance } from './diagnosis/resemblance.ts';
export type { ClassVerdict, ConformanceClass, Counts } from './judge/conformance-classes.ts';
export type { Grade } from './judge/grade.ts';
export type { VectorRun } from './judge/judge-vector.ts';
export type { RandomReport } from './random/compare-random.ts';
export {
  type Claim,
  type ClaimedClass,
  checkClaim,
  claimOf,
  readClaim,
  writeClaim,
} from './records/claim-file.ts';
export { type Results, readResults, resultsOf, type VectorResult, writeResults } from './records/results-file.ts';
export { readSkipList, writeSkipList } from './records/skip-list.ts';
export { writeHtml } from './report/html-report.ts';
export { writeJunit } from './report/junit-report.ts';
export type { Paint } from './report/printable-text.ts';
export type { Report } from './report/report.ts';
export {
  type ExplainOptions,
  explainReply,
  explainVector,
  type ReplyExplanation,
  type ReplyOptions,
} from './report/terminal/explain-vector.ts';
export { type TerminalOptions, writeTerminal } from './report/terminal/terminal-report.ts';
export { checkVector, type RunOptions, runConformance } from './run-conformance.ts';
export type { RunLimits } from './runner/run-limits.ts';
export {
  loadGroups,
  loadManifest,
  loadMutants,
  type Mutant,
  type Suite,
  type SuiteManifest,
  suiteOf,
} from './suite/load-suite.ts';
export { type Selection, selectVectors } from './suite/select-vectors.ts';
export { createValidator, type Fault, type Validator } from './suite/validate-vectors.ts';
export type * from './vector.ts';
export type { Location, Status, StepFinding, VectorOutcome } from './vector-outcome.ts';
