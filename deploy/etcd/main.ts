// `cappstan etcd`: an etcd of three members on this machine, in the foreground.
import { relative } from 'node:path';
import { ConfigRefused } from '../hub/config/refused.ts';
import { checkedAlone } from '../hub/data-directory.ts';
import { whyClosed } from '../hub/doors.ts';
import { keepDoing } from '../hub/keep.ts';
import { checkRoom, needOfEtcd } from '../hub/room.ts';
import { HUB_COMMAND_TIMES } from '../hub/times.ts';
import { stopStack } from '../local/down.ts';
import { stackProcesses } from '../local/supervise/stack-processes.ts';
import { duration, runCommand, type Progress } from '../local/terminal.ts';
import { certificatesOf } from './certificates.ts';
import { etcdAskedBy, HELP, type EtcdCommand } from './command-line.ts';
import { etcdIn, etcdLock, type EtcdOrigin } from './directory.ts';
import { remedyFor, startEtcd, type RunningEtcd } from './etcd.ts';
import { membersOf } from './members.ts';

async function main(progress: Progress): Promise<void> {
  const asked = etcdAskedBy(process.argv.slice(3));
  const { directory, isHelp, isDryRun } = asked;
  if (isHelp) return progress.say(HELP);
  const { made, warnings } = await (isDryRun
    ? check(asked)
    : checkedAlone(etcdLock(directory), () => check(asked)));
  for (const warning of warnings) progress.say(`Warning: ${warning}`);
  if (isDryRun) return progress.say(planOf(asked, made));
  // Everything that this command and its processes write is its owner's alone.
  process.umask(0o077);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  await runUntil(asked, made, { progress, stop: stop.signal });
}

/** Before anything is written. Throws ConfigRefused. */
async function check({ directory, place }: EtcdCommand): Promise<{
  readonly made: EtcdOrigin | null;
  readonly warnings: readonly string[];
}> {
  const made = await etcdIn(directory, place.port);
  // Those of a command that was killed go on under the next one.
  if ((await stackProcesses(directory)).length === 0) {
    const doors = membersOf(place).flatMap(({ clientPort, peerPort }) => [
      { host: place.bind, port: clientPort },
      { host: '127.0.0.1', port: peerPort },
    ]);
    const closed = await Promise.all(
      doors.map((door) => whyClosed(door, { field: '--bind-address', remedy: remedyFor })),
    );
    const refusals = new Set(closed.filter((why) => why !== null));
    if (refusals.size > 0) throw new ConfigRefused([...refusals]);
  }
  const need = needOfEtcd(membersOf(place).length);
  return { made, warnings: await checkRoom(directory, made === null, need) };
}

async function runUntil(
  asked: EtcdCommand,
  made: EtcdOrigin | null,
  { progress, stop }: { readonly progress: Progress; readonly stop: AbortSignal },
): Promise<void> {
  const startedAt = Date.now();
  try {
    const etcd = await Promise.race([startEtcd(asked, made, progress), interrupted(stop)]);
    if (etcd === null) return;
    const after = duration((Date.now() - startedAt) / 1000);
    progress.say(`\nThe etcd is running, after ${after}.\n\n${nextSteps(etcd)}`);
    await keepEtcd(etcd, stop, (text) => progress.say(text));
  } finally {
    await progress.step('Stopping the etcd', (note) => stopStack(asked.directory, note));
  }
}

async function keepEtcd(etcd: RunningEtcd, stop: AbortSignal, say: (line: string) => void): Promise<void> {
  const everyMs = HUB_COMMAND_TIMES.renewal.ms;
  const duties = [
    { act: () => etcd.keep(), everyMs: 0, dueAt: 0, told: null },
    { act: () => etcd.letIn(), everyMs: 0, dueAt: 0, told: null },
    { act: () => etcd.renew(), everyMs, dueAt: performance.now() + everyMs, told: null },
  ];
  await keepDoing(duties, { stop, isOver: () => false }, say);
}

function interrupted(stop: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve(null);
    stop.addEventListener('abort', () => resolve(null));
  });
}

function planOf({ directory, place }: EtcdCommand, made: EtcdOrigin | null): string {
  return [
    made === null
      ? `A new etcd of three members would be made in ${directory}:`
      : `The etcd in ${directory} would be started:`,
    ...membersOf(place).map(
      ({ name, url, peerPort }) => `  ${name}  ${url}, for its peers on 127.0.0.1:${peerPort}`,
    ),
    `  certificates  ${certificatesOf({ dir: directory })}`,
    'Nothing was written.',
  ].join('\n');
}

function nextSteps({ layout, members, certificates: { authority, client } }: RunningEtcd): string {
  const path = (file: string): string => {
    const near = relative(process.cwd(), file);
    return near.startsWith('..') ? file : near || '.';
  };
  const servers = members.map(({ url }) => url).join(',');
  const files = [
    `--etcd-ca-file ${path(authority)}`,
    `--etcd-cert-file ${path(client.cert)}`,
    `--etcd-key-file ${path(client.key)}`,
  ];
  return [
    `  servers       ${servers}`,
    `  certificates  ${path(certificatesOf(layout))}/`,
    `  logs          ${path(layout.logs)}/`,
    '',
    'Start a hub on it:',
    `  cappstan hub --data-dir <folder> --etcd-mode external --etcd-servers ${servers} \\`,
    `    ${files.join(' ')}`,
    '',
    'It runs until Ctrl-C, and goes on from here when it is started again.',
  ].join('\n');
}

await runCommand(main);
process.exit();
