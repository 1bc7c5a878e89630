import { pluralize, wrapWords } from '../../../common/text.ts';
import { assertOptions } from '../../../errors.ts';
import type { Reply } from '../../adapter/protocol.ts';
import { assertShape } from '../../checks.ts';
import { STEP_OF_OPERATION } from '../../diagnosis/steps.ts';
import { judge } from '../../judge/judge.ts';
import { expectedOf, inputToSend, outcomeOf } from '../../judge/judge-vector.ts';
import { countCases, isOfScalars } from '../../suite/accumulate.ts';
import { loadFlags, loadMutants } from '../../suite/load-suite.ts';
import { loadRules } from '../../suite/rules.ts';
import type { Operation, Vector } from '../../vector.ts';
import type { Location, ScalarFinding } from '../../vector-outcome.ts';
import { namedStep, type Paint, PLAIN, quoted, shown } from '../printable-text.ts';
import { locationLines, replyLines, scalarLines } from './failures.ts';

/** Code points or bytes of an input to show. */
const MAX_SHOWN = 400;
const MAX_MISTAKES = 8;
const MAX_COLUMNS = 100;

/** Options for writing an explanation. */
export interface ExplainOptions {
  readonly paint?: Paint;
}

/**
 * Explains a vector to a person: its title, rules and flags, its input and the expected result.
 * @param vector - the vector
 * @param options - see {@link ExplainOptions}
 * @returns lines
 * @throws TypeError `wrong-type`
 * @example
 * for (const line of explainVector(vector)) console.log(line);
 */
export function explainVector(vector: Vector, options: ExplainOptions = {}): string[] {
  assertShape('vector', vector);
  assertOptions('options', options);
  const { paint = PLAIN } = options;
  assertShape('paint', paint);
  const { id, title, since, status, rules, flags, agrees, document } = vector;
  const sections: (readonly [string, readonly string[]])[] = [
    ['Operation', [operationLine(vector)]],
    ['Since', [`${since}${status === undefined ? '' : `, ${status}: it is no longer run`}`]],
    ['Rules', rules.flatMap(ruleLines)],
    ['Looks for', flags.flatMap(flagLines)],
    ['Input', inputLines(vector.input)],
    ['Expected', vector.error === undefined ? valueLines(vector.expected) : [`error ${vector.error}`]],
    ['Document', document === undefined ? [] : [document ?? 'no fingerprint']],
    ['Detects', mistakeLines(id)],
    ['Agrees', agrees.length === 0 ? [] : [agrees.join(', ')]],
  ];
  return [
    `${paint.strong(id)}  ${title}`,
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .flatMap(([name, lines]) => ['', paint.strong(name), ...lines.map((line) => `  ${line}`)]),
  ];
}

function operationLine(vector: Vector): string {
  const named = (operation: Operation): string => {
    const step = STEP_OF_OPERATION[operation];
    return `${operation}${step === undefined ? ', steps 1 to 9' : `, ${namedStep(step)}`}`;
  };
  if (vector.operation !== 'accumulate') return named(vector.operation);
  const { input } = vector;
  const sent = isOfScalars(input) ? '; a runner sends them one by one' : '';
  return `accumulate: ${pluralize(countCases(input), 'case')} of ${named(input.step)}${sent}`;
}

/** Options for writing the explanation of an answer. */
export interface ReplyOptions extends ExplainOptions {
  /** For a wrong document: the place where it goes wrong. */
  readonly location?: Location | undefined;
  /** For a wrong digest over scalar values: the scalar values that are wrong. */
  readonly scalars?: ScalarFinding | undefined;
}

/** The explanation of an answer. */
export interface ReplyExplanation {
  /** True if the answer is right; null if the operation is not offered. */
  readonly right: boolean | null;
  readonly lines: string[];
}

/**
 * Explains the answer of an implementation to a vector.
 * @param vector - the vector
 * @param reply - the answer
 * @param options - see {@link ReplyOptions}
 * @throws TypeError `wrong-type`
 */
export function explainReply(vector: Vector, reply: Reply, options: ReplyOptions = {}): ReplyExplanation {
  assertShape('vector', vector);
  assertOptions('reply', reply, { kind: 'string' });
  assertOptions('options', options, { location: 'object?', scalars: 'object?' });
  const { paint = PLAIN, location, scalars } = options;
  assertShape('paint', paint);
  const lines = ['', paint.strong('Answer')];
  if (reply.kind === 'unsupported') return { right: null, lines: [...lines, '  not offered'] };
  const actual = outcomeOf(reply);
  const expected = expectedOf(vector);
  const place = actual === undefined ? '' : judge(vector.operation, expected, actual);
  if (place === null) return { right: true, lines: [...lines, `  ${paint.good('right')}`] };
  if (actual !== undefined) lines.push(`  ${paint.bad('wrong')}${place === '' ? '' : ` at ${place}`}`);
  const details = [
    ...replyLines(vector.operation, expected, reply, paint),
    ...(location === undefined ? [] : locationLines(location)),
    ...(scalars === undefined ? [] : scalarLines(scalars)),
    ...(reply.kind === 'error' && reply.message !== '' ? [`      message   ${quoted(reply.message, 200)}`] : []),
  ];
  return { right: false, lines: [...lines, ...details.map((line) => line.slice(4))] };
}

function ruleLines(id: string): string[] {
  const rule = loadRules().get(id);
  if (rule === undefined) return [`${id}  not in this specification`];
  const { section, origin, text, link } = rule;
  return [
    `${id}  ${section} (${origin}), ${link}`,
    ...wrapWords(text.split(' '), MAX_COLUMNS).map((line) => `  ${line}`),
  ];
}

function flagLines(name: string): string[] {
  const flag = loadFlags().find((each) => each.name === name);
  return flag === undefined
    ? [name]
    : [`${name}: ${flag.kind}`, ...wrapWords(flag.effect.split(' '), MAX_COLUMNS).map((line) => `  ${line}`)];
}

function mistakeLines(id: string): string[] {
  const failed = loadMutants(new Set([id])).filter(({ outcomes }) => id in outcomes);
  const lines = failed.slice(0, MAX_MISTAKES).map(({ name, title }) => `${name}: ${title}`);
  return failed.length > lines.length ? [...lines, `and ${failed.length - lines.length} more`] : lines;
}

function inputLines(input: Vector['input']): string[] {
  const lines = valueLines(input);
  const sent = inputToSend(input) as Readonly<Record<string, unknown>>;
  if (sent === input) {
    const { utf8, utf16 } = sent;
    if (typeof utf8 === 'string')
      lines.push(
        `as UTF-8: ${quoted(Buffer.from(utf8, 'hex').toString('utf8'), MAX_SHOWN)}`,
        pluralize(utf8.length / 2, 'byte'),
      );
    if (typeof utf16 === 'string') lines.push(pluralize(utf16.length / 4, 'unit'));
    return lines;
  }
  const { text, utf8 } = sent;
  if (typeof text === 'string')
    lines.push(`builds ${pluralize(Array.from(text).length, 'code point')}:`, quoted(text, 120));
  if (typeof utf8 === 'string') lines.push(`builds ${pluralize(utf8.length / 2, 'byte')}: ${utf8.slice(0, 80)}…`);
  return lines;
}

function valueLines(value: object | undefined): string[] {
  return Object.entries(value ?? {}).map(([key, member]) => `${key}: ${shown(member, MAX_SHOWN)}`);
}
