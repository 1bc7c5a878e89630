import { createHash } from 'node:crypto';
import { constants, type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { documentError } from '../documents/failure.ts';
import { type FilePath, pathOf } from '../documents/file-path.ts';

/** The state of a file as the system reports it: equal unless the file has changed. */
type Stamp = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>;

export type Stamps = ReturnType<typeof createStamps>;

const CHUNK = 1 << 18;

/** Makes notes on the states of files when they were found, before they were read. */
export function createStamps() {
  const stamps = new Map<string, Stamp>();
  const links = new Map<string, FilePath[]>();
  const proofs = new Map<string, ReturnType<typeof prove>>();
  const take = (file: FilePath, { dev, ino, size, mtimeMs, ctimeMs }: Stats): void =>
    void stamps.set(file.path, { dev, ino, size, mtimeMs, ctimeMs });

  async function prove(file: FilePath) {
    const stamp = stamps.get(file.path);
    // A file that has become a pipe meanwhile must not block.
    const handle = await open(pathOf(file), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!(await isSame(handle, stamp))) throw CHANGED();
      const sha256 = await digestOf(handle);
      if (!(await isSame(handle, stamp))) throw CHANGED();
      return { size: stamp!.size, sha256 };
    } finally {
      await handle.close();
    }
  }

  return {
    take,
    /** Notes the state of a file now, unless one is noted. */
    takeNow(file: FilePath): void {
      if (stamps.has(file.path)) return;
      const stat = statSync(pathOf(file), { throwIfNoEntry: false });
      if (stat?.isFile() === true) take(file, stat);
    },
    addLink(file: FilePath, link: FilePath): void {
      links.set(file.path, [...(links.get(file.path) ?? []), link]);
    },
    linksTo: (file: FilePath): readonly FilePath[] => links.get(file.path) ?? [],
    /** Computes the digest of a file; throws `changed` if it has changed since its state was noted. */
    prove(file: FilePath) {
      const proof = proofs.get(file.path) ?? prove(file);
      proofs.set(file.path, proof);
      return proof;
    },
  };
}

const CHANGED = (): Error => documentError('changed', 'changed after it was read');

async function isSame(handle: FileHandle, stamp: Stamp | undefined): Promise<boolean> {
  const now = await handle.stat();
  return stamp !== undefined && (Object.keys(stamp) as (keyof Stamp)[]).every((name) => now[name] === stamp[name]);
}

async function digestOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
  }
}
