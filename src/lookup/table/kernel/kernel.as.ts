// The lookup kernel, in AssemblyScript. See ../README.md for the layout of its memory. Nothing is allocated here: the
// host sizes the memory and passes the addresses. All addresses and counts are unsigned 32-bit numbers.
export { heapBase, setOut, setSegment, setTable } from './common.as';
export { group, dropCopies, keepFirsts, groupBucket } from './copies.as';
export {
  setPairs,
  splitAt,
  splitCount,
  otherAt,
  otherCount,
  splitSub,
  beginPairs,
  comparePlaces,
  resumePairs,
} from './pairs.as';
export {
  partition,
  countPart,
  placePart,
  countParts,
  partitionParts,
  placeCoarse,
  sortPart,
  countLows,
  placeFine,
  shorten,
} from './partition.as';
export { begin, workOf, touched, resume, scan, scanned } from './query.as';
