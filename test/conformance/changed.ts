import { createInProcessAdapter } from '../../src/conformance/adapter/in-process-adapter.ts';
import type { Adapter, Hello, Reply } from '../../src/conformance/adapter/protocol.ts';
import type { Report } from '../../src/conformance/report/report.ts';
import { type RunOptions, runConformance } from '../../src/conformance/run-conformance.ts';
import { loadGroups } from '../../src/conformance/suite/load-suite.ts';
import { selectVectors } from '../../src/conformance/suite/select-vectors.ts';
import type { Operation, Vector, VectorGroup } from '../../src/conformance/vector.ts';

/** The differences of an adapter from the reference. */
export interface Changes {
  readonly hello?: Partial<Hello>;
  readonly before?: (input: never, operation: Operation) => unknown;
  /** Returns undefined to keep the reply. */
  readonly after?: (reply: Reply, operation: Operation, input: never) => Reply | undefined;
}

/** The reference in this process, changed. */
export function createChanged({ hello, before = (input) => input, after }: Changes): Adapter {
  const reference = createInProcessAdapter();
  return {
    ...reference,
    hello: async () => ({ ...(await reference.hello()), ...hello }),
    async request(operation, input) {
      const reply = await reference.request(operation, before(input as never, operation));
      return after?.(reply, operation, input as never) ?? reply;
    },
  };
}

export const SILENT: Reply = { kind: 'unsupported' };
export const CRASH: Reply = { kind: 'crash', detail: 'exited with code 3', stderr: '' };

/** The vectors of these groups, but those whose input a rule builds, which is long. */
export function shortGroups(
  names: readonly string[] = [],
  isTaken: (vector: Vector) => boolean = () => true,
): readonly VectorGroup[] {
  return selectVectors(loadGroups(), names.length === 0 ? {} : { groups: names }).map((group) => ({
    ...group,
    vectors: group.vectors.filter((vector) => !('generate' in vector.input) && isTaken(vector)),
  }));
}

/** Runs vectors, without random cases by default. */
export function run(adapter: Adapter, groups: readonly VectorGroup[], more: Partial<RunOptions> = {}): Promise<Report> {
  return runConformance(adapter, { groups, suite: { version: '0', digest: '' }, randomCases: 0, seed: 1, ...more });
}
