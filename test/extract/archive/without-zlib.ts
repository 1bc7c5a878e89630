import { vi } from 'vitest';

/** Loads modules as on a platform without node:zlib, where pako inflates. */
export async function withoutZlib<T>(load: () => Promise<T>): Promise<T> {
  vi.resetModules();
  const spy = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
  try {
    return await load();
  } finally {
    spy.mockRestore();
    vi.resetModules();
  }
}
