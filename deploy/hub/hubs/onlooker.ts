// Who looks at the data directories of others, and whom the system takes for this user.
import { readFileSync } from 'node:fs';

export const ROOT = 0;
/** Users that a namespace can know: all that there are. */
const ALL_USERS = 4_294_967_295;

export interface Onlooker {
  readonly uid: number;
  /** The group in which this user is alone; null: there is none, or nobody can tell. */
  readonly ownGroup: number | null;
  /** As whom a user namespace shows everybody whom it does not know; null: it knows everybody. */
  readonly unmapped: number | null;
}

/** This process. `newgrp` changes none of it. */
export function onlooker(): Onlooker {
  const uid = process.geteuid?.() ?? ROOT;
  const unmapped = unmappedIn(textOf('/proc/self/uid_map'), textOf('/proc/sys/kernel/overflowuid') ?? '');
  // Groups of a namespace are others than those that its /etc names.
  const ownGroup =
    unmapped === null ? ownGroupOf(uid, textOf('/etc/passwd') ?? '', textOf('/etc/group') ?? '') : null;
  return { uid, ownGroup, unmapped };
}

/**
 * The primary group of the user if nobody else is in it, as most systems give each user one. What these files
 * do not say, such as of a user of a directory service, counts as shared. Pure.
 */
export function ownGroupOf(uid: number, passwd: string, group: string): number | null {
  const users = rowsOf(passwd).map(([name, , id, primary]) => ({
    name,
    uid: Number(id),
    primary: Number(primary),
  }));
  const own = users.find((user) => user.uid === uid);
  if (own === undefined) return null;
  const { name, primary } = own;
  const listed = rowsOf(group).find(([, , gid]) => Number(gid) === primary);
  const members = (listed?.[3] ?? '').split(',').filter((member) => member !== '' && member !== name);
  const isShared = users.some((user) => user.primary === primary && user.uid !== uid);
  return listed === undefined || members.length > 0 || isShared ? null : primary;
}

/**
 * Null where every user is known. `map` is that of a namespace, as the kernel shows it; null without any.
 * Pure.
 */
export function unmappedIn(map: string | null, overflow: string): number | null {
  if (map === null) return null;
  const ranges = map
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const known = ranges.reduce((sum, [, , length = 0]) => sum + length, 0);
  return known >= ALL_USERS ? null : Number(overflow);
}

function rowsOf(text: string): readonly (readonly string[])[] {
  return text.split('\n').map((line) => line.split(':'));
}

/** Null where there is no such file. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
