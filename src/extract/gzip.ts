import { extractionError } from './errors.ts';
import type { ExtractionLimits } from './limits.ts';

/** To be written. */
export async function gunzip(_octets: Uint8Array, _limits: ExtractionLimits): Promise<Uint8Array> {
  throw extractionError('unsupported-media-type', 'cannot read gzip yet');
}

/** To be written. */
export async function* gunzipStream(
  _chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  _meter: (octets: number) => void = () => undefined,
): AsyncGenerator<Uint8Array, undefined> {
  throw extractionError('unsupported-media-type', 'cannot read gzip yet');
}

/** The name of a document without what says that it is compressed. */
export function withoutGzipSuffix(path: string): string {
  return path.replace(/\.(?:gz|gzip)$/i, '').replace(/\.tgz$/i, '.tar');
}
