// Two hubs on one guarded site: their work agents, and what of their add-ons is there.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HUB, HUB_PART } from '../../../../crds/labels.ts';
import { resourceOf } from '../../../../deploy/local/kubernetes/apply.ts';
import { keyOf, pathOf, type KubeObject } from '../../../../kube/resource.ts';
import { forHub, forSite, type Cluster } from '../../servers/chart/chart.ts';
import type { RawClient, Reply } from '../../servers/api/identities.ts';
import { SHIPPED, VALUES } from './guarded-site.ts';

export const OF_A = { ...SHIPPED, [HUB]: 'hub-a' };
export const OF_B = { ...SHIPPED, [HUB]: 'hub-b' };
/** The first hub's agent, as the site's record names it. */
export const AGENT_OF_A = 'open-cluster-management-agent.klusterlet-work-sa';
export const AGENT_OF_B = 'open-cluster-management-customer.klusterlet-work-sa';

export function agentOfB(cluster: Cluster): Promise<RawClient> {
  const user = `system:serviceaccount:${AGENT_OF_B.replace('.', ':')}`;
  return cluster.as(user, ['system:masters']);
}

export interface Brought {
  readonly object: KubeObject;
  readonly reply: Reply;
}

/** Applies the add-on of a hub as OCM's work agent does: what bears the label of the hub. */
export async function bring({ kube }: Cluster, as: RawClient, hubId: string): Promise<Brought[]> {
  const brought: Brought[] = [];
  for (const object of forSite(await forHub({ ...VALUES, hubId }))) {
    if (object.metadata.labels?.[HUB] === undefined) continue;
    const { apiVersion = '', kind = '' } = object;
    const resource = await resourceOf(kube, { apiVersion, kind });
    const key = keyOf(object);
    const changed = await as('PATCH', pathOf(resource, key), object);
    const reply =
      changed.code === 404 ? await as('POST', pathOf(resource, { ...key, name: null }), object) : changed;
    brought.push({ object, reply });
  }
  return brought;
}

/** Whether it is there once for all hubs. */
export const isShared = ({ object }: Pick<Brought, 'object'>): boolean =>
  object.metadata.labels?.[HUB_PART] === 'shared';

export const codes = (all: readonly Brought[]): number[] =>
  [...new Set(all.map(({ reply }) => reply.code))].toSorted((one, other) => one - other);

/** What is there of the add-ons of both: of a hub by its label, or by its name where there is no label. */
async function liveOf({ kube }: Cluster): Promise<readonly { hub: string; what: string; uid: string }[]> {
  const found = new Map<string, { hub: string; what: string; uid: string }>();
  for (const one of ['hub-a', 'hub-b'])
    for (const object of forSite(await forHub({ ...VALUES, hubId: one }))) {
      const { apiVersion = '', kind = '' } = object;
      const live = await kube.get<KubeObject>(await resourceOf(kube, { apiVersion, kind }), keyOf(object));
      if (live === null) continue;
      const { name, labels = {}, uid = '' } = live.metadata;
      const hub = labels[HUB] ?? (kind.startsWith('ValidatingAdmission') ? one : '');
      found.set(uid, { hub, what: [kind, name, labels[HUB_PART] ?? ''].join(' '), uid });
    }
  return [...found.values()];
}

/** Of the add-on of a hub: kind, name, and `shared` where it is there once. */
export async function left(cluster: Cluster, hub: string): Promise<string[]> {
  const live = await liveOf(cluster);
  return live
    .filter((one) => one.hub === hub)
    .map(({ what }) => what)
    .toSorted();
}

/** What is there once, with its uid: whoever it belongs to. */
export async function shared(cluster: Cluster): Promise<string[]> {
  const live = await liveOf(cluster);
  return live
    .filter(({ what }) => what.endsWith(' shared'))
    .map(({ what, uid }) => `${what} ${uid}`)
    .toSorted();
}

const DOCS = join(import.meta.dirname, '../../../../docs');

/**
 * Runs the one block of commands of a page of the docs that has this text, as the site's admin, with the
 * values in place of what stands in angle brackets.
 */
export async function runDocumented(
  { kubeconfig }: Cluster,
  page: string,
  has: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const blocks = [...readFileSync(join(DOCS, page), 'utf8').matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)];
  const [block, ...more] = blocks.map(([, text = '']) => text).filter((text) => text.includes(has));
  if (block === undefined || more.length > 0) throw new Error(`${page} has not exactly one block: ${has}`);
  const script = block.replaceAll(/<([^<>]+)>/g, (whole, name: string) => values[name] ?? whole);
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  await promisify(execFile)('bash', ['-ec', script], { env });
}
