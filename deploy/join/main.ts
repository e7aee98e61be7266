// `cappstan join` and `cappstan leave`: a site and its hub.
import { text } from 'node:stream/consumers';
import { acquire, acquireMade, type FolderLock, type ProcessLock } from '../local/supervise/lock.ts';
import { runCommand, type Progress } from '../local/terminal.ts';
import { askedBy, HELP } from './command-line.ts';
import { joinHub } from './join.ts';
import { leaveHub } from './leave/leave.ts';
import { JoinRefused } from './refused.ts';

async function main(screen: Progress): Promise<void> {
  const asked = await askedBy(process.argv.slice(2), () => text(process.stdin));
  if (asked.what === 'help') return screen.say(HELP);
  // What this command and the agent write is their owner's alone.
  process.umask(0o077);
  if (asked.what === 'leave') return leaveHub(asked, screen, async () => void (await alone(asked.dir)));
  const stop = new AbortController();
  const begun = { stop: stop.signal, hold: () => Promise.resolve() };
  if (asked.isDryRun) return joinHub(asked, screen, begun);
  const lock = await alone(asked.dir);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  return joinHub(asked, screen, {
    ...begun,
    hold: async () => void theOne(asked.dir, await acquireMade(lockOf(asked.dir), lock)),
  });
}

function lockOf(dir: string): FolderLock {
  return { what: 'join', folder: dir };
}

/** Throws JoinRefused while another command runs there; what this one holds goes with it. */
async function alone(dir: string): Promise<ProcessLock> {
  return theOne(dir, await acquire(lockOf(dir)));
}

function theOne(dir: string, lock: ProcessLock | null): ProcessLock {
  if (lock !== null) return lock;
  throw new JoinRefused([
    `An agent runs in ${dir}. Stop it with Ctrl-C where it runs, or give another --data-dir.`,
  ]);
}

await runCommand(main);
process.exit();
