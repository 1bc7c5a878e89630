/** Limits on what an adapter may cost. */
export interface AdapterLimits {
  /**
   * Milliseconds for one reply, and for starting up to the reply to `hello`; for `accumulate`, for each thousand cases.
   * Default 10,000.
   */
  readonly deadline?: number;
  /** How often it is restarted after a crash, a timeout or a breach of the protocol. Default 20. */
  readonly restarts?: number;
  /** Octets of one line of its output. Default 64 MiB. */
  readonly line?: number;
}

const DEFAULTS: Required<AdapterLimits> = { deadline: 10_000, restarts: 20, line: 64 << 20 };

/** Octets kept of the end of an adapter's standard error. */
export const MAX_STDERR = 4096;

/** Adds the default limits to those given. */
export function withDefaultLimits(limits: AdapterLimits): Required<AdapterLimits> {
  return { ...DEFAULTS, ...limits };
}
