import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serve } from './build/serve.ts';
import { buildSite } from './build/site.ts';

// npm run site [-- --build] [-- --out FOLDER] [-- --port PORT]
const { values } = parseArgs({
  options: {
    build: { type: 'boolean', default: false },
    out: { type: 'string', default: fileURLToPath(new URL('../../build/site', import.meta.url)) },
    port: { type: 'string', default: '0' },
  },
});
await buildSite(values.out);
if (values.build) console.log(`built ${values.out}`);
else console.log(`${(await serve(values.out, { port: Number(values.port) })).url}  (Ctrl+C ends it)`);
