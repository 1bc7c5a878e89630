import type { QueryOptions } from '../../../lookup/types.ts';
import type { Arguments } from '../../command.ts';
import { wholeNumberOf } from '../../options.ts';
import { wordDistance } from '../dupes/settings.ts';

/**
 * Reads `--distance` and `--limit`. The default distance is greater with `--verify`, where false candidates only cost time.
 * @param label - of the index
 */
export function queryLimitsOf(args: Arguments, label: string): QueryOptions & { readonly k: number } {
  const k = wholeNumberOf(args, 'distance', 0, 64) ?? (args.flag('verify') ? wordDistance(undefined, true, label) : 3);
  const limit = wholeNumberOf(args, 'limit', 1, 999_999_999);
  return { k, ...(limit !== undefined && { limit }) };
}
