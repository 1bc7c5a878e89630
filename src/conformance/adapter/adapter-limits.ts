import { assertInteger, assertOptions } from '../../errors.ts';

/** Limits on the resources of an adapter. */
export interface AdapterLimits {
  /**
   * The maximum number of milliseconds for a reply, and from the start of the process to its reply to `hello`; for `accumulate`, for
   * each thousand cases. On a busy machine it counts CPU time. Default 10,000.
   */
  readonly deadline?: number;
  /** The maximum number of restarts after a crash, a timeout or a breach of the protocol. Default 100. */
  readonly restarts?: number;
}

export const DEFAULT_ADAPTER_LIMITS: Required<AdapterLimits> = { deadline: 10_000, restarts: 100 };

export function assertLimits(limits: unknown): void {
  assertOptions('limits', limits);
  for (const [name, value] of Object.entries(limits as object))
    if (value !== undefined) assertInteger(`limits.${name}`, value, 0, Number.MAX_SAFE_INTEGER);
}
