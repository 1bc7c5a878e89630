import { formatBytes, formatNumber, pluralize } from '../../common/text.ts';

export interface Progress {
  expect(documents: number, bytes: number): void;
  update(documents: number, bytes: number): void;
  /** Shows the current document, until the next update of the number of documents. */
  detail(text: string): void;
  /** Removes the line, to write something else; the next update draws it again at once. */
  hide(): void;
  end(): void;
}

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const DELAY = 500;
const INTERVAL = 100;
const BAR = 12;

/** Tests whether a line can be drawn over: a dumb terminal cannot move back. */
export function canDraw(stream: ProgressStream): boolean {
  return stream.isTTY === true && process.env['TERM'] !== 'dumb';
}

export function createProgress(
  stream: ProgressStream,
  quiet = false,
  now: () => number = () => performance.now(),
): Progress {
  if (quiet || !canDraw(stream)) return { expect() {}, update() {}, detail() {}, hide() {}, end() {} };
  const start = now();
  const line = createLine(stream, now);
  let ended = false;
  let expected: { documents: number; bytes: number } | undefined;
  let detail: { readonly text: string; documents?: number } = { text: '' };
  let latest = { documents: 0, bytes: 0 };

  const update = (documents: number, bytes: number): void => {
    latest = { documents, bytes };
    detail.documents ??= documents;
    if (ended) return;
    const what = detail.documents === documents ? detail.text : '';
    line.draw((width, time) => shorten(progressLine(documents, bytes, (time - start) / 1000, expected), what, width));
  };
  return {
    expect(documents, bytes) {
      expected = { documents, bytes };
    },
    update,
    detail(text) {
      detail = { text: `  ${text}` };
      update(latest.documents, latest.bytes);
      // The latest number may be old: the next one counts.
      detail = { text: `  ${text}` };
    },
    hide: line.hide,
    end() {
      line.hide();
      ended = true;
    },
  };
}

export function createLine(stream: ProgressStream, now: () => number = () => performance.now()) {
  let due = now() + DELAY;
  let visible = false;
  return {
    draw(textFor: (width: number, time: number) => string): void {
      const time = now();
      if (time < due) return;
      due = time + INTERVAL;
      // One column stays free: some terminals wrap when the last one is written.
      stream.write(`\r\x1b[K${textFor((stream.columns || 80) - 1, time)}`);
      visible = true;
    },
    hide(): void {
      if (!visible) return;
      stream.write('\r\x1b[K');
      visible = false;
      due = 0;
    },
  };
}

export function progressLine(
  documents: number,
  bytes: number,
  seconds: number,
  expected?: { readonly documents: number; readonly bytes: number },
): string {
  const rate = bytes / seconds;
  const speed = `${formatBytes(Math.round(rate))}/s`;
  // Files may grow while they are read, and archives hold several documents: then the total is not known after all.
  if (expected === undefined || bytes > expected.bytes || documents > expected.documents)
    return `${pluralize(documents, 'document')}  ${formatBytes(bytes)}  ${speed}`;
  const share = expected.bytes === 0 ? 1 : bytes / expected.bytes;
  const full = Math.round(share * BAR);
  const bar = '█'.repeat(full) + '░'.repeat(BAR - full);
  const left = rate === 0 ? '' : `  ${duration((expected.bytes - bytes) / rate)} left`;
  const done = `${formatNumber(documents)} of ${pluralize(expected.documents, 'document')}`;
  return `${bar} ${Math.floor(share * 100)} %  ${done}  ${speed}${left}`;
}

function shorten(line: string, detail: string, width: number): string {
  const parts = line.split('  ');
  const whole = (): string => `${parts.join('  ')}${detail}`;
  while (parts.length > 2 && whole().length > width) parts.splice(2, 1);
  return whole().length > width ? `${whole().slice(0, width - 1)}…` : whole();
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (parts[0] === 0) parts.shift();
  return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
