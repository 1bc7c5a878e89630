import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WHEEL } from './wheel.ts';

interface Package {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly manifest_path: string;
  readonly source: string | null;
  readonly targets: readonly { readonly kind: readonly string[] }[];
}

interface Metadata {
  readonly packages: readonly Package[];
  readonly resolve: {
    readonly root: string;
    readonly nodes: readonly {
      readonly id: string;
      readonly deps: readonly {
        readonly pkg: string;
        readonly dep_kinds: readonly { readonly kind: string | null }[];
      }[];
    }[];
  };
}

/** Lists the packages of others that the wheel contains: what is linked, not what only helps to build it. */
function linkedPackages(): Package[] {
  const options = ['--locked', '--format-version', '1', '--filter-platform', 'x86_64-unknown-linux-gnu'];
  const found = execFileSync('cargo', ['metadata', ...options], { cwd: WHEEL, maxBuffer: 2 ** 28, stdio: 'pipe' });
  const { packages, resolve } = JSON.parse(found.toString()) as Metadata;
  const packageOf = new Map(packages.map((each) => [each.id, each]));
  const depsOf = new Map(resolve.nodes.map(({ id, deps }) => [id, deps]));
  const ids = new Set([resolve.root]);
  for (const id of ids)
    for (const { pkg, dep_kinds: kinds } of depsOf.get(id)!) {
      const isMacro = packageOf.get(pkg)!.targets.some(({ kind }) => kind.includes('proc-macro'));
      if (kinds.some(({ kind }) => kind === null) && !isMacro) ids.add(pkg);
    }
  return packages.filter(({ id, source }) => ids.has(id) && source !== null);
}

const LINE = '-'.repeat(79);

/** Makes the text of the wheel's `THIRD-PARTY.txt`: packages, notices and licences. */
export function makeThirdParty(): string {
  const linked = linkedPackages().sort((a, b) => (a.name < b.name ? -1 : 1));
  const read = ({ manifest_path: path }: Package, ...names: readonly string[]): string[] =>
    names
      .map((name) => join(dirname(path), name))
      .flatMap((file) => (existsSync(file) ? [readFileSync(file, 'utf8').trim()] : []));
  const isApache = ({ license }: Package): boolean => /\bApache-2\.0\b/.test(license);
  const notices = new Set(linked.flatMap((each) => read(each, 'NOTICE.txt', 'NOTICE')));
  const apache = read(linked.find(({ name }) => name === 'arrow-array')!, 'LICENSE.txt');
  // A choice between licences is one for Apache-2.0; only others have a text of their own.
  const others = linked
    .filter((each) => !isApache(each) || / AND /.test(each.license))
    .map((each) => `${each.name}:\n\n${read(each, 'LICENSE-MIT', 'LICENSE', 'LICENSE.txt')[0]}`);
  const list = linked.map(({ name, version, license }) => `${name} ${version} (${license})`);
  const head = `The wheel for Linux contains these packages, and the standard library of Rust (MIT OR Apache-2.0):\n\n${list.join('\n')}`;
  return `${[head, ...notices, ...apache, ...others].join(`\n\n${LINE}\n\n`)}\n`;
}
