// How much memory the kernel says that a process has.
import { readFileSync } from 'node:fs';

/**
 * Of proc(5): now, the part of it that is not shared file pages, and the maximum since the process started.
 */
export type MemoryField = 'VmRSS' | 'RssAnon' | 'VmHWM';

/** Throws when the process is gone. */
export function mebibytes(pid: number, field: MemoryField): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`The kernel does not say ${field}`);
  return Math.round(Number(kibibytes) / 1024);
}
