// Which members have lost their data. One whose disk is not there has lost nothing: a new member in its place
// would have the others refuse the former, with all that it has, once the disk is back.
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Losses {
  /** By name: they may start with what they have. */
  readonly whole: readonly string[];
  /** The place is there, or deleted, and holds nothing. */
  readonly lost: readonly string[];
  /** A sentence for each other one: nobody can say whether anything is lost. */
  readonly unclear: readonly string[];
  /** Those of the whole ones that are on a disk of their own, and those of the others that have been. */
  readonly ownDisks: readonly string[];
}

/** `made` is the file that names the members which have been on disks of their own. Writes nothing. */
export function lossesOf(
  names: readonly string[],
  dataOf: (name: string) => string,
  { ownDisks, made }: { readonly ownDisks: readonly string[]; readonly made: string },
): Losses {
  const [whole, lost, unclear]: [string[], string[], string[]] = [[], [], []];
  const own: string[] = [];
  for (const name of names) {
    const place = dataOf(name);
    const hadOwn = ownDisks.includes(name);
    const seen = seenIn(place);
    if (seen.has === true) whole.push(name);
    else if (seen.has !== false)
      unclear.push(
        `${name} waits: ${place} cannot be read (${seen.has}), and nobody knows what is lost. Mount its disk again, or, if that is gone for good, an empty one.`,
      );
    else if (hadOwn && !seen.isOwnDisk)
      unclear.push(
        `${name} waits: its data was on a disk of its own, which is not mounted at ${place}. Mount it, or, if it is gone for good, an empty one. To go on without a disk of its own, stop this command, take ${name} out of ownDisks in ${made}, and start it again.`,
      );
    else lost.push(name);
    if (seen.has === true ? seen.isOwnDisk : hadOwn) own.push(name);
  }
  return { whole, lost, unclear, ownDisks: own };
}

/** Whether anything is there with which a member may start; a text says why nobody knows. */
function seenIn(place: string): { readonly has: boolean | string; readonly isOwnDisk: boolean } {
  try {
    const disk = statSync(place, { throwIfNoEntry: false })?.dev;
    if (disk === undefined) return { has: false, isOwnDisk: false };
    const isOwnDisk = disk !== statSync(dirname(place)).dev;
    return { has: hasLog(place), isOwnDisk };
  } catch (error) {
    return { has: (error as NodeJS.ErrnoException).code ?? String(error), isOwnDisk: false };
  }
}

/** Throws where that cannot be read. */
function hasLog(place: string): boolean {
  try {
    return readdirSync(join(place, 'member', 'wal')).some((name) => name.endsWith('.wal'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
