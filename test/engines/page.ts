import { checkGroup } from '../../src/conformance/judge/check.ts';
import type { VectorGroup } from '../../src/conformance/types.ts';
import { hasLookupKernel } from '../../src/lookup/segment/kernel.ts';

/** What runs in a browser: every vector against the shipped implementation, the results back to the server. */
const groups = (await (await fetch('/vectors')).json()) as VectorGroup[];
const reports = [];
for (const group of groups) {
  const { group: name, passed, failed, failures } = await checkGroup(group);
  reports.push({ group: name, passed, failed, failures: failures.slice(0, 5) });
}
await fetch('/result', { method: 'POST', body: JSON.stringify({ reports, kernel: hasLookupKernel() }) });
