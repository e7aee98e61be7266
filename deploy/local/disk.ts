// Whether a directory that may not be there yet can be written, and what room its disk has.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The directory itself, or the first one above it that exists. */
function existingAbove(directory: string): string {
  const above = dirname(directory);
  return existsSync(directory) || above === directory ? directory : existingAbove(above);
}

/** Why nothing can be written there: goes behind the name of the place. Null: it can. Writes nothing. */
export function whyUnwritable(directory: string): {
  readonly place: string;
  readonly why: 'is a file' | 'is on a read-only disk' | 'is not yours to write';
} | null {
  const place = existingAbove(directory);
  if (!statSync(place).isDirectory()) return { place, why: 'is a file' };
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const isReadOnly = (error as NodeJS.ErrnoException).code === 'EROFS';
    return { place, why: isReadOnly ? 'is on a read-only disk' : 'is not yours to write' };
  }
}

/** In bytes. */
export async function freeIn(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(existingAbove(directory));
  return bavail * bsize;
}
