import { existsSync } from 'node:fs';
import { DONE, NO } from './command.ts';
import { dispatch, guardProcess, prepareExit } from './dispatch.ts';
import { print, withOutput } from './terminal/print.ts';

async function checkShipped(): Promise<number> {
  const [{ createInProcessAdapter, loadGroups, loadManifest, runConformance, suiteOf }, { countByGroup }] =
    await Promise.all([import('../conformance/index.ts'), import('../conformance/report/wording.ts')]);
  await print('The shipped implementation against the vectors:\n\n');
  const { outcomes, counts, verdict } = await runConformance(createInProcessAdapter(), {
    groups: loadGroups(),
    suite: suiteOf(loadManifest()),
    randomCases: 0,
  });
  const groups = countByGroup(outcomes);
  const width = Math.max(...[...groups.keys()].map((group) => group.length));
  for (const [group, { passed, failed }] of groups) {
    await print(`  ${group.padEnd(width)}  ${String(passed).padStart(5)} passed, ${failed} failed\n`);
    for (const outcome of outcomes)
      if (outcome.group === group && outcome.status === 'fail')
        await print(
          `    ${outcome.id}: ${outcome.title}\n      at ${outcome.place || 'the whole'}: ${JSON.stringify(outcome.actual).slice(0, 200)}\n`,
        );
  }
  await print(`\n${counts.passed} passed, ${counts.failed} failed\n\n`);
  await print(
    [
      'Fingerprint a file or a folder:    npm start -- hash PATH',
      'See how a fingerprint comes about: npm start -- explain PATH',
      'Check another implementation:      npm start -- conformance -- COMMAND',
      'Everything else:                   npm start -- --help',
      '',
    ].join('\n'),
  );
  return verdict === 'conforms' ? DONE : NO;
}

guardProcess();
// npm changes to the folder of package.json; paths are relative to the folder of the user.
const { INIT_CWD, npm_lifecycle_event: event } = process.env;
if (event === 'start' && INIT_CWD !== undefined && existsSync(INIT_CWD)) process.chdir(INIT_CWD);
// With arguments, it is the command itself.
const argv = process.argv.slice(2);
process.exitCode = await (argv.length > 0 ? dispatch(argv) : withOutput(checkShipped));
prepareExit();
