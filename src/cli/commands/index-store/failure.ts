/** Whether an error is about the index, so that its message says all: those of stores and of the scheme. */
export function isStoreFailure(error: unknown): error is Error {
  return (
    error instanceof Error && 'code' in error && /^[a-z]+(-[a-z]+)*$/.test(String(error.code)) && error.code !== 'usage'
  );
}
