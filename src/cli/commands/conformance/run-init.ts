import { describeSystemError } from '../../../common/system-error.ts';
import { printable } from '../../../common/text.ts';
import { isLanguage, SKELETONS, writeSkeleton } from '../../../conformance/index.ts';
import { type Arguments, DONE, programName, quoteWords, usageError } from '../../command.ts';
import { expectedOneOf } from '../../options.ts';
import { print, printJson } from '../../terminal/print.ts';

export async function runInit(args: Arguments): Promise<number> {
  const language = args.value('lang');
  if (args.positionals.length > 0)
    throw usageError(
      `expected options only, as in --lang python --out mine, got ${JSON.stringify(args.positionals[0])}`,
    );
  if (language === undefined || !isLanguage(language)) {
    const expected = expectedOneOf(Object.keys(SKELETONS), language);
    const others = expected.endsWith('?')
      ? ''
      : '; for any other language, write an adapter from "Adapter protocol" in vectors/README.md; vectors/README.md, "Pitfalls by language", is about Ruby, Perl, C# and Swift';
    throw usageError(`--lang: ${expected}${others}`);
  }
  const folder = args.value('out') ?? '.';
  const { build, run } = SKELETONS[language];
  let path: string;
  try {
    path = writeSkeleton(language, folder);
  } catch (error) {
    const { code, path: place = folder } = error as NodeJS.ErrnoException;
    const problem = code === 'EEXIST' ? ' already exists and is not overwritten' : `: ${describeSystemError(error)}`;
    throw usageError(`${printable(place)}${problem}`);
  }
  if (args.flag('json')) await printJson({ path, language, build, run });
  else if (!args.flag('quiet')) {
    const program = programName();
    const steps = [
      ...(folder === '.' ? [] : [`cd ${quoteWords([folder])}`]),
      ...(build === null ? [] : [build]),
      `${program} conformance --bail -- ${run}`,
      `${program} conformance -- ${run}`,
    ];
    const lines = steps.map((step) => `  ${printable(step)}\n`).join('');
    await print(`Wrote ${printable(path)}. Its comments say what to do. Then:\n\n${lines}`);
  }
  return DONE;
}
