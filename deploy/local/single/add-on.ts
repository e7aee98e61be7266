// Our processes on a single site: one for each Deployment of our add-on, as long as the Deployment is there.
// A kubelet would run its Pod.
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Kube } from '../../../kube/client.ts';
import { deploymentOf, siteProcess } from '../cappstan/addon.ts';
import { deploymentAt } from '../cappstan/deployment.ts';
import { processName } from '../cappstan/processes.ts';
import { addProcesses, desiredProcesses, keepOnly } from '../supervise/desired.ts';
import type { SingleSite } from './site.ts';

const LOOK_MS = 500;
const COMPONENTS = ['agent', 'site'] as const;
type Component = (typeof COMPONENTS)[number];

/** Ends when `stop` is aborted. Never throws: what fails is told once to `say`, and done again. */
export async function runAddOn(
  site: SingleSite,
  stop: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  const kube = connect({ kubeconfig: site.cluster.kubeconfig, deadlineMs: 10_000 });
  const running = new Map<Component, string>();
  let last = '';
  while (!stop.aborted) {
    try {
      for (const component of COMPONENTS) await follow(site, kube, { component, running });
      last = '';
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      if (said !== last) say(`Tried again soon: ${said}`);
      last = said;
    }
    await sleep(LOOK_MS, undefined, { signal: stop }).catch(() => undefined);
  }
  await kube.close();
}

/** `running` has the version of each Deployment whose process runs. */
async function follow(
  site: SingleSite,
  kube: Kube,
  { component, running }: { readonly component: Component; readonly running: Map<Component, string> },
): Promise<void> {
  const { foundation, cluster } = site;
  const version = await deploymentAt(kube, deploymentOf(component));
  if (version === (running.get(component) ?? null)) return;
  if (version === null) {
    const ended = processName(component, cluster.name);
    const names = (await desiredProcesses(foundation.layout)).map(({ name }) => name);
    await keepOnly(
      foundation.layout,
      names.filter((name) => name !== ended),
    );
    running.delete(component);
    return;
  }
  await addProcesses(foundation.layout, [await siteProcess({ foundation, env: {} }, cluster, component)]);
  running.set(component, version);
}
