// `cappstan join`: checks everything, writes what a site needs, and runs OCM's agent for it.
import { mkdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kube } from '../../kube/client.ts';
import { endpointOf } from '../../kube/http/credentials.ts';
import { stopStack } from '../local/down.ts';
import { writeKubeconfig } from '../local/kubernetes/kubeconfig.ts';
import { serviceAccountKubeconfig } from '../local/kubernetes/service-account.ts';
import { layoutOf, type Layout } from '../local/layout.ts';
import { ocmAgent, OCM_AGENT_ACCOUNT } from '../local/ocm/site.ts';
import { buildTools } from '../local/programs/build.ts';
import { HUB_MODULES } from '../local/programs/modules.ts';
import { addProcesses, ensureSupervisor } from '../local/supervise/desired.ts';
import { isHeld, supervisorLock } from '../local/supervise/lock.ts';
import { openPorts } from '../local/supervise/ports.ts';
import type { ProcessSpec } from '../local/supervise/process-spec.ts';
import type { Progress as Screen } from '../local/terminal.ts';
import { bringBase, checkBase, sayBase } from './base/base.ts';
import type { JoinCommand } from './command-line.ts';
import { codeFor, knownHub, type KnownHub } from './hub.ts';
import { writeProxy } from './proxy.ts';
import { JoinRefused } from './refused.ts';
import { membershipOf, openSite, refuseOther, refuseWithoutRights, writeSite } from './site.ts';
import { firstStep, nextStep, type JoinStep } from './steps.ts';
import { progressOf } from './watch.ts';

type Join = Extract<JoinCommand, { what: 'join' }>;

const LOOK_MS = 1_000;

/** What stands when everything has been checked. */
interface Ready {
  readonly asked: Join;
  readonly hub: KnownHub;
  readonly site: Kube;
  readonly layout: Layout;
}

/** Writes nothing. Throws JoinRefused. */
export async function checkJoin(asked: Join, site: Kube): Promise<KnownHub> {
  const { line, cluster, dir } = asked;
  const hub = await knownHub(line, asked.proxy);
  await refuseWithoutRights(site);
  refuseOther(await membershipOf(site), { cluster, hub: hub.url, fingerprint: line.fingerprint });
  // An agent that has joined needs no token any more.
  if (existsSync(join(agentDir(layoutOf(dir)), 'kubeconfig'))) return hub;
  const path = `/apis/cluster.open-cluster-management.io/v1/managedclusters/${cluster}`;
  const code = await codeFor(hub, `${line.token.id}.${line.token.secret}`, path);
  if (code === 401)
    throw new JoinRefused([
      `The hub does not know the token (any more): it has ended, or was used. Ask for a new line: cappstan token --cluster ${cluster} --existing.`,
    ]);
  if (code === 404 && line.cluster !== null)
    throw new JoinRefused([
      `The hub has no ManagedCluster ${cluster} any more. Ask for a new line: cappstan token --cluster ${cluster}.`,
    ]);
  if (code !== 200 && code !== 404)
    throw new JoinRefused([
      `The hub answers ${code} when it is shown the token. Look whether its address is right, or ask whoever runs it for the log of its API server.`,
    ]);
  return hub;
}

/**
 * Ends when the cluster has joined or is stuck, in the foreground when `stop` is aborted. Throws JoinRefused,
 * and an Error when the agent cannot be started.
 */
export async function joinHub(asked: Join, screen: Screen, stop: AbortSignal): Promise<void> {
  const site = openSite(asked.kubeconfig);
  try {
    const hub = await checkJoin(asked, site);
    const base =
      asked.base === null
        ? []
        : await checkBase({ site, kubeconfig: asked.kubeconfig }, asked.base, asked.isDryRun);
    if (asked.isDryRun) {
      sayBase(base, screen);
      return screen.say(
        `${asked.cluster} would join ${hub.url}: the hub is the one of the line, the token is good, and you may write to the site. Nothing was written.`,
      );
    }
    // Before anything of the hub: a site without it runs no Capp.
    await bringBase(site, base, screen);
    const layout = layoutOf(asked.dir);
    await buildTools(screen, HUB_MODULES);
    // That of a command that was killed, or that in the background: this one is its owner now.
    if (asked.isForeground) await stopStack(asked.dir);
    // An agent that ran before goes on, however this run ends.
    let goesOn = await isHeld(supervisorLock(layout.dir));
    try {
      const spec = await screen.step('Preparing the site', () => prepared({ asked, hub, site, layout }));
      goesOn = (await follow({ asked, hub, layout, spec }, screen, stop)) === 'in the background' || goesOn;
    } finally {
      if (!goesOn) await screen.step('Stopping the agent', (note) => stopStack(asked.dir, note));
    }
  } finally {
    await site.close();
  }
}

function agentDir(layout: Layout): string {
  return join(layout.dataOf('agent'), 'hub');
}

function bootstrapOf(layout: Layout): string {
  return layout.dataOf('bootstrap.kubeconfig');
}

async function prepared({ asked, hub, site, layout }: Ready): Promise<ProcessSpec> {
  const { line, cluster, kubeconfig } = asked;
  await writeSite(site, { cluster, hub: hub.url, fingerprint: line.fingerprint });
  await writeProxy(site, asked.proxy);
  for (const dir of [layout.data, layout.logs, layout.state, agentDir(layout)])
    await mkdir(dir, { recursive: true, mode: 0o700 });
  const ca = layout.dataOf('hub-ca.crt');
  // OCM's agent has one list of authorities, for hub and proxy.
  await writeFile(ca, [hub.ca, hub.proxy?.ca ?? ''].join('\n'), { mode: 0o600 });
  const credential = { token: `${line.token.id}.${line.token.secret}` };
  await writeKubeconfig(bootstrapOf(layout), {
    cluster: 'hub',
    server: hub.url,
    ca,
    credential,
    ...(hub.proxy === null ? {} : { proxyUrl: hub.proxy.url }),
  });
  const ports = await openPorts(join(layout.state, 'ports.json'));
  return ocmAgent({
    site: cluster,
    kubeconfig: await agentKubeconfig(site, { cluster, kubeconfig, layout }),
    bootstrap: bootstrapOf(layout),
    hubDir: agentDir(layout),
    port: await ports.of('ocm-agent'),
  });
}

async function agentKubeconfig(
  site: Kube,
  { cluster, kubeconfig, layout }: { cluster: string; kubeconfig: string; layout: Layout },
): Promise<string> {
  const endpoint = endpointOf({ kubeconfig });
  const { ca } = (await endpoint.credentials()).tls;
  if (ca === undefined)
    throw new JoinRefused([
      `${kubeconfig} names no authority (certificate-authority). Give one that does: the agent must know the site’s API server.`,
    ]);
  const file = layout.dataOf('site-ca.crt');
  await writeFile(file, String(ca), { mode: 0o600 });
  const access = { cluster, server: `${endpoint.origin}${endpoint.root}`, ca: file };
  return serviceAccountKubeconfig(site, {
    ...OCM_AGENT_ACCOUNT,
    ...access,
    file: layout.dataOf('agent.kubeconfig'),
  });
}

/** In the background it goes on without this command. */
async function started({ asked, layout, spec }: Following): Promise<void> {
  await ensureSupervisor(layout, asked.isForeground ? process.pid : null);
  await addProcesses(layout, [spec], () => 'Stop that program (ss -ltnp shows it).');
}

interface Following extends Omit<Ready, 'site'> {
  readonly spec: ProcessSpec;
}

/**
 * Says each step once. Says what stands when the cluster has joined or is stuck, and the exit code: then the
 * agent goes on in the background, and in the foreground until `stop`.
 */
async function follow(
  following: Following,
  screen: Screen,
  stop: AbortSignal,
): Promise<'in the background' | 'no more'> {
  const { asked, layout } = following;
  const files = { bootstrap: bootstrapOf(layout), agentDir: agentDir(layout) };
  let [step, isTold] = [firstStep(Date.now()), false];
  await started(following);
  while (!stop.aborted) {
    const { end, say, ...next } = nextStep(step, await progressOf(asked, files), Date.now());
    ({ step } = next);
    if (say !== null) screen.say(say);
    if (end !== null && !isTold) screen.say(endOf(following, step, end));
    if (end !== null && !asked.isForeground) {
      if (end === 'stuck') process.exitCode = 1;
      return 'in the background';
    }
    isTold = end !== null;
    await sleep(LOOK_MS, undefined, { signal: stop }).catch(() => undefined);
    if (!stop.aborted && !(await isHeld(supervisorLock(layout.dir)))) await started(following);
  }
  if (!asked.isForeground) process.exitCode = 1;
  return 'no more';
}

function endOf({ asked, hub, layout, spec }: Following, step: JoinStep, end: 'joined' | 'stuck'): string {
  const { cluster, isForeground } = asked;
  const goesOn = isForeground
    ? 'OCM’s agent runs until Ctrl-C, and goes on from here when this is started again.'
    : 'OCM’s agent goes on in the background. cappstan leave stops it.';
  return end === 'joined'
    ? `${cluster} has joined ${hub.url}: its add-on is Available there, and Capps can be placed on it. ${goesOn}`
    : `${cluster} has not joined ${hub.url}. It is stuck at this step:\n  ${step.sentence}\nThe log of OCM’s agent is ${layout.logOf(spec.name)}. ${goesOn} Run this again to see how far it is.`;
}
