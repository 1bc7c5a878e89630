import { formatNumber, pluralize } from '../../common/text.ts';
import type { Adapter, Reply } from '../adapter/protocol.ts';
import type { Operation } from '../vector.ts';

/** Limits on the resources of a whole run. */
export interface RunLimits {
  /** The number of crashes, timeouts and malformed replies after which an operation is no longer requested. Default 5. */
  readonly crashes?: number;
  /** The number of milliseconds after which no more requests are sent. Default 3,600,000 (one hour). */
  readonly time?: number;
}

export const DEFAULT_RUN_LIMITS: Required<RunLimits> = { crashes: 5, time: 3_600_000 };

export interface Gate {
  refuse(operation: Operation, input: unknown): string | undefined;
  note(operation: Operation, input: unknown, reply: Reply | undefined): void;
  readonly failures: number;
  /** Makes a gate for requests beside the vectors: their failures do not count against the vectors. */
  aside(): Gate;
}

/** Makes a gate. `sum` counts its failures and the failures of all gates that its `aside` makes. */
export function createGate(limits: RunLimits, start = performance.now(), sum = { failures: 0 }): Gate {
  const { crashes, time } = { ...DEFAULT_RUN_LIMITS, ...limits };
  const counts = new Map<string, number>();
  return {
    get failures() {
      return sum.failures;
    },
    aside: () => createGate(limits, start, sum),
    refuse(operation, input) {
      const name = nameOf(operation, input);
      const count = counts.get(name) ?? 0;
      if (count > 0 && count >= crashes)
        return `${pluralize(count, 'failure')} of ${name}: no more requests are sent for it`;
      if (performance.now() < start + time) return undefined;
      return `the run took more than ${formatNumber(time / 1000)} seconds`;
    },
    note(operation, input, reply) {
      if (reply === undefined || !['crash', 'timeout', 'protocol'].includes(reply.kind)) return;
      sum.failures++;
      const name = nameOf(operation, input);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
  };
}

function nameOf(operation: Operation, input: unknown): string {
  const { label, step, type } = ((input as object | null) ?? {}) as Readonly<Record<string, unknown>>;
  return [operation, ...[label, step, type].filter((each) => typeof each === 'string')].join(' ');
}

export function guard(adapter: Adapter, gate: Gate): Adapter {
  return {
    get restarts() {
      return adapter.restarts;
    },
    hello: () => adapter.hello(),
    async request(operation, input) {
      const reason = gate.refuse(operation, input);
      if (reason !== undefined) return { kind: 'not-run', detail: reason };
      const reply = await adapter.request(operation, input);
      gate.note(operation, input, reply);
      return reply;
    },
    close: () => adapter.close(),
  };
}
