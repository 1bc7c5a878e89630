import { expect, test } from 'vitest';

// By its name, as others import it; it is what was built.
const library = (await import('simhash-doc/conformance' as string)) as typeof import('../../src/conformance/index.ts');

test('the shipped implementation conforms like any other', async () => {
  const { loadGroups, loadManifest, loadMutants, referenceCommand, runConformance, selectVectors, suiteOf } = library;
  const adapter = library.createProcessAdapter(referenceCommand(), { deadline: 30_000 });
  try {
    const report = await runConformance(adapter, {
      groups: selectVectors(loadGroups(), { groups: ['simhash', 'tables'] }),
      suite: suiteOf(loadManifest()),
      mutants: loadMutants(),
      selection: 'simhash, tables',
      randomCases: 5,
    });
    expect(report).toMatchObject({ verdict: 'conforms', counts: { failed: 0 }, adapter: { name: 'simhash-doc' } });
    // A part of the suite proves no class.
    expect(report.classes.map(({ verdict }) => verdict)).toEqual(Array(5).fill('untested'));
    expect(library.writeTerminal(report)).toContain('the others were not run');
    // The run has ended it, to check how it exits.
    expect([report.exit, await adapter.end()]).toEqual([null, undefined]);
  } finally {
    await adapter.close();
  }
});

test('the entry point exports the functions for other runners', () => {
  for (const name of ['createProcessAdapter', 'createOneShotAdapter', 'readResults', 'writeHtml', 'writeJunit'])
    expect(library).toHaveProperty(name, expect.any(Function));
});
