import type { Archive } from '../formats.ts';
import type { Chunks } from '../limits.ts';
import type { Member, ReadArchiveOptions } from './archive-members.ts';
import type { ZipArchive } from './zip.ts';

interface ArchiveSource {
  readonly chunks: Chunks;
  readonly openZip: () => Promise<ZipArchive>;
}

type Reader = (source: ArchiveSource, options?: ReadArchiveOptions) => Promise<AsyncGenerator<Member, undefined>>;

const READERS: Readonly<Record<Archive, Reader>> = {
  zip: async ({ openZip }, options) => (await openZip()).documents(options),
  warc: async ({ chunks }, options) => (await import('./warc.ts')).readWarc(chunks, options),
  tar: async ({ chunks }, options) => (await import('./tar/tar.ts')).readTar(chunks, options),
  mbox: async ({ chunks }, options) => (await import('../mail/mbox.ts')).readMbox(chunks, options),
};

export function readMembers(type: Archive, source: ArchiveSource, options?: ReadArchiveOptions): ReturnType<Reader> {
  return READERS[type](source, options);
}
