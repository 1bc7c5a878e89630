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

/** Bytes that a reply may have, whatever the size of its request. */
const MIN_REPLY = 1 << 20;

/** Bytes that a reply may have for each byte of its request: the largest of the vectors has 15. */
const REPLY_RATIO = 32;

export function maxReply(requestLength: number): number {
  return MIN_REPLY + REPLY_RATIO * requestLength;
}
