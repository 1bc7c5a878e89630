import type { Command } from '../../command.ts';
import { OPTIONS } from './options.ts';

/** `simhash-doc conformance`: checks an implementation in any language against the vectors. */
export const conformance: Command = {
  name: 'conformance',
  summary: 'Check an implementation in any language against the vectors',
  usage: '[OPTION…] [-- COMMAND [ARGUMENT…]]',
  details: [
    `Runs COMMAND, an adapter that speaks the protocol of spec/conformance.md, through all vectors and through new random
cases. Reports the first step that goes wrong, and known mistakes that cause the same failures. Without COMMAND, the reference
implementation is checked in the same way. LIST is a list of names separated by commas. FILE may be - for standard output.`,
    `Subcommands:
  conformance init --lang LANGUAGE [--out FOLDER]   write a skeleton of an adapter; LANGUAGE is python, c, go, rust,
                                                    java or javascript
  conformance smoke -- COMMAND                      check only that an adapter speaks the protocol
  conformance explain ID [-- COMMAND]               explain a vector, and the answer of COMMAND to it
  conformance report RESULTS… --html FILE           compare the results of several implementations
  conformance report RESULTS --claim FILE           write what one implementation may claim; --badge FILE, its badge
  conformance verify CLAIM [-- COMMAND]             check a claim again`,
    `With --json, prints an object for each vector (type: vector, id, group, operation, status, and for failures place,
expected, actual, outcome), then one with everything else (type: summary).`,
    `A baseline is a file of known failures with their outcomes. The run passes if each of them fails with exactly this
outcome, and nothing else fails.`,
  ],
  options: OPTIONS,

  async run(args) {
    // Loaded on demand: other commands start faster without it.
    const { runConformanceCommand } = await import('./run.ts');
    return runConformanceCommand(args);
  },
};
