import { openLmdbIndex } from '../../../lookup/index/stores/lmdb.ts';
import { isStoreFailure } from './failure.ts';

// The process that `index verify` starts for a folder: it prints what it finds as JSON.
try {
  const index = await openLmdbIndex(process.argv[2]!, { mode: 'read' });
  const found = await index.verify();
  await index.close();
  process.stdout.write(JSON.stringify(found));
} catch (error) {
  if (!isStoreFailure(error)) throw error;
  process.stdout.write(JSON.stringify({ error: error.message }));
}
