import { createInProcessAdapter } from '../../src/conformance/adapter/in-process.ts';
import { runConformance } from '../../src/conformance/run.ts';
import type { VectorGroup } from '../../src/conformance/types.ts';
import { hasLookupKernel } from '../../src/lookup/segment/kernel.ts';

/** What runs in a browser: every vector against the shipped implementation, the results back to the server. */
const groups = (await (await fetch('/vectors')).json()) as VectorGroup[];
const reports = [];
for (const group of groups) {
  const { counts, outcomes } = await runConformance(createInProcessAdapter(), {
    groups: [group],
    suite: { version: '', digest: '' },
    randomCases: 0,
  });
  const failures = outcomes.filter(({ status }) => status !== 'pass');
  reports.push({ group: group.group, ...counts, failures: failures.slice(0, 5) });
}
await fetch('/result', { method: 'POST', body: JSON.stringify({ reports, kernel: hasLookupKernel() }) });
