import type { Command } from '../../command.ts';
import {
  CHECK_OPTIONS,
  EXPLAIN_OPTIONS,
  INIT_OPTIONS,
  REPORT_OPTIONS,
  SMOKE_OPTIONS,
  VERIFY_OPTIONS,
} from './options.ts';

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
    details: [],
    options: INIT_OPTIONS,
    run: async (args) => (await import('./init.ts')).init(args),
  },
  {
    name: 'smoke',
    summary: 'Check only that an adapter speaks the protocol',
    usage: '[OPTION…] -- COMMAND [ARGUMENT…]',
    examples: [
      { typed: 'conformance smoke -- python3 adapter.py', about: 'an adapter' },
      { typed: 'conformance smoke --one-shot -- ./my-hash', about: 'a command that reads a document' },
    ],
    details: [],
    options: SMOKE_OPTIONS,
    run: async (args) => (await import('./smoke.ts')).smoke(args),
  },
  {
    name: 'explain',
    summary: 'Explain a vector, and the answer of COMMAND to it',
    usage: 'ID [OPTION…] [-- COMMAND [ARGUMENT…]]',
    examples: [
      { typed: 'conformance explain tokenise/empty', about: 'a vector' },
      { typed: 'conformance explain tokenise/empty -- python3 adapter.py', about: 'and the answer of an adapter' },
    ],
    details: [],
    options: EXPLAIN_OPTIONS,
    run: async (args) => (await import('./explain.ts')).explain(args),
  },
  {
    name: 'report',
    summary: 'Write a page, a claim or a badge from results',
    usage: 'RESULTS… (--html | --badge | --claim) FILE [OPTION…]',
    examples: [
      { typed: 'conformance report results.json --claim claim.json', about: 'what one may claim' },
      { typed: 'conformance report mine.json theirs.json --html table.html', about: 'a table of implementations' },
    ],
    details: [`RESULTS is a file that conformance --results wrote. ${FILE}`],
    options: REPORT_OPTIONS,
    run: async (args) => (await import('./report.ts')).report(args),
  },
  {
    name: 'verify',
    summary: 'Check a claim again',
    usage: 'CLAIM [OPTION…] [-- COMMAND [ARGUMENT…]]',
    examples: [
      { typed: 'conformance verify claim.json', about: 'that the claim follows from its results' },
      { typed: 'conformance verify claim.json -- python3 adapter.py', about: 'and that the adapter still gives them' },
    ],
    details: ['CLAIM is a file that conformance report --claim wrote.'],
    options: VERIFY_OPTIONS,
    run: async (args) => (await import('./verify.ts')).verify(args),
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
    `Runs COMMAND, an adapter that speaks the protocol of spec/conformance.md, through all vectors and through new random
cases. Reports the first step that goes wrong, and known mistakes that cause the same failures. Without COMMAND, the reference
implementation is checked in the same way. LIST is a list of names separated by commas. ${FILE}`,
    `With --json, prints an object for each vector (type: vector, id, group, operation, status, and for failures place,
expected, actual, outcome), then one with everything else (type: summary).`,
    `A baseline is a file of known failures with their outcomes. The run passes if each of them fails with exactly this
outcome, and nothing else fails.`,
    `A skip list has the id of a vector on each line, or a pattern such as lookup/*; # begins a comment. Nothing can be claimed
while a vector is skipped.`,
  ],
  options: CHECK_OPTIONS,
  subcommands: SUBCOMMANDS,

  async run(args) {
    const { check } = await import('./check.ts');
    const { assertTerminator } = await import('./arguments.ts');
    assertTerminator(
      args,
      0,
      SUBCOMMANDS.map(({ name }) => name),
    );
    return check(args);
  },
};
