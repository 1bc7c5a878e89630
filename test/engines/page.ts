import { createInProcessAdapter } from '../../src/conformance/adapter/in-process-adapter.ts';
import { runConformance } from '../../src/conformance/run-conformance.ts';
import type { VectorGroup } from '../../src/conformance/vector.ts';
import { extract } from '../../src/extract/index.ts';
import { hasLookupKernel } from '../../src/lookup/table/table-kernel.ts';

/** Runs in a browser: every vector against the library of the page, the results back to the server. */
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
const pdfs = (await (await fetch('/pdfs')).json()) as [name: string, base64: string][];
const texts: Record<string, string> = {};
for (const [name, base64] of pdfs) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  texts[name] = (await extract(bytes)).text;
}
await fetch('/result', { method: 'POST', body: JSON.stringify({ reports, kernel: hasLookupKernel(), texts }) });
