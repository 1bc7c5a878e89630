// Extracts every PDF in a folder, with dist/: the texts by name as JSON on standard output.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from '../../dist/extract/index.js';

const folder = process.argv[2];
const texts = {};
for (const name of readdirSync(folder).filter((each) => each.endsWith('.pdf')))
  texts[name] = (await extract(readFileSync(join(folder, name)))).text;
console.log(JSON.stringify(texts));
