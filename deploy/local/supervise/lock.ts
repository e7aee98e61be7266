// A lock for one process on this machine at a time, which is released when that process ends, also by
// SIGKILL.
//
// It is an abstract Unix socket (Linux): unlike a lock file it cannot become stale.
import { connect, createServer } from 'node:net';
import { createHash } from 'node:crypto';

export interface ProcessLock {
  release(): Promise<void>;
}

/** Acquires the lock, or returns null when another process has it. */
export function acquire(name: string): Promise<ProcessLock | null> {
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

export function isHeld(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path: pathOf(name) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

export function supervisorLock(dir: string): string {
  return `supervisor ${dir}`;
}

export function upLock(dir: string): string {
  return `up ${dir}`;
}

/** Hashed, because a socket's name has at most 107 bytes and a folder's path can be longer. */
function pathOf(name: string): string {
  return `\0cappstan/${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;
}
