const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'is a folder: expected a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ELOOP: 'symbolic links form a loop',
  ENXIO: 'is a socket, a device without a driver, or a pipe without a reader: expected a file',
  ENOSPC: 'no space left on the disk: free some, or choose a folder on another one',
  EDQUOT: 'disk quota exceeded: free some space, or choose a folder on another disk',
  EFBIG: 'larger than the file system or the limit on file sizes (ulimit -f) allows',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
};

/** Describes a failed call of the operating system in plain words; `messages` replaces some by their codes. */
export function describeSystemError(error: unknown, messages: Readonly<Record<string, string>> = {}): string {
  const { code = '', message = String(error) } = (error ?? {}) as NodeJS.ErrnoException;
  return messages[code] ?? MESSAGES[code] ?? message.replace(/^[A-Z0-9]+: ([^,]+),.*$/s, '$1');
}
