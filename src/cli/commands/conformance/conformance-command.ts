import { DEFAULT_ADAPTER_LIMITS } from '../../../conformance/adapter/adapter-limits.ts';
import { DEFAULT_RUN_LIMITS } from '../../../conformance/runner/run-limits.ts';
import { type Command, JSON_OPTION, type Option } from '../../command.ts';
import { RUN_REPORTS, reportOption } from './report-options.ts';

const QUIET: Option = { name: 'quiet', short: 'q', help: 'show no progress and no report on the terminal' };

const DEADLINE: Option = {
  name: 'deadline',
  isRare: true,
  value: 'SECONDS',
  help: `time for one reply (default: ${DEFAULT_ADAPTER_LIMITS.deadline / 1000})`,
};

const ONE_SHOT: Option = { name: 'one-shot', help: 'COMMAND reads a document, prints its fingerprint' };

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

const CASES: readonly Option[] = [
  { name: 'large', isRare: true, help: 'also run accumulated vectors of more than 10,000 cases' },
  { name: 'random', value: 'N', help: 'random cases for each operation (default: 100)' },
  { name: 'seed', value: 'N', help: 'seed of the random cases (default: a new one)' },
];

const FILE = 'FILE may be - for standard output. An existing file is replaced only if the same option wrote it.';

const SUBCOMMANDS: readonly Command[] = [
  {
    name: 'init',
    summary: 'Write a skeleton of an adapter',
    usage: '--lang LANGUAGE [OPTION…]',
    examples: [
      { typed: 'conformance init --lang python --out mine', about: 'a skeleton in Python' },
      { typed: 'conformance init --lang rust', about: 'one in Rust, in this folder' },
    ],
    options: [
      {
        name: 'lang',
        value: 'LANGUAGE',
        choices: ['python', 'c', 'go', 'rust', 'java', 'javascript'],
        help: 'language of the skeleton: python, c, go, rust, java or javascript',
      },
      { name: 'out', value: 'FOLDER', help: 'folder of the skeleton (default: the current one)' },
      JSON_OPTION,
      QUIET,
    ],
    run: async (args) => (await import('./run-init.ts')).runInit(args),
  },
  {
    name: 'explain',
    summary: 'Explain a vector, and the answer of COMMAND to it',
    usage: 'ID [OPTION…] [-- COMMAND [ARGUMENT…]]',
    examples: [
      { typed: 'conformance explain tokenise/empty', about: 'a vector' },
      { typed: 'conformance explain tokenise/empty -- python3 adapter.py', about: 'and the answer of an adapter' },
    ],
    options: [DEADLINE, ONE_SHOT, JSON_OPTION],
    run: async (args) => (await import('./run-explain-vector.ts')).runExplainVector(args),
  },
  {
    name: 'report',
    summary: 'Write a page or a claim from results',
    usage: 'RESULTS… (--html | --claim) FILE [OPTION…]',
    examples: [
      { typed: 'conformance report results.json --claim claim.json', about: 'what one may claim' },
      { typed: 'conformance report mine.json theirs.json --html table.html', about: 'a table of implementations' },
    ],
    details: [`RESULTS is a file that conformance --results wrote. ${FILE}`],
    options: [
      reportOption('html'),
      { name: 'claim', value: 'FILE', help: 'write the claim that the results allow, for conformance verify' },
      QUIET,
    ],
    run: async (args) => (await import('./run-report.ts')).runReport(args),
  },
  {
    name: 'verify',
    summary: 'Check a claim, by a new run of COMMAND',
    usage: 'CLAIM [OPTION…] [-- COMMAND [ARGUMENT…]]',
    examples: [
      { typed: 'conformance verify claim.json', about: 'only the file: its text, specification and vectors' },
      {
        typed: 'conformance verify claim.json -- python3 adapter.py',
        about: 'that the adapter keeps it, by a new run',
      },
    ],
    details: [
      `CLAIM is a file that conformance report --claim wrote. COMMAND is run through all vectors and at least 100 new random cases of
each operation. Without COMMAND, nothing is run: the text of the file has to match its members, and these the specification and
the vectors of this version.`,
    ],
    options: [...CASES, ...ADAPTER, JSON_OPTION, QUIET],
    run: async (args) => (await import('./run-verify.ts')).runVerify(args),
  },
];

export const conformance: Command = {
  name: 'conformance',
  summary: 'Check an implementation in any language against the vectors',
  usage: '[OPTION…] [-- COMMAND [ARGUMENT…]]',
  examples: [
    { typed: 'conformance -- python3 adapter.py', about: 'all vectors' },
    { typed: 'conformance --bail -- python3 adapter.py', about: 'up to the first failure' },
  ],
  details: [
    `Runs COMMAND, an adapter that implements the protocol of vectors/README.md, through all vectors and through new random
cases. Reports the first step that goes wrong, and known mistakes that cause the same failures. Without COMMAND, the reference
implementation is checked in the same way. LIST is a list of names separated by commas. ${FILE}`,
    `With --json, prints an object for each vector (type: vector, id, group, operation, status, and for failures place,
expected, actual, outcome), then one with everything else (type: summary).`,
    `A skip list holds known failures: the id of a vector on each line, or a pattern such as lookup/*; # begins a comment.
Nothing can be claimed while a vector is skipped.`,
  ],
  options: [
    { name: 'group', value: 'LIST', help: 'run only these groups' },
    { name: 'filter', value: 'LIST', help: 'run only vectors whose id contains one of these' },
    { name: 'operation', isRare: true, value: 'LIST', help: 'run only these operations' },
    { name: 'skip', isRare: true, value: 'FILE', help: 'do not run the vectors that the file lists' },
    { name: 'bail', help: 'stop at the first failure' },
    ...CASES,
    ...ADAPTER,
    JSON_OPTION,
    ...RUN_REPORTS.map(reportOption),
    { name: 'failures', isRare: true, value: 'N', help: 'show N failures in full (default: 10)' },
    QUIET,
  ],
  subcommands: SUBCOMMANDS,
  run: async (args) =>
    (await import('./check-adapter.ts')).checkAdapter(
      args,
      SUBCOMMANDS.map(({ name }) => name),
    ),
};
