import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;

/** An implementation that shares no code with the reference: written from spec/ alone. */
export interface Implementation {
  readonly name: string;
  /** Its command, built first if needed, or the reason why it cannot be run here. */
  readonly command: () => readonly string[] | { readonly missing: string };
  /** True if it has to be compiled: only the slow suite runs these. */
  readonly isCompiled: boolean;
  /** The argument that makes it a one-shot adapter. */
  readonly oneShot?: string;
  /** The command that runs its own tests, and what that prints when all pass. */
  readonly selfTest: { readonly command: readonly string[]; readonly folder?: string; readonly prints: RegExp };
}

/** Operations that none of them offers. */
export const WITHOUT: readonly string[] = ['extract', 'extract-html'];

const ADAPTERS = join(root, 'vectors/adapters');

/** The folder where Cargo keeps what it has built; it locks the folder itself. */
export const CARGO_TARGET = join(root, 'build/adapters/rust');

/** Tests whether a command exits with 0, as that of an installed program. */
export function succeeds(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/** Makes a folder of this process below the root, from where a program finds spec/. */
function makeFolder(name: string): string {
  mkdirSync(join(root, 'build/adapters'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build/adapters', `${name}-`));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a compiler once for a process, if the check of what it needs succeeds. */
function compileOnce(
  check: readonly [program: string, ...args: string[]],
  compile: () => readonly string[],
  missing = check[0],
): Implementation['command'] {
  let command: readonly string[] | undefined;
  return () => {
    if (!succeeds(...check)) return { missing };
    command ??= compile();
    return command;
  };
}

/** Flags of the compiler of C; warnings are errors. */
const C_FLAGS = ['-std=c11', '-O2', '-Wall', '-Wextra', '-Wpedantic', '-Werror'];

/** Compiles C. */
function compileC(): readonly string[] {
  const program = join(makeFolder('c'), 'adapter');
  const sources = ['adapter.c', 'simhash_doc.c'].map((name) => join(ADAPTERS, 'c', name));
  execFileSync('cc', [...C_FLAGS, ...sources, '-lutf8proc', '-o', program]);
  return [program, join(root, 'spec')];
}

/** Builds the module in Go; its dependency comes from the module cache or the proxy. */
function compileGo(): readonly string[] {
  const program = join(makeFolder('go'), 'adapter');
  execFileSync('go', ['build', '-o', program, '.'], { cwd: join(ADAPTERS, 'go'), stdio: 'pipe' });
  return [program];
}

/** Builds the adapter in Rust with the crate; its dependencies come from the cache of Cargo or the registry. */
function compileRust(): readonly string[] {
  execFileSync('cargo', ['build', '--quiet', '--release', '--locked', '--target-dir', CARGO_TARGET], {
    cwd: join(ADAPTERS, 'rust'),
    stdio: 'pipe',
  });
  return [join(CARGO_TARGET, 'release/simhash-doc-adapter')];
}

/** Compiles Java; warnings are errors. */
function compileJava(): readonly string[] {
  const folder = makeFolder('java');
  const sources = ['SimhashDoc.java', 'Adapter.java'].map((name) => join(ADAPTERS, 'java', name));
  execFileSync('javac', ['-Xlint:all', '-Werror', '-d', folder, ...sources], { stdio: 'pipe' });
  return ['java', '-cp', folder, 'Adapter'];
}

/** The implementations in vectors/adapters/. */
export const implementations: readonly Implementation[] = [
  {
    name: 'python',
    command: () =>
      succeeds('python3', '--version')
        ? ['python3', '-B', join(ADAPTERS, 'python/adapter.py')]
        : { missing: 'python3' },
    isCompiled: false,
    selfTest: { command: ['python3', '-B', join(ADAPTERS, 'python/selftest.py')], prints: /\d+ checks, 0 failed/ },
  },
  {
    name: 'c',
    command: compileOnce(
      ['cc', '-E', '-include', 'utf8proc.h', '-x', 'c', '/dev/null'],
      compileC,
      'a C compiler, or the library utf8proc (libutf8proc-dev),',
    ),
    isCompiled: true,
    oneShot: '--one-shot',
    selfTest: {
      command: [
        'sh',
        '-c',
        `d=$(mktemp -d) && cd vectors/adapters/c &&
        cc ${C_FLAGS.join(' ')} -fsanitize=address,undefined -fno-sanitize-recover=all simhash_doc.c self_test.c \\
          -lutf8proc -o "$d/self_test" && cd ../../.. && "$d/self_test"; rm -r "$d"`,
      ],
      prints: /\d+ checks, 0 wrong/,
    },
  },
  {
    name: 'go',
    command: compileOnce(['go', 'version'], compileGo),
    isCompiled: true,
    oneShot: 'one-shot',
    selfTest: {
      command: ['sh', '-c', 'test -z "$(gofmt -l .)" && go vet ./... && go test -count=1 ./...'],
      folder: 'vectors/adapters/go',
      prints: /^ok\s+simhashdoc\.example\/adapter\/simhashdoc/m,
    },
  },
  {
    name: 'rust',
    command: compileOnce(['cargo', '--version'], compileRust),
    isCompiled: true,
    oneShot: '--one-shot',
    selfTest: {
      command: [
        'sh',
        '-c',
        `export CARGO_TARGET_DIR='${CARGO_TARGET}' RUSTDOCFLAGS='-D warnings' && for package in . ../../vectors/adapters/rust; do
          cargo fmt --check --manifest-path $package/Cargo.toml &&
          cargo clippy --quiet --locked --all-targets --manifest-path $package/Cargo.toml -- -D warnings || exit 1
        done && cargo build --quiet --locked --lib --no-default-features &&
        cargo doc --quiet --locked --no-deps --lib && cargo package --quiet --locked --allow-dirty && cargo test --locked`,
      ],
      folder: 'src/rust',
      // The tests, then the examples of the documentation.
      prints: /(?:test result: ok\. [1-9][\s\S]*){2}/,
    },
  },
  {
    name: 'java',
    command: compileOnce(['javac', '-version'], compileJava),
    isCompiled: true,
    oneShot: '--one-shot',
    selfTest: {
      // The example of the README, after what it says, and the self-test.
      command: [
        'sh',
        '-c',
        `d=$(mktemp -d) && sed -n '/^\`\`\`java$/,/^\`\`\`$/{//!p}' README.md > "$d/Example.java" &&
        javac -Xlint:all -Werror -d "$d" SimhashDoc.java SelfTest.java &&
        export SIMHASH_DOC_SPEC=../../../spec && java -cp "$d" "$d/Example.java" && java -cp "$d" SelfTest; rm -r "$d"`,
      ],
      folder: 'vectors/adapters/java',
      prints: /^minhash-doc:EZEFOEQ2U2YJ6\n1 close\nfox\n\d+ checks, 0 wrong\n$/,
    },
  },
];

/**
 * Tests whether a test can run that needs something from outside npm. If it cannot, that is reported, and it is an error
 * if everything is required (SIMHASH_DOC_REQUIRE_ALL=1, as in .ci/run).
 */
export function isThere(
  what: string,
  there: boolean,
  required = process.env['SIMHASH_DOC_REQUIRE_ALL'] === '1',
): boolean {
  if (there) return true;
  if (required) throw new Error(`${what} is missing, and everything is required`);
  console.warn(`NOT TESTED: ${what} is missing; see the README for what the tests need`);
  return false;
}
