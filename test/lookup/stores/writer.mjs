// Adds documents in batches of 1,000 for ever, and writes the number of each batch when it is acknowledged.
import { writeSync } from 'node:fs';
import { openFolderIndex } from '../../../dist/lookup/stores/folder/folder-index.js';

const [path, from] = process.argv.slice(2);
const index = await openFolderIndex(path, { label: 'simhash-doc', create: true });
writeSync(1, 'open\n');
for (let batch = Number(from); ; batch++) {
  await index.addAll(
    Array.from({ length: 1000 }, (_, i) => ({ id: `${i} of ${batch}`, fingerprint: BigInt(batch) << 32n })),
  );
  if (batch % 3 === 2) await index.removeAll(Array.from({ length: 1000 }, (_, i) => `${i} of ${batch - 1}`));
  writeSync(1, `${batch}\n`);
}
