import { formatNumber, printable } from '../../../common/text.ts';
import { nameOf, type Place } from '../../../documents/document-outcome.ts';
import { TRUSTED_TOKENS } from '../../../duplicates/answer.ts';
import { warn } from '../../terminal/print.ts';

export function createShortCount() {
  let [count, first] = [0, ''];
  return {
    /** Counts a document if it is short; returns whether it is. */
    add(place: Place, tokens: number): boolean {
      if (tokens >= TRUSTED_TOKENS) return false;
      if (count++ === 0) first = printable(nameOf(place));
      return true;
    },
    warn(): void {
      const limit = `fewer than ${TRUSTED_TOKENS} tokens`;
      if (count === 1) warn(`${first}: warning: ${limit}: its fingerprint is unreliable`);
      else if (count > 1)
        warn(
          `warning: ${formatNumber(count)} documents have ${limit}: their fingerprints are unreliable (the first: ${first})`,
        );
    },
  };
}
