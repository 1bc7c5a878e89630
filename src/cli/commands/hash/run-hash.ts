// index.ts would load the dependencies of the readable steps, which takes longer than a small document.

import { type DocumentOutcome, nameOf, placeAsJson, warningsAsJson } from '../../../documents/document-outcome.ts';
import type { Hashed } from '../../../documents/document-tasks.ts';
import { NO_TOKENS } from '../../../documents/failure.ts';
import { planWalk, unopened } from '../../../documents/walk-plan.ts';
import { LABEL } from '../../../scheme/labels/label.ts';
import { formatLabelled, serialise, toHex } from '../../../scheme/serialise.ts';
import { type Arguments, DONE, FAILED, usageError } from '../../command.ts';
import { selectionOf } from '../../files/file-selection.ts';
import { DOCUMENT_LABEL, documentHintsOf, jobsOf } from '../../options.ts';
import { withSession } from '../../session.ts';
import { lineWithPath, print, printJson, ROOM } from '../../terminal/print.ts';
import { createShortCount } from './short-count.ts';

export async function runHash(args: Arguments): Promise<number> {
  const raw = args.flag('raw');
  const isCdxj = args.flag('cdxj');
  const hints = { ...(await documentHintsOf(args, isCdxj ? DOCUMENT_LABEL : LABEL)), raw };
  const list = args.value('check');
  const single = ['cdxj', 'token-counts'].find((name) => args.flag(name));
  if (single !== undefined && hints.more !== undefined)
    throw usageError(`--${single}: expected one --label, got ${1 + hints.more.length}`);
  if (list !== undefined) return (await import('./run-check.ts')).runCheck(list, args, hints);
  if (args.flag('token-counts')) return (await import('./run-token-counts.ts')).runTokenCounts(args, hints);
  const jobs = jobsOf(args);
  const [json, quiet] = ['json', 'quiet'].map((name) => args.flag(name)) as [boolean, boolean];
  const form = {
    isBare: args.flag('bare'),
    cdxj: isCdxj ? await import('./cdxj-lines.ts') : undefined,
    labels: [hints.label, ...(hints.more ?? [])],
  };
  const selection = await selectionOf(args);
  const { entries, isHandful } = planWalk(selection);
  return withSession(
    { hints, jobs, isHandful, json, quiet, measured: selection, finds: selection.finds },
    async ({ report, progress, run }) => {
      const short = createShortCount();
      for await (const hashed of run('hash', unopened(entries))) {
        // With --raw, step 1 replaces what is not UTF-8, so warnings about that are left out.
        const outcome = raw ? { ...hashed, warnings: [] } : hashed;
        const mayHaveNone = form.isBare || form.cdxj !== undefined;
        const shown = mayHaveNone ? withoutNoTokens(outcome) : outcome;
        const added = report.add(form.cdxj === undefined ? shown : form.cdxj.requireRecord(shown));
        // To wait for each row of a dataset takes a tenth of the time.
        const result = added instanceof Promise ? await added : added;
        if (result === null) continue;
        const isShort = result !== NO_FINGERPRINT && short.add(outcome, result.tokens);
        if (process.stdout.isTTY) progress.hide();
        for (const [index, label] of form.labels.entries()) {
          const hashed =
            result === NO_FINGERPRINT ? undefined : index === 0 ? result : { ...result, ...result.more![index - 1] };
          const printed = json
            ? printJson(asJson(outcome, hashed!, label, isShort))
            : print(asLine(outcome, hashed, label, form));
          if (printed !== ROOM) await printed;
        }
      }
      // --raw and --bare together are for conformance tests.
      if (!(raw && form.isBare)) short.warn();
      report.summarise(selection.names);
      return report.failures > 0 ? FAILED : DONE;
    },
  );
}

type Form = { readonly isBare: boolean; readonly cdxj: typeof import('./cdxj-lines.ts') | undefined };

const NO_FINGERPRINT = 'no fingerprint';

function withoutNoTokens(outcome: DocumentOutcome<Hashed>): DocumentOutcome<Hashed | typeof NO_FINGERPRINT> {
  const isNone = outcome.kind === 'failed' && outcome.failure.code === NO_TOKENS.code;
  return isNone ? { ...outcome, kind: 'done', result: NO_FINGERPRINT } : outcome;
}

function asJson(
  outcome: DocumentOutcome<Hashed>,
  { fingerprint, tokens, mediaType, extractor }: Hashed,
  label: string,
  isShort: boolean,
) {
  // Spreads for each row of a dataset would take as long as reading it.
  const json = placeAsJson(outcome);
  json['label'] = label;
  json['fingerprint'] = serialise(fingerprint);
  json['hex'] = toHex(fingerprint);
  json['tokens'] = tokens;
  if (isShort) json['short'] = true;
  json['mediaType'] = mediaType;
  json['extractor'] = extractor;
  return outcome.warnings.length > 0 ? Object.assign(json, warningsAsJson(outcome)) : json;
}

/** Writes the line of a document, which has no fingerprint if `hashed` is undefined. */
function asLine(
  outcome: DocumentOutcome<Hashed>,
  hashed: Hashed | undefined,
  label: string,
  { isBare, cdxj }: Form,
): string {
  if (cdxj !== undefined) return cdxj.asCdxjLine(outcome, label, hashed);
  if (hashed === undefined) return '\n';
  if (isBare) return `${serialise(hashed.fingerprint)}\n`;
  return lineWithPath(`${formatLabelled(label, hashed.fingerprint)}  `, nameOf(outcome));
}
