import { pluralize } from '../../common/text.ts';
import { assertOptions } from '../../errors.ts';
import type { Reply } from '../adapter/protocol.ts';
import type { Location } from '../diagnosis/locate.ts';
import { STEP_OF_OPERATION } from '../diagnosis/steps.ts';
import { assertPaint, assertVector } from '../options.ts';
import { inputToSend, judgeVector } from '../run.ts';
import { loadFlags, loadMutants } from '../suite/load.ts';
import { loadRules } from '../suite/rules.ts';
import type { Vector } from '../types.ts';
import { showDifference } from './differences.ts';
import { differenceLines, locationLines, type Paint, PLAIN, replyLines } from './terminal.ts';
import { namedStep, quoted, shown } from './text.ts';

/** Code points of a text, and octets, that are shown of an input. */
const MOST = 400;

/**
 * Explains a vector to a person: what it pins, by which rules, what it looks for, what is asked and what is expected.
 * @param vector - of the suite that ships with the package
 * @param paint - colours
 * @returns lines
 */
export function explainVector(vector: Vector, paint: Paint = PLAIN): string[] {
  assertVector(vector);
  assertPaint(paint);
  const { id, title, operation, since, status, rules, flags, kills, control, agrees } = vector;
  const step = STEP_OF_OPERATION[operation];
  const sections: (readonly [string, readonly string[]])[] = [
    ['Operation', [`${operation}${step === undefined ? ', steps 1 to 9' : `, ${namedStep(step)}`}`]],
    ['Since', [`${since}${status === undefined ? '' : `, ${status}: it is no longer run`}`]],
    ['Rules', rules.flatMap(ruleLines)],
    ['Looks for', flags.flatMap(flagLines)],
    ['Input', inputLines(vector.input)],
    ['Expected', vector.error === undefined ? valueLines(vector.expected) : [`error ${vector.error}`]],
    ['Tells apart', control ? ['nothing: it is a control'] : mistakeLines(kills)],
    ['Agrees', agrees.length === 0 ? [] : [agrees.join(', ')]],
  ];
  return [
    `${paint.strong(id)}  ${title}`,
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .flatMap(([name, lines]) => ['', paint.strong(name), ...lines.map((line) => `  ${line}`)]),
  ];
}

/**
 * Says what an implementation answered to a vector, and where that differs.
 * @param vector - what was asked
 * @param reply - what came
 * @param location - of a document that goes wrong: where
 * @param paint - colours
 * @returns whether it is right, null where it is not offered; and lines
 */
export function explainReply(
  vector: Vector,
  reply: Reply,
  location?: Location,
  paint: Paint = PLAIN,
): { readonly right: boolean | null; readonly lines: string[] } {
  assertVector(vector);
  assertOptions('reply', reply, { kind: 'string' });
  if (location !== undefined) assertOptions('location', location);
  assertPaint(paint);
  const lines = ['', paint.strong('Answer')];
  if (reply.kind === 'unsupported') return { right: null, lines: [...lines, '  not offered'] };
  if (reply.kind !== 'ok' && reply.kind !== 'error')
    return { right: false, lines: [...lines, ...replyLines(vector.operation, undefined, reply, paint).map(outdented)] };
  const given = reply.kind === 'ok' ? { result: reply.result } : { error: reply.code as never };
  const place = judgeVector(vector, given);
  if (place === null) return { right: true, lines: [...lines, `  ${paint.good('right')}`] };
  const expected = vector.error === undefined ? vector.expected : { error: vector.error };
  const actual = reply.kind === 'ok' ? reply.result : { error: reply.code };
  lines.push(
    `  ${paint.bad('wrong')}${place === '' ? '' : ` at ${place}`}`,
    ...differenceLines(showDifference(place, expected, actual), paint).map(outdented),
    ...(location === undefined ? [] : locationLines(location).map(outdented)),
    ...(reply.kind === 'error' && reply.message !== '' ? [`  message   ${quoted(reply.message, 200)}`] : []),
  );
  return { right: false, lines };
}

const outdented = (line: string): string => line.replace(/^ {4}/, '');

function ruleLines(id: string): string[] {
  const rule = loadRules().get(id);
  if (rule === undefined) return [`${id}  not in the specification that is here`];
  const { section, origin, text, link } = rule;
  return [`${id}  ${section} (${origin}), ${link}`, ...wrapped(text).map((line) => `  ${line}`)];
}

function flagLines(name: string): string[] {
  const flag = loadFlags().find((each) => each.name === name);
  return flag === undefined ? [name] : [`${name}: ${flag.kind}`, ...wrapped(flag.effect).map((line) => `  ${line}`)];
}

function mistakeLines(kills: readonly string[]): string[] {
  const titles = new Map(loadMutants().map(({ name, title }) => [name, title]));
  return kills.map((name) => (titles.has(name) ? `${name}: ${titles.get(name)}` : name));
}

function inputLines(input: Vector['input']): string[] {
  const lines = valueLines(input);
  const sent = inputToSend(input) as Readonly<Record<string, unknown>>;
  if (sent === input) {
    const { utf8, utf16 } = sent;
    if (typeof utf8 === 'string')
      lines.push(
        `as UTF-8: ${quoted(Buffer.from(utf8, 'hex').toString('utf8'), MOST)}`,
        pluralize(utf8.length / 2, 'octet'),
      );
    if (typeof utf16 === 'string') lines.push(pluralize(utf16.length / 4, 'unit'));
    return lines;
  }
  const { text, utf8 } = sent;
  if (typeof text === 'string')
    lines.push(`builds ${pluralize(Array.from(text).length, 'code point')}:`, quoted(text, 120));
  if (typeof utf8 === 'string') lines.push(`builds ${pluralize(utf8.length / 2, 'octet')}: ${utf8.slice(0, 80)}…`);
  return lines;
}

/** A member on a line. */
function valueLines(value: object | undefined): string[] {
  return Object.entries(value ?? {}).map(([key, member]) => `${key}: ${shown(member, MOST)}`);
}

/** Breaks a text into lines of at most 100 characters, where it can. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= 100) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
