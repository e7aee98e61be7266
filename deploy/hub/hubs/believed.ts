// Whether what a data directory says may be believed: a kubeconfig can start programs and name files to send,
// so one that another user may have written is not read, least of all by root.
import { lstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { HUB, layoutOf } from '../../local/layout.ts';
import { madeFile } from '../data-directory.ts';
import { ROOT, onlooker, type Onlooker } from './onlooker.ts';

const STICKY = 0o1000;

/** A file or folder on the way, as the system has it. */
export interface Step {
  readonly path: string;
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
  /** The data directory lies below it. */
  readonly isAbove: boolean;
}

/**
 * Null: all of it is ours or root's, and nobody else can put something in its place. Otherwise the sentence
 * about what is not, and what helps. `directory` is free of links. Throws what `lstat` throws.
 */
export function disbelief(directory: string, reader = onlooker()): string | null {
  for (const file of [madeFile(directory), layoutOf(directory).kubeconfig(HUB)]) {
    const said = disbeliefIn(stepsTo(file, directory), reader);
    if (said !== null) return said;
  }
  return null;
}

/** `steps` from the root of the file system on. Pure. */
export function disbeliefIn(steps: readonly Step[], reader: Onlooker): string | null {
  const foreign = steps.find((step) => isForeign(step, reader));
  if (foreign !== undefined)
    return `${foreign.path} is another user's, so nothing of this hub is read. Run this as that user.`;
  for (const { path, mode, gid: group, isAbove } of steps) {
    const others = group === reader.ownGroup ? 0o002 : 0o022;
    // There, as in /tmp, others make files, and cannot replace those of their owners.
    const isSticky = isAbove && (mode & STICKY) !== 0;
    if ((mode & others) !== 0 && !isSticky)
      return `Others can write ${path}, so nothing of this hub is read. See to it that only its owner can: chmod go-w ${path}`;
    // Nobody else comes to what is below.
    if ((mode & 0o011) === 0) return null;
  }
  return null;
}

/**
 * Whoever is not known in this user namespace may be the machine's root, to whom `/` belongs, or anybody.
 * Above the directory that is all the same: what is put there in its place is not ours.
 */
function isForeign({ uid, isAbove }: Step, { uid: own, unmapped }: Onlooker): boolean {
  if (uid === unmapped) return !isAbove;
  return uid !== own && uid !== ROOT;
}

/** From the root on; links are followed. Without the file itself where there is none. */
function stepsTo(file: string, directory: string): readonly Step[] {
  const real = realpathIfThere(file) ?? directory;
  const above = (path: string): string[] =>
    dirname(path) === path ? [path] : [...above(dirname(path)), path];
  return above(real).map((path) => {
    const { uid, gid, mode } = lstatSync(path);
    return { path, uid, gid, mode, isAbove: directory.startsWith(path === '/' ? path : `${path}/`) };
  });
}

function realpathIfThere(file: string): string | null {
  try {
    return realpathSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
