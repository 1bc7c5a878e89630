/**
 * Writes the generated files: `npm run generate`, or parts of them: `npm run generate -- spec vectors`. The claims have a script
 * of their own, claims.ts.
 */

/** The parts; later ones read the files of earlier ones. */
const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  address: async () => (await import('./address.ts')).writeAddress(),
  'code-points': async () => (await import('./code-points.ts')).generateCodePoints(),
  bigrams: async () => (await import('./bigrams.ts')).generateBigrams(),
  spec: async () => (await import('./spec.ts')).generateSpecification(),
  evaluation: async () => (await import('../evaluate/page/page.ts')).writeEvaluationPages(),
  vectors: async () => (await import('./vectors.ts')).writeVectors(),
  agrees: async () => (await import('./agrees.ts')).writeAgreements(),
  mutants: async () => (await import('./mutants.ts')).writeMutants(),
  'report-card': async () => (await import('../report-card/write.ts')).writePage(),
  pictures: async () => (await import('./pictures.ts')).writePictures(),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((part) => !Object.hasOwn(PARTS, part));
if (unknown.length > 0) {
  console.error(`generate: no part ${unknown.join(', ')}; the parts are ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
try {
  for (const [part, write] of Object.entries(PARTS)) if (asked.length === 0 || asked.includes(part)) await write();
} catch (error) {
  console.error(`generate: ${(error as Error).message}`);
  process.exit(1);
}
