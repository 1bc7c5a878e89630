/**
 * Writes everything that is generated: `npm run generate`. The digests of large accumulated vectors are not found anew:
 * `npx tsx test/tools/generate/accumulated.ts` does that.
 */
import { writeEvaluationPages } from '../evaluate/page/page.ts';
import { writePage } from '../report-card/write.ts';
import { writeAddress } from './address.ts';
import { writeAgreements } from './agrees.ts';
import { generateBigrams } from './bigrams.ts';
import { generateCodePoints } from './code-points.ts';
import { writeKills } from './kills.ts';
import { generateSpecification } from './spec.ts';
import { writeVectors } from './vectors.ts';

writeAddress();
generateCodePoints();
generateBigrams();
generateSpecification();
await writeEvaluationPages();
writeVectors();
await writeAgreements();
writeKills();
writePage();
