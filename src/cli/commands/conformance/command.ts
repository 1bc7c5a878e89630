import { type Command, JSON_OPTION } from '../../command.ts';

/** Exit code: the implementation under test could not be run at all. */
export const NOT_RUN = 3;

/** `simhash-doc conformance`: runs an implementation in any language against the vectors. */
export const conformance: Command = {
  name: 'conformance',
  summary: 'Check an implementation in any language against the vectors',
  usage: '[OPTION…] [-- COMMAND [ARGUMENT…]]',
  details: [
    `Runs COMMAND, an adapter that speaks the protocol of spec/conformance.md, through all vectors and through fresh random
cases, and says which step goes wrong first and what the mistake looks like. Without COMMAND, the implementation that
ships with this program is run in the same way. LIST is names with commas between; FILE may be - for standard output.`,
    `Subcommands:
  conformance init --lang LANGUAGE [--out FOLDER]   write an adapter to begin with; LANGUAGE is python, c, go, rust,
                                                    java or javascript
  conformance smoke -- COMMAND                      check the plumbing of an adapter alone
  conformance explain ID [-- COMMAND]               explain a vector, and what COMMAND answers to it
  conformance report RESULTS… --html FILE           put the results of several implementations side by side`,
    `With --json, an object for each vector (type: vector, id, group, operation, status, and of a failure place, expected,
actual, outcome), then one with all the rest (type: summary).`,
    `A baseline is a file of known failures with their outcomes: the run passes when each of them fails in exactly that way,
and nothing else fails.`,
    'Exit code: 0 conforms in all that it offers, 1 does not, 2 wrong usage, 3 the adapter could not be run.',
  ],
  options: [
    { name: 'group', value: 'LIST', help: 'run these groups only' },
    { name: 'filter', value: 'LIST', help: 'run the vectors only whose id holds one of these' },
    { name: 'operation', value: 'LIST', help: 'run these operations only' },
    { name: 'large', help: 'run accumulated vectors of more than 10,000 cases too' },
    { name: 'random', value: 'N', help: 'random cases for each operation (default: 100; 0 for none)' },
    { name: 'seed', value: 'N', help: 'seed of the random cases (default: another one each time)' },
    { name: 'deadline', value: 'SECONDS', help: 'time for one reply (default: 10)' },
    { name: 'restarts', value: 'N', help: 'start it again so often after a crash or a hang (default: 20)' },
    { name: 'one-shot', help: 'COMMAND takes a document on standard input and prints its fingerprint' },
    JSON_OPTION,
    { name: 'tap', value: 'FILE', help: 'write a report in TAP 14' },
    { name: 'junit', value: 'FILE', help: 'write a report in JUnit XML' },
    { name: 'html', value: 'FILE', help: 'write a report as a page' },
    { name: 'badge', value: 'FILE', help: 'write an endpoint badge for shields.io' },
    { name: 'results', value: 'FILE', help: 'write the results, for conformance report' },
    { name: 'baseline', value: 'FILE', help: 'known failures' },
    { name: 'update-baseline', help: 'write the failures of this run to the file of --baseline' },
    { name: 'failures', value: 'N', help: 'show N failures in full (default: 10)' },
    { name: 'lang', value: 'LANGUAGE', help: 'of the adapter that init writes' },
    { name: 'out', value: 'FOLDER', help: 'where init writes it (default: here)' },
    { name: 'quiet', short: 'q', help: 'show no progress, and no report for a person' },
  ],

  async run(args) {
    // What this needs is much, and other commands do without it.
    const { runConformanceCommand } = await import('./run.ts');
    return runConformanceCommand(args);
  },
};
