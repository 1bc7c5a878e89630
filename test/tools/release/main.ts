import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes the files of a release in `build/release`, with `SHA256SUMS`: the same bytes each time from the same commit with the same
 * tools. Those of the wheels also depend on the path of the checkout, which Cargo hashes.
 */

const ROOT = new URL('../../../', import.meta.url).pathname;
const OUT = join(ROOT, 'build/release');
const TOOLS = join(ROOT, 'build/python/bin');
const MATURIN = join(TOOLS, 'maturin');
const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** The version of the specification. */
const [, SCHEME] = /^version: (.+)$/m.exec(readFileSync(join(ROOT, 'CITATION.cff'), 'utf8'))!;

/** The time of the commit, in seconds: the only time in the files. */
const TIME = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).trim();

function run(program: string, args: readonly string[], cwd = ROOT): string {
  const options = {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, SOURCE_DATE_EPOCH: TIME, PATH: `${TOOLS}:${process.env['PATH']}` },
    maxBuffer: 1 << 28,
  } as const;
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}

/** The bill of materials, with the identifier and the time that npm draws anew taken from the commit. */
function billOfMaterials(): string {
  const bill = JSON.parse(run('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']));
  // npm names it by its folder.
  bill.metadata.component.name = name;
  bill.metadata.timestamp = new Date(Number(TIME) * 1000).toISOString();
  const digest = createHash('sha256')
    .update(JSON.stringify({ ...bill, serialNumber: '' }))
    .digest('hex');
  bill.serialNumber = `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function makeCrate(): void {
  const crate = join(ROOT, 'src/rust');
  const target = join(ROOT, 'build/release.cargo');
  run('cargo', ['package', '--quiet', '--locked', '--no-verify', '--target-dir', target], crate);
  const file = `simhash-doc-${version}.crate`;
  renameSync(join(target, 'package', file), join(OUT, file));
}

/** The systems that wheels are for. Zig links to the symbols of glibc 2.17, with which they run on every Linux since 2014, or musl 1.2. */
const WHEELS = [
  ['x86_64-unknown-linux-gnu', 'manylinux2014'],
  ['aarch64-unknown-linux-gnu', 'manylinux2014'],
  ['x86_64-unknown-linux-musl', 'musllinux_1_2'],
  ['aarch64-unknown-linux-musl', 'musllinux_1_2'],
] as const;

function makeWheels(): void {
  const wheel = join(ROOT, 'src/python');
  const target = join(ROOT, 'build/adapters/wheel');
  run('rustup', ['target', 'add', ...WHEELS.map(([triple]) => triple)]);
  for (const [triple, tag] of WHEELS) {
    const options = ['--release', '--locked', '--zig', '--target', triple, '--compatibility', tag];
    run(MATURIN, ['build', '--quiet', ...options, '--target-dir', target, '--out', OUT], wheel);
  }
  run(MATURIN, ['sdist', '--out', OUT], wheel);
}

function makePackage(): void {
  run('npm', ['pack', '--silent', '--pack-destination', OUT]);
}

/** The vectors alone, as a package for tests in other languages: without implementations, reports and known mistakes. */
function makeVectors(): void {
  const folder = join(ROOT, 'build/release.vectors');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'vectors.tar');
  run('git', ['archive', '--format=tar', '-o', archive, 'HEAD', 'vectors', 'LICENSE']);
  run('tar', ['-xf', archive], folder);
  const place = join(folder, 'vectors');
  renameSync(join(folder, 'LICENSE'), join(place, 'LICENSE-MIT'));
  const { homepage, repository, bugs, author } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { suite } = JSON.parse(readFileSync(join(ROOT, 'vectors/manifest.json'), 'utf8'));
  const content = {
    ...{ name: `${name}-vectors`, version: suite, description: `Test vectors of ${name}` },
    ...{ homepage, repository, bugs, author, license: 'CC0-1.0 AND MIT AND Unicode-3.0' },
    files: ['*.json', '!mutants.json', 'schema', 'skeletons', 'harness.py', 'CHANGELOG.md', 'LICENSE-MIT'],
  };
  writeFileSync(join(place, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
  run('npm', ['pack', '--silent', '--pack-destination', OUT], place);
}

/** The specification with the vectors, and all documents that it links to. */
function makeSpecification(): void {
  const archive = `${name}-spec-${SCHEME}`;
  const file = join(OUT, `${archive}.tar.gz`);
  const paths = [
    'spec',
    'vectors',
    'src/rust',
    'src/python',
    'CHANGELOG.md',
    'CITATION.cff',
    'GOVERNANCE.md',
    'SECURITY.md',
    'LICENSE',
  ];
  run('git', ['archive', '--format=tar.gz', `--prefix=${archive}/`, '-o', file, 'HEAD', ...paths]);
}

const PARTS: Readonly<Record<string, () => void>> = {
  package: makePackage,
  vectors: makeVectors,
  spec: makeSpecification,
  bill: () => writeFileSync(join(OUT, `${name}-${version}.cdx.json`), billOfMaterials()),
  crate: makeCrate,
  wheel: makeWheels,
};

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS);
const unknown = chosen.find((part) => !Object.hasOwn(PARTS, part));
if (unknown !== undefined) throw new Error(`expected some of ${Object.keys(PARTS).join(', ')}; got ${unknown}`);
if (run('git', ['status', '--porcelain']) !== '') throw new Error('there are changes: a release is made from a commit');
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
for (const part of chosen) PARTS[part]!();
const sums = readdirSync(OUT)
  .sort()
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(OUT, file)))
        .digest('hex')}  ${file}\n`,
  )
  .join('');
writeFileSync(join(OUT, 'SHA256SUMS'), sums);
process.stdout.write(sums);
