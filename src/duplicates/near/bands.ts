import { HIGH_LANE, LOW_LANE } from '../../common/lanes.ts';
import { createPagedList } from '../../common/paged-list.ts';
import { BAND_FACTOR, type Key, LANES } from './keys.ts';

/** The number of winning draws (MIN-4) in a band, and of bands. */
const DRAWS = 7;
const BANDS = 36;

/** The overlap and the number of different fingerprints from which on bands take the place of keys, which too many would share. */
export const MIN_BANDED_OVERLAP = 0.8;
export const MIN_BANDED = 262_144;

/** Returns a band of a document: 16 bits. */
export type BandOf = (document: number, band: number) => number;

export type BandList = ReturnType<typeof createBandList>;

/** Makes a list of bands of seven winning draws: of pairs with 0.8 of their distinct tokens in common, one in 5,000 shares none. */
export function createBandList() {
  const list = createPagedList(Uint16Array);
  const own = new Uint16Array(BANDS);
  return {
    /** Reads the lower halves of the winning draws of a document. */
    read(draws: Uint32Array): void {
      for (let band = 0, bin = 0; band < BANDS; band++) {
        let sum = 0;
        for (const end = bin + DRAWS; bin < end; bin++) sum = Math.imul(sum, BAND_FACTOR) + draws[bin]!;
        own[band] = Math.imul(sum, BAND_FACTOR) >>> 16;
      }
    },
    push(): void {
      for (let band = 0; band < BANDS; band++) list.push(own[band]!);
    },
    bandOf: (document: number, band: number): number => list.get(BANDS * document + band),
    release: list.release,
  };
}

/** Makes the keys of all bands, with the bits of their bins. */
export function keysOfBands(bandOf: BandOf): Key[] {
  return Array.from({ length: BANDS }, (_, band) => {
    const masks = new Uint32Array(LANES);
    for (let bin = DRAWS * band; bin < DRAWS * (band + 1); bin++) {
      // Bin 0 is the most significant bit of a word, whose halves are in the order of the machine.
      const lane = 2 * (bin >>> 6) + ((bin & 32) === 0 ? HIGH_LANE : LOW_LANE);
      masks[lane]! |= 1 << (31 - (bin & 31));
    }
    return { masks, bandOf: (document) => bandOf(document, band) };
  });
}
