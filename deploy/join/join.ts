// `cappstan join`: checks everything, writes what a site needs, and runs OCM's agent for it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kube } from '../../kube/client.ts';
import { stopStack } from '../local/down.ts';
import { writeKubeconfig } from '../local/kubernetes/kubeconfig.ts';
import { layoutOf, type Layout } from '../local/layout.ts';
import { ocmAgent } from '../local/ocm/site.ts';
import { buildTools } from '../local/programs/build.ts';
import { HUB_MODULES } from '../local/programs/modules.ts';
import { addProcesses, ensureSupervisor } from '../local/supervise/desired.ts';
import { isHeld, supervisorLock } from '../local/supervise/lock.ts';
import { openPorts } from '../local/supervise/ports.ts';
import type { ProcessSpec } from '../local/supervise/process-spec.ts';
import type { Progress as Screen } from '../local/terminal.ts';
import { agentKubeconfig } from './account.ts';
import { bringBase, checkBase, sayBase } from './base/base.ts';
import type { JoinCommand } from './command-line.ts';
import { forgetCredential, leadByWayOf } from './credential.ts';
import { agentDir, bootstrapOf, checkJoin, tokenOf, type Checked } from './preflight.ts';
import { writeProxy } from './proxy.ts';
import { openSite, writeSite } from './site.ts';
import { firstStep, nextStep, type JoinStep } from './steps.ts';
import { progressOf } from './watch.ts';

type Join = Extract<JoinCommand, { what: 'join' }>;

const LOOK_MS = 1_000;
const GOOD: Readonly<Record<Checked['by'], string>> = {
  credential: 'it knows the agent, which needs no token',
  token: 'the token is good',
  'token instead': 'the token is good, by which the agent comes again, since the hub lets it in no more',
};

/** What stands when everything has been checked. */
interface Ready extends Checked {
  readonly asked: Join;
  readonly site: Kube;
  readonly layout: Layout;
}

export interface BegunJoin {
  readonly stop: AbortSignal;
  /** Makes the directory and holds it, whichever path leads there. Throws while somebody else does. */
  hold(): Promise<void>;
}

/**
 * Ends when the cluster has joined or is stuck, in the foreground when `stop` is aborted. Holds the directory
 * before it writes anything. Throws JoinRefused, and an Error when the agent cannot be started.
 */
export async function joinHub(asked: Join, screen: Screen, { stop, hold }: BegunJoin): Promise<void> {
  const site = openSite(asked.kubeconfig);
  try {
    const { hub, by } = await checkJoin(asked, site);
    const base =
      asked.base === null
        ? []
        : await checkBase({ site, kubeconfig: asked.kubeconfig }, asked.base, asked.isDryRun);
    if (asked.isDryRun) {
      sayBase(base, screen);
      return screen.say(
        `${asked.cluster} would join ${hub.url}: the hub is the one of the line, ${GOOD[by]}, and you may write to the site and to ${asked.dir}. Nothing was written.`,
      );
    }
    await hold();
    // Before anything of the hub: a site without it runs no Capp.
    await bringBase(site, base, screen);
    const layout = layoutOf(asked.dir);
    await buildTools(screen, HUB_MODULES);
    // That of a command that was killed, or that in the background: this one is its owner now.
    // One that the hub refuses has to start again with the token.
    if (asked.isForeground || by === 'token instead') await stopStack(asked.dir);
    // An agent that ran before goes on, however this run ends.
    let goesOn = await isHeld(supervisorLock(layout.dir));
    try {
      const spec = await screen.step('Preparing the site', () => prepared({ asked, hub, by, site, layout }));
      goesOn = (await follow({ asked, hub, layout, spec }, screen, stop)) === 'in the background' || goesOn;
    } finally {
      if (!goesOn) await screen.step('Stopping the agent', (note) => stopStack(asked.dir, note));
    }
  } finally {
    await site.close();
  }
}

async function prepared({ asked, hub, by, site, layout }: Ready): Promise<ProcessSpec> {
  const { line, cluster, kubeconfig } = asked;
  await writeSite(site, { cluster, hub: hub.url, fingerprint: line.fingerprint });
  await writeProxy(site, asked.proxy);
  // Before the new token is noted as the one by which it has come.
  if (by === 'token instead') await forgetCredential(site, agentDir(layout));
  for (const dir of [layout.data, layout.logs, layout.state, agentDir(layout)])
    await mkdir(dir, { recursive: true, mode: 0o700 });
  const ca = layout.dataOf('hub-ca.crt');
  // OCM's agent has one list of authorities, for hub and proxy.
  await writeFile(ca, [hub.ca, hub.proxy?.ca ?? ''].join('\n'), { mode: 0o600 });
  const credential = { token: tokenOf(asked) };
  await writeKubeconfig(bootstrapOf(layout), {
    cluster: 'hub',
    server: hub.url,
    ca,
    credential,
    ...(hub.proxy === null ? {} : { proxyUrl: hub.proxy.url }),
  });
  await leadByWayOf(site, bootstrapOf(layout), () => stopStack(asked.dir));
  const ports = await openPorts(join(layout.state, 'ports.json'));
  return ocmAgent({
    site: cluster,
    kubeconfig: await agentKubeconfig(site, { cluster, kubeconfig, layout }),
    bootstrap: bootstrapOf(layout),
    hubDir: agentDir(layout),
    port: await ports.of('ocm-agent'),
  });
}

/** In the background it goes on without this command. */
async function started({ asked, layout, spec }: Following): Promise<void> {
  await ensureSupervisor(layout, asked.isForeground ? process.pid : null);
  await addProcesses(layout, [spec], () => 'Stop that program (ss -ltnp shows it).');
}

interface Following extends Omit<Ready, 'by' | 'site'> {
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
