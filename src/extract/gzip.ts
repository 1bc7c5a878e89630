import { extractionError } from './errors.ts';
import type { ExtractionLimits } from './limits.ts';

/** To be written. */
export async function gunzip(_octets: Uint8Array, _limits: ExtractionLimits): Promise<Uint8Array> {
  throw extractionError('unsupported-media-type', 'cannot read gzip yet');
}

/** The name of a document without what says that it is compressed. */
export function withoutGzipSuffix(path: string): string {
  return path.replace(/\.(?:gz|gzip)$/i, '').replace(/\.tgz$/i, '.tar');
}
