// A name that one process on this machine can hold at a time, and that is free again the moment that process is gone, however it went.
//
// An abstract Unix socket (Linux) is just that: no file to go stale, no pid to be mistaken for another.
import { connect, createServer } from 'node:net';
import { createHash } from 'node:crypto';

export interface Lock {
  release(): Promise<void>;
}

/** Takes the name, or returns null when another process holds it. */
export function hold(name: string): Promise<Lock | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(new Error(`Cannot take the lock "${name}"`, { cause: error }));
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

/** A socket's name has at most 107 bytes; folders can be longer. */
function pathOf(name: string): string {
  return `\0cappstan/${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;
}
