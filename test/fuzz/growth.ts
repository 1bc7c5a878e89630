import { extract } from '../../src/extract/index.ts';

/** Makes an input of a size, and reads it. */
export interface Family {
  readonly name: string;
  /** The first of the sizes n, 2n and 4n. */
  readonly start: number;
  run(size: number): Promise<unknown>;
}

/** Times below this, in milliseconds, say nothing about growth. */
const MIN_TIME = 300;

/** The most that twice the input may cost; 2 is linear, 4 quadratic. */
const MAX_FACTOR = 3;

const numbered = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('');

const HTML: Readonly<Record<string, (n: number) => string>> = {
  body: (n) => numbered(n, (i) => `<body a${i}>x`),
  html: (n) => numbered(n, (i) => `<html a${i}>x`),
  attributes: (n) => `<p ${numbered(n, (i) => `a${i}=1 `)}>x`,
  links: (n) => '<a>x'.repeat(n),
  unclosed: (n) => `<b><i><u>${'<p>x'.repeat(n)}`,
  fostered: (n) => `<table>${'<div>x</div>'.repeat(n)}`,
  ends: (n) => `${'<span>'.repeat(1900)}${'</p>'.repeat(n)}`,
  entities: (n) => '&notit;'.repeat(n),
  comments: (n) => '<!--x-->'.repeat(n),
};

const XML: Readonly<Record<string, (n: number) => string>> = {
  elements: (n) => `<r>${'<a>x</a>'.repeat(n)}</r>`,
  attributes: (n) => `<r ${numbered(n, (i) => `a${i}="1" `)}>x</r>`,
  namespaces: (n) => `<r>${numbered(n, (i) => `<a xmlns:n${i}="u">x</a>`)}</r>`,
};

function familiesOf(type: 'html' | 'xml', makers: typeof HTML, start: number): Family[] {
  return Object.entries(makers).map(([name, make]) => ({
    name: `${type}-${name}`,
    start,
    run: (size) => extract(new TextEncoder().encode(make(size)), { type }).catch(() => null),
  }));
}

export const FAMILIES: readonly Family[] = [...familiesOf('html', HTML, 40_000), ...familiesOf('xml', XML, 20_000)];

/**
 * Measures the CPU time and the memory of the process for n, 2n and 4n.
 * @returns what grows faster than the input, or null; and the figures
 */
export async function growthOf({
  start,
  run,
}: Family): Promise<{ readonly figures: string; readonly fault: string | null }> {
  await run(Math.ceil(start / 10));
  const costs: { readonly time: number; readonly memory: number }[] = [];
  for (const size of [start, 2 * start, 4 * start]) {
    const [before, memory] = [process.cpuUsage(), process.memoryUsage().rss];
    await run(size);
    const { user, system } = process.cpuUsage(before);
    costs.push({ time: (user + system) / 1000, memory: Math.max(0, process.memoryUsage().rss - memory) / 2 ** 20 });
  }
  const figures = costs.map(({ time, memory }) => `${time.toFixed()} ms ${memory.toFixed()} MiB`).join(', ');
  const [, second, third] = costs as [unknown, (typeof costs)[0], (typeof costs)[0]];
  if (third.time > MIN_TIME && third.time > MAX_FACTOR * second.time) return { figures, fault: 'time' };
  const isLarge = third.memory > 512 && second.memory > 64;
  return { figures, fault: isLarge && third.memory > MAX_FACTOR * second.memory ? 'memory' : null };
}
