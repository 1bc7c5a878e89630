import { formatBytes, formatNumber, pluralize, printable } from '../../../common/text.ts';
import { nameOf, type Place } from '../../../documents/document-outcome.ts';
import { answerOf } from '../../../duplicates/answer.ts';
import type { Collection } from '../../../duplicates/collect.ts';
import { type DocumentGroup, type DocumentGroupMember, total } from '../../../duplicates/group.ts';
import { type DuplicateMatch, roundOverlap } from '../../../duplicates/match.ts';
import { styleFor, type TerminalStyle } from '../../terminal/print.ts';
import type { Result } from './dupes-result.ts';

export function pairAsText({ label, documents }: Collection, { kept, other, ...measures }: DuplicateMatch): string {
  // The search has applied its limits already.
  const { sentence } = answerOf({ label, ...measures, minOverlap: 0, maxDistance: measures.distance });
  const names = [kept, other].map((document) => nameWithDate(documents[document]!.place));
  return `${[sentence, ...names].join('  ')}\n`;
}

export function* groupsAsText(result: Result): Generator<string> {
  const { collection, groups, contained, isVerified } = result;
  const style = styleFor(process.stdout, process.env);
  for (const group of groups) yield groupAsText(result, group, style);
  if (contained.length > 0) yield style.strong(`${pluralize(contained.length, 'document')} contained in a longer one`);
  for (const { document, container, distance, share } of contained) {
    const [name, other] = [document, container].map((each) => nameWithDate(collection.documents[each]!.place));
    yield `\n${String(distance).padStart(4)}  ${roundOverlap(share).toFixed(3)}  ${name}  in  ${other}`;
  }
  if (contained.length > 0) yield groups.length > 0 ? '\n\n' : '\n';
  if (groups.length === 0) return;
  const inGroups = groups.reduce((sum, { members }) => sum + members.length + 1, 0);
  const all = pluralize(collection.documents.length, 'document');
  const reclaimable = canBeReclaimed(isVerified ? total(groups.map((group) => group.reclaimable)) : null);
  yield isVerified
    ? `${pluralize(groups.length, 'group')} of ${formatNumber(inGroups)} among ${all}${reclaimable}\n`
    : `${pluralize(groups.length, 'group')} of ${pluralize(inGroups, 'candidate')} among ${all}, compared by fingerprint only\n`;
}

function groupAsText(result: Result, { kept, members, reclaimable }: DocumentGroup, style: TerminalStyle): string {
  const { collection, flagsOf, isVerified } = result;
  const all: readonly { readonly document: number; readonly member?: DocumentGroupMember }[] = [
    { document: kept },
    ...members.map((member) => ({ document: member.document, member })),
  ];
  const sizes = all.map(({ document }) => {
    const { size } = collection.documents[document]!;
    return size === null ? '' : formatBytes(size);
  });
  const width = Math.max(...sizes.map((size) => size.length));
  const lines = all.map(({ document, member }, index) => {
    const columns = [
      String(member?.distance ?? 'keep').padStart(4),
      ...(isVerified ? [overlapCell(member).padEnd(9)] : []),
      ...(width === 0 ? [] : [sizes[index]!.padStart(width)]),
      `${nameWithDate(collection.documents[document]!.place)}${remarkText(flagsOf(document), member)}`,
    ];
    return `${columns.join('  ')}\n`;
  });
  const noun = isVerified ? 'document' : 'candidate';
  const title = style.strong(`${pluralize(all.length, noun)}${canBeReclaimed(reclaimable)}`);
  return `${title}\n${lines.join('')}\n`;
}

/** Names a document, with the date of its record: a WARC file may hold several captures of one URL. */
function nameWithDate(place: Place): string {
  const date = place.member?.date;
  return printable(date === undefined ? nameOf(place) : `${nameOf(place)}  ${date}`);
}

function overlapCell(member: DocumentGroupMember | undefined): string {
  if (member === undefined || member.overlap === null) return '';
  return member.isIdentical ? 'identical' : roundOverlap(member.overlap).toFixed(3);
}

function remarkText(flags: readonly string[], member: DocumentGroupMember | undefined): string {
  const differs = member?.differs ?? [];
  const remarks = [...flags, ...(differs.length > 0 ? [`differs: ${differs.join(', ')}`] : [])];
  return remarks.length === 0 ? '' : `  [${remarks.join(', ')}]`;
}

function canBeReclaimed(size: number | null): string {
  return size === null ? '' : `, ${formatBytes(size)} can be reclaimed`;
}
