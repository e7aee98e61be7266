// What the file system calls a folder: the same whichever path leads there, such as a link, a bind mount or a
// relative path.
import { statSync, type BigIntStats } from 'node:fs';

/**
 * Null: there is none, or it cannot be seen. It is another folder's as soon as this one is gone and closed.
 */
export function folderId(folder: string): string | null {
  try {
    return idOf(statSync(folder, { bigint: true }));
  } catch {
    return null;
  }
}

export function idOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}
