import { parseArgs } from 'node:util';
import { FAMILIES, growthOf } from './growth.ts';

/** Measures inputs of n, 2n and 4n; cost that grows faster than the input is a finding. */
async function measureGrowth(starts: readonly string[]): Promise<number> {
  let faults = 0;
  for (const family of FAMILIES) {
    if (starts.length > 0 && !starts.some((start) => family.name.startsWith(start))) continue;
    const first = await growthOf(family);
    // Compiling or collecting garbage may fall into one measurement.
    const { figures, fault } = first.fault === null ? first : await growthOf(family);
    if (fault !== null) faults++;
    console.log(`${family.name}: ${figures}${fault === null ? '' : `: superlinear ${fault}`}`);
  }
  return faults === 0 ? 0 : 1;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { growth: { type: 'boolean' } } });
if (values.growth) process.exitCode = await measureGrowth(positionals);
else {
  console.error('Usage: npm run fuzz -- --growth [START OF A NAME...]');
  process.exitCode = 2;
}
