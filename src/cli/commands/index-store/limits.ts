import type { QueryOptions } from '../../../lookup/types.ts';
import { LABEL } from '../../../scheme/labels/label.ts';
import type { Arguments } from '../../command.ts';
import { wholeNumberOf } from '../../options.ts';
import { DEFAULT_DISTANCES, MAX_DISTANCES, wordDistance } from '../dupes/distance.ts';

/**
 * Reads `--distance` and `--limit`. The default distance is greater with `--verify`, where false candidates only cost time.
 * @param label - of the index
 */
export function queryLimitsOf(args: Arguments, label: string): QueryOptions & { readonly k: number } {
  const k =
    wholeNumberOf(args, 'distance', 0, MAX_DISTANCES[256]) ??
    (args.flag('verify') ? wordDistance(undefined, true, label) : DEFAULT_DISTANCES[LABEL].unverified);
  const limit = wholeNumberOf(args, 'limit', 1, 999_999_999);
  return { k, ...(limit !== undefined && { limit }) };
}
