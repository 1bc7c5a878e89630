/** The digits of a number that spreadsheets show; those behind them differ by program. */
const DIGITS = 15;

/**
 * Writes a number of a cell as it is stored, in the shortest decimal form.
 * @param stored - a number as XML writes it
 * @returns the number with at most 15 significant digits; anything else as it is
 */
export function numberText(stored: string): string {
  const value = Number(stored);
  return stored.trim() === '' || !Number.isFinite(value) ? stored : String(Number(value.toPrecision(DIGITS)));
}

/** The kinds of dates by what their formats show. */
export type DateKind = 'date' | 'time';

const DAY = 86_400;

/** Days from the epoch of serial dates, 30 December 1899 or 1 January 1904, to 1 January 1970. */
const EPOCH_1900 = 25_569;
const EPOCH_1904 = 24_107;

/** The day after 28 February 1900 in Excel, where 1900 is a leap year. */
const FALSE_LEAP_DAY = 60;

/**
 * Writes a serial date as ISO 8601 does: 2024-02-29, with T12:30:00 unless it is midnight; or a time, 12:30:00.
 * @param stored - days since the epoch, as XML writes them
 * @param kind - a time has any number of hours
 * @param is1904 - which epoch it is
 * @returns what {@link numberText} returns for a number outside the years 0 to 9999
 */
export function dateText(stored: string, kind: DateKind, is1904: boolean): string {
  const serial = Number(stored);
  // Years 1 to 9999.
  if (stored.trim() === '' || !(Math.abs(serial) < 2_958_466)) return numberText(stored);
  if (kind === 'time' || (serial >= 0 && serial < 1)) return timeText(Math.round(serial * DAY));
  const days = is1904 ? serial - EPOCH_1904 : serial - EPOCH_1900 + (serial < FALSE_LEAP_DAY ? 1 : 0);
  const date = new Date(Math.round(days * DAY) * 1000);
  if (date.getUTCFullYear() < 0) return numberText(stored);
  return shortDate(date.toISOString().slice(0, 19));
}

/** Writes a number of seconds as hours, minutes and seconds. */
function timeText(seconds: number): string {
  const rest = Math.abs(seconds);
  const parts = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60];
  return `${seconds < 0 ? '-' : ''}${parts.map((part) => String(part).padStart(2, '0')).join(':')}`;
}

/** Shortens a date of ISO 8601 as {@link dateText} writes it: no fractions of seconds, no midnight. */
export function shortDate(date: string): string {
  return date.replace(/[.,]\d+/, '').replace(/T00:00(?::00)?Z?$/, '');
}

/** Writes a duration of ISO 8601, as OpenDocument has it for a time, as {@link dateText} does; anything else as it is. */
export function durationText(duration: string): string {
  const found = /^(-?)P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?$/.exec(duration);
  if (found === null) return duration;
  const [, sign, days = 0, hours = 0, minutes = 0, seconds = '0'] = found;
  const total = Number(days) * DAY + Number(hours) * 3600 + Number(minutes) * 60;
  return `${sign}${timeText(Math.round(total + Number(seconds.replace(',', '.'))))}`;
}
