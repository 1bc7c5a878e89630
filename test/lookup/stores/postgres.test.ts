import { spawnSync } from 'node:child_process';
import { chownSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOCUMENT_LABEL } from '../../../src/cli/options.ts';
import { LABEL, serialise, toHex } from '../../../src/index.ts';
import { openPostgresIndex, type StoredIndex } from '../../../src/lookup/stores/postgres/postgres-index.ts';
import { namesIn } from '../../../src/lookup/stores/postgres/postgres-schema.ts';
import { tableKey } from '../../../src/scheme/tables.ts';
import { isThere } from '../../adapters/implementations.ts';
import { folder, jsonLines, run, success } from '../../cli/command.ts';
import { all, IS_SLOW } from '../../suite.ts';
import { twin } from '../../twin/twin.ts';
import { describeIndex, expectLosses } from '../contract.ts';
import { expectReader } from '../contract-wide.ts';
import { entriesOf, fileCounts, flipped, randomOf, FILE_STATE as state, uniform } from '../data.ts';
import { type Cut, type Sent, startProxy } from './postgres-proxy.ts';
import { hasPostgres, psql, startPostgres } from './postgres-server.ts';

const KEYS = namesIn('public', 1).keys;

/** As servers report a full disk; not all of them give the reason. */
const FULL_DISK = /No space left|may be full/;

/** As Python writes it. */
function asciiJson(text: string): string {
  return JSON.stringify(text).replace('é', '\\u00e9');
}

/** Calls during which the connection is cut. Before each, the index has the documents a and b, and f1 and f2 of the file f. */
const CALLS: Readonly<Record<string, (index: StoredIndex) => unknown>> = {
  create: () => undefined,
  open: () => undefined,
  query: (index) => index.query(1n, { k: 3 }),
  entries: async (index) => (await all(index.entries())).length,
  verify: (index) => index.verify(),
  add: (index) => index.add('c', 3n),
  upsert: (index) => index.upsert('a', 4n),
  addAll: (index) => index.addAll(entriesOf(uniform(1800))),
  remove: (index) => index.remove('a'),
  'files.commit': (index) =>
    index.files.commit({
      documents: [
        { path: 'f', id: 'f2', fingerprint: 7n },
        { path: 'g', id: 'g1', fingerprint: 8n },
      ],
      finished: [{ path: 'f', state }],
      gone: ['h'],
    }),
  'files.remove': (index) => index.files.remove('f'),
  ...(IS_SLOW && { 'addAll to an empty index': (index: StoredIndex) => index.addAll(entriesOf(uniform(10_000))) }),
};

/** Chooses where to cut: in the fast suite at the first statement of each kind. */
function cutsIn(sent: readonly Sent[]): Cut[] {
  const kinds = sent.map(({ type, text }) => `${type} ${text.slice(0, 16)}`);
  const places = IS_SLOW ? [...kinds.keys()] : kinds.flatMap((kind, at) => (kinds.indexOf(kind) === at ? [at] : []));
  return places.flatMap((at) => [
    { at, when: 'before' },
    { at, when: 'after' },
  ]);
}

/** Returns what an error says of the transaction if the connection is cut at a statement; undefined if the call succeeds. */
function effectOf(sent: readonly Sent[], at: number): 'unknown' | 'nothing' | 'none' | undefined {
  const { type, text } = sent[at]!;
  const last = sent.slice(0, at).findLast((each) => /^(?:BEGIN|COMMIT|ROLLBACK)/.test(each.text))?.text ?? '';
  if (type === 'start' || text.startsWith('SET jit')) return 'none';
  if (last.startsWith('BEGIN')) {
    // The answer to the ROLLBACK after reading changes nothing.
    if (text === 'ROLLBACK') return undefined;
    return text === 'COMMIT' ? 'unknown' : last.endsWith('READ ONLY') ? 'none' : 'nothing';
  }
  return /^(?:SELECT|BEGIN)/.test(text) ? undefined : 'unknown';
}

describe.runIf(isThere('PostgreSQL', hasPostgres))('an index in PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  let count = 0;
  const create = (label = LABEL): Promise<StoredIndex> =>
    openPostgresIndex(server.url, { label, create: true, schema: `s${count++}`, connections: 3 });

  if (IS_SLOW)
    describeIndex(
      'PostgreSQL',
      (label) => openPostgresIndex(server.url, { label, create: true, schema: `s${count++}` }),
      10,
    );

  /** Runs a statement by itself. */
  async function sql(text: string, url = server.url): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  test('answers every k like the twin, after changes and after reopening', async () => {
    const schema = `s${count}`;
    const index = await create();
    const random = randomOf(3);
    const centres = uniform(20);
    const entries = Array.from(uniform(400), (_, i) => ({
      id: `${(i * 37) % 400}`,
      fingerprint: flipped(centres[i % 20]!, 9, random),
    }));
    expect(await index.addAll(entries)).toEqual({ added: 400, replaced: 0, refused: 0 });
    await index.upsert('7', 5n);
    await index.removeAll(['8', '9', 'nope']);
    const model = entries.filter(({ id }) => !['7', '8', '9'].includes(id)).concat({ id: '7', fingerprint: 5n });
    await index.close();
    const again = await openPostgresIndex(server.url, { schema, mode: 'read' });
    for (const k of [0, 1, 2, 3, 4, 5, 6, 7, 8, 20]) {
      const query = flipped(centres[k % 20]!, k, random);
      const { matches, by } = await again.query(query, { k });
      expect(matches).toMatchObject(twin.matches(model, query, k));
      expect([matches.length, by]).toEqual([twin.matches(model, query, k).length, k <= 7 ? 'tables' : 'scan']);
    }
    for (const k of [3, 7, 20])
      await expect(again.query(centres[0]!, { k, maxWork: 1 })).rejects.toMatchObject({ code: 'too-much-work' });
    expect(await again.verify()).toEqual({ documents: 398, faults: [] });
    await expect(again.add('x', 1n)).rejects.toMatchObject({ code: 'read-only' });
    await again.close();
  });

  test('keeps losses, and is damaged without their column', async () => {
    const schema = `s${count}`;
    const index = await create();
    await expectLosses(index);
    await sql(`ALTER TABLE "${schema}".simhash_doc_document DROP COLUMN losses`);
    const error = { code: 'damaged', message: expect.stringContaining('column "losses"') };
    for (const k of [3, 9]) await expect(index.query(1n, { k })).rejects.toMatchObject(error);
    await expect(all(index.entries())).rejects.toMatchObject(error);
    await expect(index.addAll([{ id: 'a', fingerprint: 1n }])).rejects.toMatchObject(error);
    await index.close();
  });

  test('of 256 bits has four columns and 64 indexes, each for a key of a word', async () => {
    const schema = `s${count}`;
    const index = await create('minhash-doc-256');
    const words = [...uniform(4)];
    const fingerprint = new Uint8Array(Buffer.from(BigUint64Array.from(words).buffer).swap64());
    await index.add('a', fingerprint);
    const indexes = await sql(`SELECT indexname FROM pg_indexes WHERE schemaname = '${schema}'`);
    const names = indexes.map((row) => String(row['indexname'])).filter((name) => name.startsWith('simhash_doc_key_'));
    expect(names.sort()).toEqual(Array.from({ length: 64 }, (_, number) => `simhash_doc_key_${number}`).sort());
    const { keys, columns, document } = namesIn(schema, 4);
    expect(columns).toEqual(['fingerprint', 'fingerprint_1', 'fingerprint_2', 'fingerprint_3']);
    const [row] = await sql(`SELECT ${keys.map((key, number) => `${key} AS k${number}`).join(', ')} FROM ${document}`);
    expect(Object.values(row!)).toEqual(keys.map((_, number) => tableKey(words[number >> 4]!, number & 15)));
    expect(await index.verify()).toEqual({ documents: 1, faults: [] });
    await index.close();
  });

  test('has all indexes after many documents were added to an empty one, also after a failure', async () => {
    const schema = `s${count}`;
    const index = await create();
    const entries = Array.from(uniform(10_500), (fingerprint, i) => ({ id: `${i % 10_200}`, fingerprint }));
    function* failing() {
      yield* entries;
      yield { id: '', fingerprint: 1n };
    }
    await expect(index.addAll(failing())).rejects.toMatchObject({ code: 'out-of-range' });
    expect(await index.verify()).toEqual({ documents: 10_200, faults: [] });
    expect((await index.query(entries[77]!.fingerprint, { k: 0 })).matches).toMatchObject([{ id: '77' }]);
    expect(await index.addAll(entries)).toEqual({ added: 0, replaced: 0, refused: 10_500 });
    const [row] = await sql(
      `SELECT count(*)::int AS n FROM pg_indexes WHERE schemaname = '${schema}' AND indexname LIKE 'simhash_doc_key_%'`,
    );
    expect(row).toEqual({ n: 16 });
    await index.close();
  });

  test('rebuilds its indexes for many documents in exclusive use', async () => {
    const schema = `s${count}`;
    const keys = async () =>
      sql(
        `SELECT oid FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND relname LIKE 'simhash_doc_key_%' ORDER BY relname`,
      );
    const entries = entriesOf(uniform(20_500));
    const first = await create();
    await first.addAll(entries.slice(0, 10_000));
    const before = await keys();
    await first.close();
    const index = await openPostgresIndex(server.url, { schema, exclusive: true });
    expect((await index.addAll(entries.slice(9_900, 10_400))).added).toBe(400);
    expect(await keys()).toEqual(before);
    expect((await index.addAll(entries)).added).toBe(10_100);
    const after = await keys();
    expect([after.length, after.filter(({ oid }) => before.some((key) => key['oid'] === oid))]).toEqual([16, []]);
    expect(await index.verify()).toEqual({ documents: 20_500, faults: [] });
    await index.close();
  });

  test('is reported by verify for missing, additional, partial or wrong indexes', async () => {
    const schema = `s${count}`;
    const index = await create();
    await index.addAll(entriesOf(uniform(300)));
    const table = `"${schema}".simhash_doc_document`;
    const replace = (number: number, definition: string) =>
      sql(`DROP INDEX "${schema}".simhash_doc_key_${number}; ${definition}`);
    await replace(1, '');
    await replace(2, `CREATE INDEX simhash_doc_key_2 ON ${table} ((fingerprint & 5))`);
    await replace(3, `CREATE INDEX simhash_doc_key_3 ON ${table} (${KEYS[3]}) WHERE fingerprint > 0`);
    // As if the system's sorting had changed: rows that the index lacks.
    await sql(`UPDATE pg_index SET indisready = false WHERE indexrelid = '"${schema}".simhash_doc_key_4'::regclass`);
    await sql(`INSERT INTO ${table} VALUES ('\\xff', 7)`);
    await sql(`UPDATE pg_index SET indisready = true WHERE indexrelid = '"${schema}".simhash_doc_key_4'::regclass`);
    expect(await index.verify()).toEqual({
      documents: 301,
      faults: [
        'document "\ufffd": its id is not UTF-8',
        'index simhash_doc_key_1: expected a valid index',
        'index simhash_doc_key_2: it has another expression',
        'index simhash_doc_key_3: expected a valid index',
        'index simhash_doc_key_4: expected 301 documents, got 300',
      ],
    });
    await index.close();
  });

  /** Runs a program that shares no code with the package. */
  function readFrom(schema: string, ...args: string[]): string[] {
    const script = new URL('read_postgres.py', import.meta.url).pathname;
    const result = spawnSync('python3', ['-B', script, psql, server.url, schema, ...args], { encoding: 'utf8' });
    if (result.status !== 0) throw new Error(result.stderr);
    return result.stdout.split('\n').slice(0, -1);
  }

  test.runIf(IS_SLOW)('of 256 bits is read by a program that shares no code', async () => {
    const schema = `s${count}`;
    await expectReader(await create('minhash-doc-256'), (...args) =>
      readFrom(schema, ...args).map((line) => JSON.parse(line)),
    );
  });

  test('is read by a program that shares no code', async () => {
    const schema = `s${count}`;
    const index = await create();
    const random = randomOf(8);
    const centres = uniform(8);
    const entries = Array.from(uniform(100), (_, i) => ({
      id: `${i}\t\n\\é`,
      fingerprint: flipped(centres[i % 8]!, 3, random),
    }));
    await index.addAll(entries);
    await index.close();
    const read = (...args: string[]): string[] => readFrom(schema, ...args);
    expect(read().sort()).toEqual(
      entries.map(({ id, fingerprint }) => `{"id": ${asciiJson(id)}, "fingerprint": "${toHex(fingerprint)}"}`).sort(),
    );
    expect(read(toHex(centres[0]!), '3')).toEqual(twin.matches(entries, centres[0]!, 3).map(({ id }) => asciiJson(id)));
  });

  test('notes a file by the next try after a failure', async () => {
    const index = await create();
    const commit = (id: string) =>
      index.files.commit({ documents: [{ path: 'c', id, fingerprint: 1n }], finished: [{ path: 'c', state }] });
    await expect(commit('x'.repeat(501))).rejects.toThrow();
    expect(await commit('c')).toEqual(fileCounts({ added: 1 }));
    expect([await index.files.get('c'), await index.files.remove('c')]).toEqual([state, 1]);
    await index.close();
  });

  test('replaces a connection that was lost while idle', async () => {
    const index = await create();
    await index.addAll([{ id: 'before', fingerprint: 1n }]);
    // Synchronously, so that the pool cannot notice before it is asked for a connection.
    const statement = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`;
    expect(spawnSync(psql, [server.url, '-X', '-q', '-c', statement]).status).toBe(0);
    await index.addAll([{ id: 'after', fingerprint: 2n }]);
    expect(await index.size()).toBe(2);
    await index.close();
  });

  test.each([
    ['53100', 'could not extend file "x": No space left', 'no-space', ''],
    ['53400', 'temporary file size exceeds temp_file_limit', 'no-space', ''],
    ['XX000', 'could not write init file', 'unavailable', ' (the disk of the server may be full)'],
    ['58030', 'could not fsync file "x": Input/output error', 'unavailable', ' (the disk of the server may be full)'],
    ['58030', 'could not read block 1', 'unavailable', ''],
    ['53200', 'out of memory', 'unavailable', ''],
    ['25006', 'cannot execute INSERT in a read-only transaction', 'read-only', ''],
    ['42501', 'permission denied', 'no-permission', ''],
  ])('reports the error %s of the server, %s, in one line', async (state, message, code, hint) => {
    const schema = `s${count}`;
    const index = await create();
    await sql(`CREATE FUNCTION "${schema}".fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE '%', E'${message}\\n' USING ERRCODE = '${state}'; END $$`);
    // At the statement, then at COMMIT.
    for (const timing of ['', 'DEFERRABLE INITIALLY DEFERRED']) {
      await sql(`DROP TRIGGER IF EXISTS fail ON "${schema}".simhash_doc_document; CREATE CONSTRAINT TRIGGER fail
        AFTER INSERT ON "${schema}".simhash_doc_document ${timing} FOR EACH ROW EXECUTE FUNCTION "${schema}".fail()`);
      for (const add of [() => index.add('a', 1n), () => index.addAll([{ id: 'a', fingerprint: 1n }])])
        await expect(add()).rejects.toMatchObject({
          code,
          message: `${server.url.replace(':secret', '')}: ${message}${hint}; nothing of this transaction was written`,
        });
    }
    expect(await index.size()).toBe(0);
    await index.close();
  });

  describe('whose connection is cut', () => {
    const schema = 'cut';
    let proxy: Awaited<ReturnType<typeof startProxy>>;
    let cutUrl = '';
    let direct: StoredIndex;
    beforeAll(async () => {
      const { port } = new URL(server.url);
      proxy = await startProxy(Number(port));
      cutUrl = server.url.replace(port, String(proxy.port));
      direct = await openPostgresIndex(server.url, { label: LABEL, create: true, schema, connections: 1 });
    });
    afterAll(() => Promise.all([proxy.stop(), direct.close()]));

    /** All that the index in a schema has, or that there is none. */
    async function stored(schema: string): Promise<string> {
      const [there] = await sql(`SELECT to_regclass('"${schema}".simhash_doc_meta') AS name`);
      if (there!['name'] === null) return 'no index';
      const list = (columns: string, table: string) =>
        `(SELECT string_agg(concat_ws(' ', ${columns}), ', ' ORDER BY ${columns}) FROM "${schema}".simhash_doc_${table})`;
      const [row] = await sql(
        `SELECT ${list('document_id, fingerprint', 'document')} AS documents, ${list('path, state', 'file')} AS files,
         ${list('document_id', 'member')} AS members`,
      );
      return JSON.stringify(row);
    }

    /** Makes the index as it is before each call; returns the schema in which the call works. */
    async function prepare(name: string): Promise<string> {
      if (name === 'create') {
        await sql('DROP SCHEMA IF EXISTS made CASCADE');
        return 'made';
      }
      await sql(
        ['document', 'file', 'member'].map((table) => `DELETE FROM "${schema}".simhash_doc_${table}`).join('; '),
      );
      if (name.endsWith('empty index')) return schema;
      await direct.add('a', 1n);
      await direct.add('b', 2n);
      const documents = ['f1', 'f2'].map((id) => ({ path: 'f', id, fingerprint: 5n }));
      await direct.files.commit({ documents, finished: [{ path: 'f', state }] });
      return schema;
    }

    /** Opens an index, calls it with a cut, and asks it again. */
    async function attempt(name: string, schema: string, cut?: Cut) {
      const open = () => openPostgresIndex(cutUrl, { label: LABEL, schema, connections: 2, create: name === 'create' });
      proxy.arm();
      let index = name === 'create' || name === 'open' ? undefined : await open();
      let [result, error]: [unknown, Error | undefined] = [undefined, undefined];
      proxy.arm(cut);
      try {
        index ??= await open();
        result = await CALLS[name]!(index);
      } catch (failure) {
        error = failure as Error;
      }
      const sent = [...proxy.sent()];
      const state = await stored(schema);
      index ??= await open();
      expect(await index.size()).toBe(await (name === 'create' ? 0 : direct.size()));
      await index.close();
      return { result, error, sent, state };
    }

    test.each(Object.keys(CALLS))('at each statement of %s: nothing is lost, and the message is true', async (name) => {
      const schema = await prepare(name);
      const before = await stored(schema);
      const whole = await attempt(name, schema);
      expect(whole.error).toBeUndefined();
      const effects = new Set<string>();
      for (const cut of cutsIn(whole.sent)) {
        await prepare(name);
        const { result, error, state } = await attempt(name, schema, cut);
        const effect = effectOf(whole.sent, cut.at);
        const where = `cut ${cut.when} ${whole.sent[cut.at]!.type} ${cut.at}, ${whole.sent[cut.at]!.text.slice(0, 80)}`;
        const isDone = effect === undefined || (effect === 'unknown' && cut.when === 'after');
        expect(state, where).toBe(isDone ? whole.state : before);
        if (effect === undefined) expect({ result, error }, where).toEqual({ result: whole.result, error: undefined });
        else {
          effects.add(effect);
          expect(error, where).toMatchObject({
            code: 'unavailable',
            message: expect.stringMatching(/^postgres:\/\/tester@\S+: the connection to the server was lost[ -~]*$/),
          });
          const said = /outcome (unknown)|(nothing) of this transaction was written/.exec(error!.message);
          expect(said?.[1] ?? said?.[2] ?? 'none', where).toBe(effect);
        }
      }
      expect(effects.has('unknown')).toBe(whole.state !== before);
    });

    test('is reported by the command in one line, with exit code 3', async () => {
      const stdin = `{"label":"${LABEL}","id":"c","fingerprint":"${serialise(7n)}"}\n`;
      const cwd = folder({ 'a.txt': 'The quick brown fox.' });
      await sql('CREATE DATABASE cut');
      const [url, there] = [cutUrl, server.url].map((each) => each.replace(/\/postgres$/, '/cut')) as [string, string];
      expect((await run(['index', 'import', url], { cwd, stdin })).code).toBe(0);
      for (const [argv, statement, message] of [
        [['index', 'import', url], 'COMMIT', 'outcome unknown: this transaction was written as a whole or not at all'],
        [['index', 'import', url], 'CREATE TEMP TABLE', 'nothing of this transaction was written'],
        [['index', 'sync', url, 'a.txt'], 'COMMIT', 'outcome unknown'],
        [['index', 'add', url, 'a.txt'], 'INSERT', 'nothing of this transaction was written'],
        [['index', 'remove', url, 'c'], 'WITH gone', 'outcome unknown'],
        [['index', 'query', url, 'a.txt'], 'SET jit', 'the connection to the server was lost'],
        [['index', 'export', url], 'FETCH', 'the connection to the server was lost'],
        [['index', 'verify', url], 'EXPLAIN', 'the connection to the server was lost'],
        [['dupes', '--store', url, 'a.txt'], 'SET jit', 'the connection to the server was lost'],
      ] as const) {
        await sql('DELETE FROM simhash_doc_file', there);
        proxy.arm();
        await run(argv, { cwd, stdin });
        await sql('DELETE FROM simhash_doc_file', there);
        const at = proxy.sent().findIndex(({ text }) => text.startsWith(statement));
        proxy.arm({ at, when: 'after' });
        const { code, stdout, stderr } = await run(argv, { cwd, stdin });
        expect({ argv, code, stdout, lines: stderr.split('\n').length }).toEqual({
          argv,
          code: 3,
          stdout: '',
          lines: 2,
        });
        expect(stderr).toContain(message);
      }
    });
  });

  test.runIf(IS_SLOW && process.platform === 'linux' && process.getuid?.() === 0)(
    'loses nothing that was acknowledged on a full disk, and writes again when there is room (needs root, to mount one)',
    async ({ skip, onTestFinished }) => {
      const disk = folder({});
      const mount = (options: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', disk]).status;
      if (mount('size=24m') !== 0) return skip('cannot mount a file system');
      onTestFinished(() => void spawnSync('umount', ['--lazy', disk]));
      const { uid, gid } = statSync(server.folder);
      chownSync(disk, uid, gid);
      await sql(`CREATE TABLESPACE small LOCATION '${disk}'`);
      await sql('CREATE DATABASE small TABLESPACE small');
      const url = server.url.replace(/\/postgres$/, '/small');
      const index = await openPostgresIndex(url, { label: LABEL, create: true });
      const add = (batch: number) =>
        index.addAll(Array.from({ length: 1000 }, (_, i) => ({ id: `${i} of ${batch}`, fingerprint: BigInt(i) })));
      let acknowledged = 0;
      const fill = async (): Promise<never> => {
        for (;;) {
          await add(acknowledged);
          acknowledged++;
        }
      };
      await expect(fill()).rejects.toThrow(FULL_DISK);
      expect(acknowledged).toBeGreaterThan(3);
      expect(await index.size()).toBe(1000 * acknowledged);
      expect((await index.query(7n, { k: 0 })).matches.length).toBe(acknowledged);
      const more = Array.from(
        { length: 2000 },
        (_, i) => `{"label":"${LABEL}","id":"more ${i}","fingerprint":"${serialise(7n)}"}\n`,
      );
      const { code, stderr } = await run(['index', 'import', url], { stdin: more.join('') });
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/^[ -~]+\n$/) });
      expect(stderr).toMatch(FULL_DISK);
      expect(await index.size()).toBe(1000 * acknowledged);
      expect(mount('remount,size=200m')).toBe(0);
      await add(acknowledged);
      expect(await index.size()).toBe(1000 * (acknowledged + 1));
      expect(await index.verify()).toMatchObject({ faults: [] });
      await index.close();
      await sql('DROP DATABASE small');
      await sql('DROP TABLESPACE small');
    },
  );

  test('is used by the command', async () => {
    await sql('CREATE DATABASE copy');
    const [url, copy] = [server.url, server.url.replace(/\/postgres$/, '/copy')];
    const cwd = folder({ 'a.txt': 'The quick brown fox.', 'b.txt': 'The quick brown fox.' });
    const index = (stdin: string, ...args: string[]) => run(['index', ...args], { cwd, stdin });
    const early = await index('', 'add', url, 'a.txt');
    expect(early).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('create one with index create'),
    });
    expect(early.stderr).not.toContain('secret');
    expect(await index('', 'create', url)).toEqual(success(''));
    expect((await index('', 'add', url, '.')).stdout).toBe('added 2 documents, replaced 0\n');
    expect((await index('', 'add', url, '.')).stdout).toContain('skipped 2 unchanged files');
    expect(jsonLines((await index('', 'query', url, './a.txt', '--json', '--verify')).stdout)).toMatchObject(
      ['a.txt', 'b.txt'].map((name) => ({ id: join(realpathSync(cwd), name), distance: 0, overlap: 1 })),
    );
    // Import makes the index, with the label of the lines.
    const { stdout: lines } = await index('', 'export', url);
    expect(await index(lines, 'import', copy)).toEqual(success('added 2 documents, replaced 0\n'));
    expect((await index('', 'stats', copy)).stdout).toContain(`label         ${DOCUMENT_LABEL}\n`);
    expect((await index(lines, 'import', copy)).stdout).toBe('added 0 documents, replaced 2\n');
    rmSync(join(cwd, 'b.txt'));
    const synced = 'added 0 documents, replaced 0, removed 1, skipped 1 unchanged file\n';
    expect((await index('', 'sync', url, '.')).stdout).toBe(synced);
    expect((await index('', 'verify', url)).stdout).toBe('1 document, no faults\n');
  });

  test('reports another layout, another label, no index, or no server, without the password', async () => {
    const schema = `s${count}`;
    await (await create()).close();
    const open = (options = {}, url = server.url) => openPostgresIndex(url, { schema, ...options });
    const set = (name: string, value: string) =>
      sql(`UPDATE "${schema}".simhash_doc_meta SET value = '${value}' WHERE name = '${name}'`);
    await set('label', 'simhash-doc+bg1+cap8');
    await expect(open({ label: LABEL })).rejects.toMatchObject({
      code: 'invalid-label',
      message: expect.stringContaining('"simhash-doc+bg1+cap8", which is not a registered label'),
    });
    await set('layout', '9');
    const errors = [
      await open().catch((error) => error),
      await open({ schema: 'nothing' }).catch((error) => error),
      await open({}, server.url.replace('/postgres', '/nothing').replace('nothing://', 'postgres://')).catch(
        (error) => error,
      ),
      await open({}, server.url.replace('tester', 'nobody')).catch((error) => error),
      await open({}, 'postgres://tester:secret@127.0.0.1:1/postgres?password=secret').catch((error) => error),
    ];
    const codes = errors.map(({ code }) => code).join(' ');
    expect(codes).toBe('other-version not-found not-found no-permission unavailable');
    for (const { message } of errors) expect(message).not.toContain('secret');
  });
});
