/** Tests whether an error comes from a store or from the scheme: its message is for the user. */
export function isStoreFailure(error: unknown): error is Error & { readonly code: string } {
  return (
    error instanceof Error && 'code' in error && /^[a-z]+(-[a-z]+)*$/.test(String(error.code)) && error.code !== 'usage'
  );
}
