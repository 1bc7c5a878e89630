import { wrongValue } from '../../../errors.ts';
import { LABELS, type Label, parseLabel } from '../../../scheme/labels/label.ts';
import { storeError } from './errors.ts';

/**
 * Reads the label of a store from its records (IDX-2), of the only layout that such a store may have. Throws
 * `not-an-index`, `other-version`, `invalid-label`, `label-mismatch`.
 */
export function readIndexLabel(
  place: string,
  record: (name: 'layout' | 'label') => string | undefined,
  layout: string,
  expected: string | undefined,
): Label {
  const found = record('layout');
  if (found === undefined) throw storeError('not-an-index', place, 'is not an index: it has no record of a layout');
  if (found !== layout)
    throw storeError(
      'other-version',
      place,
      `has layout ${JSON.stringify(found)}; this version reads ${layout}: export it with the version that wrote it, then import it`,
    );
  const label = registeredLabel(place, record('label') ?? '');
  if (expected !== undefined && label !== expected)
    throw wrongValue('label-mismatch', place, `an index of ${expected}`, label);
  return label;
}

function registeredLabel(place: string, label: string): Label {
  try {
    return parseLabel(label);
  } catch {
    const shown = `${JSON.stringify(label)}, which is not a registered label`;
    throw wrongValue('invalid-label', place, `an index of ${LABELS.join(', ')}`, label, shown);
  }
}
