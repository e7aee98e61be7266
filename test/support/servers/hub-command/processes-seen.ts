// What anybody on the machine sees of processes: their command lines, and to whom they are connected.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The command lines of all processes. */
export function processLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => readable(() => [readFileSync(`/proc/${pid}/cmdline`, 'latin1')]));
}

/** The ports to which a process is connected by IPv4. */
export function peersOf(pid: number): number[] {
  const links = readdirSync(`/proc/${pid}/fd`).flatMap((fd) =>
    readable(() => [readlinkSync(`/proc/${pid}/fd/${fd}`)]),
  );
  const own = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , , , , , , , inode]) => inode !== undefined && own.has(inode))
    .map(([, , peer = ':0']) => Number.parseInt(peer.split(':')[1] ?? '0', 16));
}

/** Nothing of what has ended meanwhile. */
function readable(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}
