/**
 * Writes the generated files: `npm run generate`, or parts of them: `npm run generate -- spec vectors`. Two parts have
 * scripts of their own: the digests of large accumulated vectors (accumulated.ts) and the claims (claims.ts).
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
  kills: async () => (await import('./kills.ts')).writeKills(),
  'report-card': async () => (await import('../report-card/write.ts')).writePage(),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((part) => !Object.hasOwn(PARTS, part));
if (unknown.length > 0) {
  console.error(`generate: no part ${unknown.join(', ')}; the parts are ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
for (const [part, write] of Object.entries(PARTS)) if (asked.length === 0 || asked.includes(part)) await write();
