import { warn } from './print.ts';

export function warnOfOrigins(
  subject: 'comparison' | 'index',
  read: ReadonlySet<string>,
  known: ReadonlySet<string> = read,
): void {
  for (const extractor of read) {
    const other = [...known].find((each) => each !== extractor && mediumOf(each) === mediumOf(extractor));
    if (other === undefined) continue;
    warn(
      `warning: the ${subject} mixes documents read by ${other} and by ${extractor}: their fingerprints are not comparable`,
    );
    return;
  }
}

const mediumOf = (extractor: string): string => extractor.split(/[-/]/, 1)[0]!;
