import { checkShippedVectors } from '../conformance/suite/shipped.ts';
import { DONE, FAILED } from './command.ts';
import { dispatch } from './dispatch.ts';
import { print } from './terminal/output.ts';

/** Checks the shipped implementation against every vector: a line a group, what failed, and what to do next. */
async function checkShipped(): Promise<number> {
  let failed = 0;
  let passed = 0;
  await print('The shipped implementation against the vectors:\n\n');
  const reports = await checkShippedVectors();
  const width = Math.max(...reports.map(({ group }) => group.length));
  for (const report of reports) {
    passed += report.passed;
    failed += report.failed;
    const counts = `${String(report.passed).padStart(5)} passed, ${report.failed} failed`;
    await print(`  ${report.group.padEnd(width)}  ${counts}\n`);
    for (const { id, title, place, actual } of report.failures)
      await print(`    ${id}: ${title}\n      at ${place || 'the whole'}: ${JSON.stringify(actual).slice(0, 200)}\n`);
  }
  await print(`\n${passed} passed, ${failed} failed\n\n`);
  await print(
    [
      'Fingerprint a file or a folder:    npm start -- hash PATH',
      'See how a fingerprint comes about: npm start -- explain PATH',
      'Check another implementation:      npm start -- conformance -- COMMAND',
      'Everything else:                   npm start -- --help',
      '',
    ].join('\n'),
  );
  return failed === 0 ? DONE : FAILED;
}

/**
 * What `npm start` does: with arguments, it is the command itself; without, it checks the shipped implementation.
 * @param argv - the arguments
 * @returns the exit code
 */
export async function start(argv: readonly string[]): Promise<number> {
  return argv.length > 0 ? dispatch(argv) : checkShipped();
}

process.exitCode = await start(process.argv.slice(2));
