import { wrongValue } from '../../errors.ts';
import { LABELS, type Label, parseLabel } from '../../scheme/labels/label.ts';

/**
 * Reads the label that an index was stored with.
 * @param place - names the index in messages
 * @throws RangeError `invalid-label` with the label if it is not registered, or no more
 */
export function registeredLabel(place: string, label: string): Label {
  try {
    return parseLabel(label);
  } catch {
    const shown = `${JSON.stringify(label)}, which is not a registered label`;
    throw wrongValue('invalid-label', place, `an index of ${LABELS.join(', ')}`, label, shown);
  }
}
