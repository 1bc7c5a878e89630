import { cpus } from 'node:os';
import { benchCommand } from './command.ts';
import { benchDuplicates } from './duplicates.ts';
import { benchFingerprint } from './fingerprint.ts';
import { benchLookup } from './lookup.ts';
import { benchPages } from './pages.ts';
import { benchStores } from './stores.ts';
import { benchWheel } from './wheel.ts';

const suites: Readonly<Record<string, () => void | Promise<void>>> = {
  fingerprint: benchFingerprint,
  command: benchCommand,
  duplicates: benchDuplicates,
  lookup: benchLookup,
  stores: benchStores,
  pages: benchPages,
  wheel: benchWheel,
};

const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
for (const name of chosen)
  if (!(name in suites)) {
    console.error(`bench: expected one of ${Object.keys(suites).join(', ')}, got ${name}`);
    process.exit(2);
  }
console.log(
  `Node ${process.versions.node}, V8 ${process.versions.v8}, ${cpus().length} × ${cpus()[0]?.model.trim()}\n`,
);
for (const [name, run] of Object.entries(suites))
  if (chosen.length === 0 || chosen.includes(name)) {
    console.log(`## ${name}\n`);
    await run();
  }
