import { describeSystemError } from '../../../common/system-error.ts';
import { printable } from '../../../common/text.ts';
import { isLanguage, SKELETONS, writeSkeleton } from '../../../conformance/index.ts';
import { type Arguments, DONE, usageError } from '../../command.ts';
import { expectedOneOf } from '../../options.ts';
import { programName, quoteWords } from '../../program.ts';
import { print, printJson } from '../../terminal/output.ts';

export async function init(args: Arguments): Promise<number> {
  const language = args.value('lang');
  if (args.positionals.length > 0)
    throw usageError(
      `expected options only, as in --lang python --out mine, got ${JSON.stringify(args.positionals[0])}`,
    );
  if (language === undefined || !isLanguage(language)) {
    const expected = expectedOneOf(Object.keys(SKELETONS), language);
    const others = expected.endsWith('?')
      ? ''
      : '; for any other language, write an adapter from "Adapter protocol" in spec/conformance.md; vectors/README.md, "Pitfalls by language", is about Ruby, Perl, C# and Swift';
    throw usageError(`--lang: ${expected}${others}`);
  }
  const folder = args.value('out') ?? '.';
  const { build, run } = SKELETONS[language];
  let path: string;
  try {
    path = writeSkeleton(language, folder);
  } catch (error) {
    const { code, path: place = folder } = error as NodeJS.ErrnoException;
    throw usageError(
      code === 'EEXIST'
        ? `${printable(place)} already exists and is not overwritten`
        : `${printable(place)}: ${describeSystemError(error)}`,
    );
  }
  if (args.flag('json')) await printJson({ path, language, build, run });
  else if (!args.flag('quiet'))
    await print(`Wrote ${printable(path)}. Its comments say what to do. Then:\n\n${nextSteps(folder, build, run)}`);
  return DONE;
}

function nextSteps(folder: string, build: string | null, run: string): string {
  const program = programName();
  const steps = [
    ...(folder === '.' ? [] : [`cd ${quoteWords([folder])}`]),
    ...(build === null ? [] : [build]),
    `${program} conformance smoke -- ${run}`,
    `${program} conformance -- ${run}`,
  ];
  return steps.map((step) => `  ${printable(step)}\n`).join('');
}
