import type { Command } from '../command.ts';

/** Every command, in the order of the help; a command is loaded on demand. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  hash: async () => (await import('./hash/hash-command.ts')).hash,
  compare: async () => (await import('./compare/compare-command.ts')).compare,
  explain: async () => (await import('./explain/explain-command.ts')).explain,
  extract: async () => (await import('./extract/extract-command.ts')).extract,
  enrich: async () => (await import('./enrich/enrich-command.ts')).enrich,
  dupes: async () => (await import('./dupes/dupes-command.ts')).dupes,
  dedupe: async () => (await import('./dedupe/dedupe-command.ts')).dedupe,
  sql: async () => (await import('./sql/sql-command.ts')).sql,
  conformance: async () => (await import('./conformance/conformance-command.ts')).conformance,
  vectors: async () => (await import('./vectors/vectors-command.ts')).vectors,
  index: async () => (await import('./index/index-command.ts')).index,
  completion: async () => (await import('./completion/completion-command.ts')).completion,
};

export function loadCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(COMMANDS).map((load) => load()));
}
