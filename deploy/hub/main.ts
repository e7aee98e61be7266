// `cappstan hub`: a hub on this machine, in the foreground.
import { readFile, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { stopStack } from '../local/down.ts';
import { whyUnread } from '../local/given.ts';
import { HUB } from '../local/layout.ts';
import { duration, runCommand, type Progress } from '../local/terminal.ts';
import { isShut, type RestoredHub } from './admit/restored.ts';
import { actOfABackup, isActOfABackup } from './backup/acts.ts';
import { asAt } from './backup/about.ts';
import { hubConfig, type HubConfig } from './config/config.ts';
import { commandLine, help, type CommandLine } from './config/flags.ts';
import { ConfigRefused } from './config/refused.ts';
import { checkedAlone, hubLock } from './data-directory.ts';
import { gatewayOf, urlOf } from './doors.ts';
import { check } from './foundation.ts';
import { startHub, type RunningHub } from './hub.ts';
import { keepHub } from './keep.ts';
import { kubeconfigOf } from './servers.ts';

/** What a directory that stands for a file holds. */
const IN_A_DIRECTORY = 'ocmconfig.yaml';

async function main(progress: Progress): Promise<void> {
  const args = process.argv.slice(process.argv[2] === 'hub' ? 3 : 2);
  if (isActOfABackup(args[0])) return actOfABackup(args, progress);
  const line = commandLine(args);
  if (line.isHelp) return progress.say(help());
  const { config, warnings } = hubConfig({
    file: await fileOf(line),
    flags: line.values,
    directory: process.cwd(),
  });
  for (const warning of warnings) progress.say(`Warning: ${warning}`);
  const checked = await (line.isDryRun
    ? check(config)
    : checkedAlone(hubLock(config.dataDirectory), () => check(config)));
  for (const warning of checked.warnings) progress.say(`Warning: ${warning}`);
  if (line.isDryRun) return progress.say(planOf(config, checked.made === null));
  // Everything that this command and its processes write is its owner's alone.
  process.umask(0o077);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  await runUntil(config, progress, { checked, stop: stop.signal });
}

async function runUntil(
  config: HubConfig,
  progress: Progress,
  { checked, stop }: { checked: Awaited<ReturnType<typeof check>>; stop: AbortSignal },
): Promise<void> {
  const startedAt = Date.now();
  const { dir } = checked.layout;
  const isShutNow = checked.shut !== null;
  const hasTurned = (): boolean => isShut(dir) !== isShutNow;
  try {
    const hub = await Promise.race([startHub(config, checked, progress), interrupted(stop)]);
    if (hub === null) return;
    const after = duration((Date.now() - startedAt) / 1000);
    progress.say(
      checked.shut === null
        ? `\nThe hub is running, after ${after}.\n\n${nextSteps(hub)}`
        : `\nThe hub is restored, after ${after}, and nobody can come in.\n\n${stepsBehindShutDoors(hub, checked.shut)}`,
    );
    await keepHub(hub, { stop, isOver: hasTurned }, (text) => progress.say(text));
  } finally {
    await progress.step('Stopping the hub', (note) => stopStack(dir, note));
  }
  if (stop.aborted || !hasTurned()) return;
  progress.say(isShutNow ? 'The sites are admitted.' : 'Its etcd went back to an earlier state.');
  await runUntil(config, progress, { checked: await check(config), stop });
}

function interrupted(stop: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve(null);
    stop.addEventListener('abort', () => resolve(null));
  });
}

async function fileOf({ config }: CommandLine): Promise<{ path: string; text: string } | null> {
  if (config === null) return null;
  const given = resolve(config);
  try {
    const path = (await stat(given)).isDirectory() ? join(given, IN_A_DIRECTORY) : given;
    return { path, text: await readFile(path, 'utf8') };
  } catch (error) {
    const { path = given } = error as NodeJS.ErrnoException;
    throw new ConfigRefused([
      `--config: ${path} ${whyUnread(error)}. Give a file, or a directory with an ${IN_A_DIRECTORY}.`,
    ]);
  }
}

function stepsBehindShutDoors({ foundation }: RunningHub, { at }: RestoredHub): string {
  const { dir } = foundation.layout;
  return [
    `It is ${asAt(at)}. Agents would remove from the sites what it does not know of. See what that is:`,
    `  cappstan hub admit --data-dir ${dir}`,
    'Until then only its API server runs, for this machine:',
    `  kubectl --kubeconfig ${foundation.layout.kubeconfig(HUB)} get capps -A`,
  ].join('\n');
}

function planOf(config: HubConfig, isNew: boolean): string {
  const { dataDirectory: dir, bindAddress: bind, apiServer, etcd, temporal, gateway, argo, reader } = config;
  const store = etcd.mode === 'embed' ? 'its own, with TLS, on loopback' : etcd.servers.join(', ');
  return [
    isNew ? `A new hub would be made in ${dir}:` : `The hub in ${dir} would be started:`,
    `  API server  ${urlOf(config)}, on ${bind}:${apiServer.port}`,
    `  gateway     ${gatewayOf(config)}, on ${bind}:${gateway.port}`,
    `  etcd        ${store}, keys below ${etcd.prefix}`,
    `  Temporal    ${temporal.mode === 'embed' ? 'its own, with TLS, on loopback' : `${temporal.address}, namespace ${temporal.namespace}`}`,
    `  authority   ${apiServer.authority?.cert ?? (isNew ? 'made' : 'the one that the hub has made')}`,
    ...(reader === null ? [] : [`  reader      by ${reader.userServer}`]),
    ...(argo === null
      ? []
      : [`  Argo CD     in ${argo.namespace}, by ${argo.userServer} as ${argo.account}`]),
    'OCM and Cappstan would run on loopback. Nothing was written.',
  ].join('\n');
}

function nextSteps(hub: RunningHub): string {
  const { foundation, temporal, url, gateway } = hub;
  const path = (file: string): string => {
    const near = relative(process.cwd(), file);
    return near.startsWith('..') ? file : near || '.';
  };
  const kubeconfig = path(kubeconfigOf(foundation));
  return [
    `  API server  ${url} (${kubeconfig})`,
    `  gateway     ${gateway}`,
    `  authority   ${foundation.fingerprint}`,
    `  Temporal    ${[temporal.address, temporal.ui].filter((text) => text !== '').join(', ')}`,
    `  logs        ${path(foundation.layout.logs)}/`,
    '',
    'See its clusters, of which a person accepts each:',
    `  kubectl --kubeconfig ${kubeconfig} get managedclusters`,
    '',
    'It runs until Ctrl-C, and goes on from here when it is started again.',
  ].join('\n');
}

await runCommand(main);
process.exit();
