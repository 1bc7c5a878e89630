import { nameOf, placeAsJson } from '../../../documents/document-outcome.ts';
import { pathOf } from '../../../documents/file-path.ts';
import { fingerprintAt } from '../../../duplicates/near/column.ts';
import { serialise } from '../../../index.ts';
import { asJsonLine, lineWithPath } from '../../terminal/print.ts';
import type { Result } from './dupes-result.ts';
import type { Form } from './dupes-settings.ts';
import { cell, row } from './tsv-report.ts';

/** Lists the documents outside the reference set that match none in it. One with other numbers is new, unless they are ignored. */
export function* newAs(form: Form, { collection, groups }: Result): Generator<string | Uint8Array> {
  const { documents, fingerprints, label } = collection;
  const members = groups.flatMap((group) => group.members);
  const matches = members.filter(({ isConfirmed, differs }) => isConfirmed || differs.length === 0);
  const matched = new Set(matches.map(({ document }) => document));
  const written = new Set<string>();
  for (const [document, { place, size, tokens, isReference }] of documents.entries()) {
    if (isReference || matched.has(document)) continue;
    const fingerprint = serialise(fingerprintAt(fingerprints, document));
    if (form === 'json') yield asJsonLine({ ...placeAsJson(place), label, fingerprint, size, tokens });
    else if (form === 'tsv') yield row([size ?? '', fingerprint, cell(nameOf(place))]);
    else if (form === 'text') yield lineWithPath('', nameOf(place));
    // An archive is listed once if anything in it is new.
    else if (!written.has(place.path)) {
      written.add(place.path);
      yield Buffer.concat([Buffer.from(pathOf(place)), Buffer.of(0)]);
    }
  }
}
