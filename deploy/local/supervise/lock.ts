// A lock for one process on this machine at a time, which is released when that process ends, also by
// SIGKILL. A container whose network is its own is another machine to it.
//
// It is an abstract Unix socket (Linux): unlike a lock file it cannot become stale.
import { connect, createServer } from 'node:net';
import { closeSync, fstatSync, mkdirSync, openSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { folderId, idOf } from './folder-id.ts';

export interface ProcessLock {
  /** Safe to repeat. */
  release(): Promise<void>;
}

/** Of what one process at a time does in a folder, whichever path leads there. */
export interface FolderLock {
  readonly what: string;
  /** Absolute. While there is no such folder, only its path is held. */
  readonly folder: string;
}

/** Acquires the lock, or returns null when another process has it. */
export async function acquire(lock: string | FolderLock): Promise<ProcessLock | null> {
  if (typeof lock === 'string') return acquireName(lock);
  const { what, folder } = lock;
  let opened = openedFolder(folder);
  const held: ProcessLock[] = [];
  const release = async (): Promise<void> => {
    for (const one of held.splice(0)) await one.release();
    opened?.close();
    opened = null;
  };
  try {
    for (const name of namesOf(what, folder, opened?.id ?? null)) {
      const one = await acquireName(name);
      if (one === null) {
        await release();
        return null;
      }
      held.push(one);
    }
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

/**
 * Makes the folder, for its owner alone, and acquires the lock by whichever path leads there. `held` has held
 * the path until now, and is released. Null: another process has it, by another path.
 */
export async function acquireMade(
  { what, folder }: FolderLock,
  held: ProcessLock,
): Promise<ProcessLock | null> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await held.release();
  return acquire({ what, folder });
}

export async function isHeld(lock: string | FolderLock): Promise<boolean> {
  if (typeof lock === 'string') return isNameHeld(lock);
  const { what, folder } = lock;
  const names = namesOf(what, folder, folderId(folder));
  return (await Promise.all(names.map(isNameHeld))).includes(true);
}

/** By the path as well: processes of earlier versions, some of which go on for months, hold that alone. */
function namesOf(what: string, folder: string, id: string | null): readonly string[] {
  return [`${what} ${folder}`, ...(id === null ? [] : [`${what} ${id}`])];
}

/** As long as it is open, no other folder gets its id. Null: there is none, or it is somebody else's. */
function openedFolder(folder: string): { readonly id: string; close(): void } | null {
  try {
    const file = openSync(folder, 'r');
    return { id: idOf(fstatSync(file, { bigint: true })), close: () => closeSync(file) };
  } catch {
    return null;
  }
}

function acquireName(name: string): Promise<ProcessLock | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(new Error(`Cannot acquire the lock "${name}".`, { cause: error }));
    });
    server.listen({ path: pathOf(name) }, () => {
      server.unref();
      resolve({ release: () => new Promise((done) => server.close(() => done())) });
    });
  });
}

function isNameHeld(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path: pathOf(name) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

export function supervisorLock(dir: string): FolderLock {
  return { what: 'supervisor', folder: dir };
}

export function upLock(dir: string): FolderLock {
  return { what: 'up', folder: dir };
}

/** Hashed, because a socket's name has at most 107 bytes and a folder's path can be longer. */
function pathOf(name: string): string {
  return `\0cappstan/${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;
}
