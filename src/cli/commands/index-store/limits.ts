import type { QueryOptions } from '../../../lookup/types.ts';
import type { Arguments } from '../../command.ts';
import { wholeNumberOf } from '../../options.ts';
import { defaultDistance } from '../dupes/settings.ts';

/**
 * Reads `--distance` and `--limit`. With `--verify`, the default distance is that of `dupes`.
 * @param label - of the index
 */
export function queryLimitsOf(args: Arguments, label: string): QueryOptions & { readonly k: number } {
  const k = wholeNumberOf(args, 'distance', 0, 64) ?? defaultDistance(args.flag('verify'), label);
  const limit = wholeNumberOf(args, 'limit', 1, 999_999_999);
  return { k, ...(limit !== undefined && { limit }) };
}
