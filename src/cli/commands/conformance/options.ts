import { DEFAULT_ADAPTER_LIMITS } from '../../../conformance/adapter/limits.ts';
import { DEFAULT_RUN_LIMITS } from '../../../conformance/runner/gate.ts';
import { JSON_OPTION, type Option } from '../../command.ts';
import { RUN_REPORTS, reportOption } from './reports.ts';

const QUIET: Option = { name: 'quiet', short: 'q', help: 'show no progress and no report on the terminal' };

const DEADLINE: Option = {
  name: 'deadline',
  isRare: true,
  value: 'SECONDS',
  help: `time for one reply (default: ${DEFAULT_ADAPTER_LIMITS.deadline / 1000})`,
};

const ONE_SHOT: Option = { name: 'one-shot', help: 'COMMAND reads a document, prints its fingerprint' };

/** The options about how an adapter is run in a run of many vectors. */
const ADAPTER: readonly Option[] = [
  { name: 'jobs', short: 'j', value: 'N', help: 'run N processes of COMMAND side by side (default: 1)' },
  DEADLINE,
  {
    name: 'time',
    isRare: true,
    value: 'SECONDS',
    help: `time for the whole run (default: ${DEFAULT_RUN_LIMITS.time / 1000})`,
  },
  {
    name: 'crashes',
    isRare: true,
    value: 'N',
    help: `skip an operation after N crashes, timeouts or malformed replies (default: ${DEFAULT_RUN_LIMITS.crashes})`,
  },
  {
    name: 'restarts',
    isRare: true,
    value: 'N',
    help: `restart a process at most N times (default: ${DEFAULT_ADAPTER_LIMITS.restarts})`,
  },
  ONE_SHOT,
];

/** The options about which cases are run. */
const CASES: readonly Option[] = [
  { name: 'large', isRare: true, help: 'also run accumulated vectors of more than 10,000 cases' },
  { name: 'random', value: 'N', help: 'random cases for each operation (default: 100)' },
  { name: 'seed', value: 'N', help: 'seed of the random cases (default: a new one)' },
];

export const CHECK_OPTIONS: readonly Option[] = [
  { name: 'group', value: 'LIST', help: 'run only these groups' },
  { name: 'filter', value: 'LIST', help: 'run only vectors whose id contains one of these' },
  { name: 'operation', isRare: true, value: 'LIST', help: 'run only these operations' },
  { name: 'skip', isRare: true, value: 'FILE', help: 'do not run the vectors that the file lists' },
  { name: 'bail', help: 'stop at the first failure that --baseline does not know' },
  ...CASES,
  ...ADAPTER,
  JSON_OPTION,
  ...RUN_REPORTS.map(reportOption),
  { name: 'baseline', value: 'FILE', help: 'read known failures' },
  { name: 'update-baseline', isRare: true, help: 'write the failures of this run to the file of --baseline' },
  { name: 'failures', isRare: true, value: 'N', help: 'show N failures in full (default: 10)' },
  { name: 'grade', isRare: true, help: 'show how far wrong fingerprints are from the right ones' },
  QUIET,
];

export const INIT_OPTIONS: readonly Option[] = [
  {
    name: 'lang',
    value: 'LANGUAGE',
    choices: ['python', 'c', 'go', 'rust', 'java', 'javascript'],
    help: 'language of the skeleton: python, c, go, rust, java or javascript',
  },
  { name: 'out', value: 'FOLDER', help: 'folder of the skeleton (default: the current one)' },
  JSON_OPTION,
  QUIET,
];

export const SMOKE_OPTIONS: readonly Option[] = [
  DEADLINE,
  { name: 'restarts', value: 'N', help: 'restart the adapter at most N times after a crash or timeout (default: 3)' },
  ONE_SHOT,
  JSON_OPTION,
  QUIET,
];

export const EXPLAIN_OPTIONS: readonly Option[] = [DEADLINE, ONE_SHOT, JSON_OPTION];

export const VERIFY_OPTIONS: readonly Option[] = [...CASES, ...ADAPTER, JSON_OPTION, QUIET];

export const REPORT_OPTIONS: readonly Option[] = [
  reportOption('html'),
  reportOption('badge'),
  { name: 'claim', value: 'FILE', help: 'write the claim that the results allow, for conformance verify' },
  QUIET,
];
