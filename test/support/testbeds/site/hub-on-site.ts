// A hub with OCM's own work agent on a site: it sends the work of its add-on and those of Capps, as its
// workers and OCM's add-on manager make them.
import { renderWork } from '../../../../activities/hub/ship/render/work.ts';
import type { Sender } from '../../../../activities/hub/ship/render/manifests.ts';
import { factsOf } from '../../../../activities/hub/status/work-facts.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CONFIG_MAP, NAMESPACE, SECRET } from '../../../../crds/kubernetes/core.ts';
import { HUB } from '../../../../crds/labels.ts';
import { cappsExecutor } from '../../../../crds/ocm/executors.ts';
import { DELETION_ORPHAN, MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { HUBS_OF_SITE } from '../../../../crds/site-hubs.ts';
import { resourceOf } from '../../../../deploy/local/kubernetes/apply.ts';
import { keyOf, type KubeObject, type Resource } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { aCapp } from '../../builders/capps.ts';
import { forHub, forSite, templateIn, type Cluster } from '../../servers/chart/chart.ts';
import { startWorkAgentOf } from '../../servers/site/work-agent.ts';

/** The site, as each of its hubs names it. */
export const SITE = 'site-1';
const ADDON = HUBS_OF_SITE.namespace;
/** For OCM's agents. */
export const WAIT = { withinMs: 60_000, everyMs: 200 };

export interface HubOnSite {
  readonly id: 'hub-a' | 'hub-b';
  readonly cluster: Cluster;
  readonly site: Cluster;
  readonly stopAgent: () => Promise<void>;
}

/** Its agent runs in the namespace `place` of the site; `host` is where the agent keeps its own objects. */
export async function hubOnSite(
  { id, cluster, site }: Omit<HubOnSite, 'stopAgent'>,
  place: string,
  host: string | null,
): Promise<HubOnSite> {
  await cluster.kube.create(NAMESPACE, { metadata: { name: SITE } });
  const user = `system:serviceaccount:${place}:klusterlet-work-sa`;
  const account = await site.kubeconfigAs(user, ['system:masters']);
  const places = { hub: cluster.kubeconfig, site: account, host: host ?? account };
  return { id, cluster, site, stopAgent: await startWorkAgentOf(places, SITE) };
}

/** The work of the add-on, as OCM's add-on manager makes it of the chart. */
export async function addOnOf({ id, site }: HubOnSite): Promise<ManifestWork> {
  const objects = await forHub({ hubId: id });
  const manifests = forSite(objects);
  const pluralOf = async (of: { apiVersion: string; kind: string }): Promise<string> =>
    of.kind === 'Capp' ? CAPP.plural : (await resourceOf(site.kube, of)).plural;
  const orphaningRules = await Promise.all(
    manifests
      .filter(({ metadata }) => metadata.annotations?.[DELETION_ORPHAN] !== undefined)
      .map(async ({ apiVersion = '', kind = '', metadata: { name, namespace = '' } }) => {
        const [group] = apiVersion.includes('/') ? apiVersion.split('/') : [''];
        return { group, resource: await pluralOf({ apiVersion, kind }), name, namespace };
      }),
  );
  const { apiVersion, kind } = MANIFEST_WORK;
  return {
    apiVersion,
    kind,
    metadata: { namespace: SITE, name: 'addon-cappstan-deploy-0' },
    spec: {
      workload: { manifests },
      manifestConfigs: templateIn(objects).spec.agentSpec.manifestConfigs,
      deleteOption: { propagationPolicy: 'SelectivelyOrphan', selectivelyOrphans: { orphaningRules } },
    },
  } as unknown as ManifestWork;
}

/** The work of a Capp with a Secret, as its executor. */
export function workOf({ id }: HubOnSite, namespace: string, name: string): ManifestWork {
  const capp = aCapp({});
  const sender: Sender = { hub: id, operator: { namespace: ADDON, name: 'cappstan-site' } };
  const metadata = { ...capp.metadata, namespace, name, uid: `${id}-${name}` };
  return renderWork(
    {
      capp: { ...capp, metadata },
      configMaps: [],
      secrets: [{ metadata: { namespace, name: `${name}-key` }, data: { value: btoa(id) } }],
      logReaders: [],
      sender,
      executor: { namespace: ADDON, name: cappsExecutor(id) },
    },
    { cluster: SITE, name: `mw-create-${namespace}-${name}`, incarnation: 'one', salt: id },
  ).work;
}

export const create = ({ cluster }: HubOnSite, work: ManifestWork) =>
  cluster.kube.create(MANIFEST_WORK, work as never);

const read = ({ cluster }: HubOnSite, { metadata: { name } }: ManifestWork) =>
  cluster.kube.get<ManifestWork & KubeObject>(MANIFEST_WORK, { namespace: SITE, name });

/** Resolves when the work is gone. */
export async function remove(hub: HubOnSite, work: ManifestWork): Promise<void> {
  await hub.cluster.kube.remove(MANIFEST_WORK, { namespace: SITE, name: work.metadata.name });
  await eventually(async () => ((await read(hub, work)) === null ? true : undefined), WAIT);
}

/** Resolves when OCM has said of this generation whether it is applied. */
export async function said(hub: HubOnSite, work: ManifestWork): Promise<ManifestWork> {
  return eventually(async () => {
    const live = await read(hub, work);
    return live !== null && factsOf(live).applied !== 'Unknown' ? live : undefined;
  }, WAIT);
}

export const applied = (hub: HubOnSite, work: ManifestWork) =>
  eventually(async () => (factsOf(await said(hub, work)).applied === 'True' ? true : undefined), WAIT);

/** Makes the agents of these hubs apply all works again. */
export async function applyAgain(hubs: readonly HubOnSite[], round: number): Promise<void> {
  for (const { cluster } of hubs)
    for (const { metadata } of (await cluster.kube.list(MANIFEST_WORK)).items) {
      const key = { namespace: SITE, name: metadata.name };
      await cluster.kube.patch(MANIFEST_WORK, key, { metadata: { labels: { round: String(round) } } });
    }
}

export type VersionsOnSite = ReadonlyMap<string, { readonly version: string; readonly hub: string }>;

/**
 * Every object of an add-on or a Capp on a site, and all of `more`: kind and name → its version, by the hub
 * of its label.
 */
export async function versionsOn(
  { kube }: Cluster,
  hubs: readonly HubOnSite[],
  more: readonly Resource[] = [],
): Promise<VersionsOnSite> {
  const found = new Map<string, { version: string; hub: string }>();
  const note = (kind: string, { metadata }: KubeObject): void => {
    const { namespace = '', name, resourceVersion: version = '', labels = {} } = metadata;
    found.set(`${kind} ${namespace}/${name}`, { version, hub: labels[HUB] ?? '' });
  };
  for (const hub of hubs)
    for (const object of (await addOnOf(hub)).spec?.workload.manifests ?? []) {
      const live = await kube.get<KubeObject>(await resourceOf(kube, object), keyOf(object));
      if (live !== null) note(object.kind, live);
    }
  for (const resource of [CAPP, SECRET, NAMESPACE, CONFIG_MAP, ...more])
    for (const one of (await kube.list(resource)).items) note(resource.kind, one);
  return found;
}

export const ofHub = (all: VersionsOnSite, hub: string): string[] =>
  [...all].filter(([, one]) => one.hub === hub).map(([name]) => name);
