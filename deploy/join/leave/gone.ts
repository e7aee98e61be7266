// A site leaves a hub that is no more: what goes with the hub's works, shown to a person first, and taken
// away in the place of OCM's agent, which does nothing without its hub.
import { setTimeout as sleep } from 'node:timers/promises';
import { CAPP } from '../../../crds/capp/capp.ts';
import { digestOf } from '../../../crds/digest.ts';
import { APPLIED_MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { isNotFound } from '../../../kube/failure.ts';
import type { Key, KubeObject, Resource } from '../../../kube/resource.ts';
import { PROXY_SECRET } from '../../../crds/join/site-proxy.ts';
import { knownHub } from '../hub.ts';
import { proxyNoted } from '../proxy.ts';
import { JoinRefused, NobodyThere } from '../refused.ts';
import { ADD_ON_PLACE, broughtBy, type WorkOnSite, type Membership } from '../site.ts';
import { removed } from './removed.ts';

const GONE_WITHIN_MS = 120_000;
/** More objects of a work are counted only. */
const SHOWN = 8;
/** Of the works of add-ons: what they bring goes last, since our site operator ends its Capps. */
const ADD_ON_WORKS = 'addon-';

interface LostObject {
  readonly resource: Resource;
  readonly key: Key;
  readonly uid: string;
}

export interface LostWork {
  readonly work: WorkOnSite;
  /** What it alone has brought. What others have brought as well, or what is to outlive it, stays. */
  readonly objects: readonly LostObject[];
}

export interface LostWithHub {
  readonly capps: readonly KubeObject[];
  readonly works: readonly LostWork[];
}

/**
 * Throws JoinRefused while the hub of this membership answers, or something on the way that hides whether it
 * does.
 */
export async function refuseReachable(site: Kube, { cluster, hub, fingerprint }: Membership): Promise<void> {
  const { hostname, port } = new URL(hub);
  const line = { host: hostname, port: port === '' ? 443 : Number(port), fingerprint };
  const isThere = await knownHub(line, await proxyNoted(site)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NobodyThere) return false;
      if (!(error instanceof JoinRefused)) throw error;
      throw new JoinRefused([error.message, hidden(hub)]);
    },
  );
  if (isThere)
    throw new JoinRefused([
      `The hub answers at ${hub}, so it is not gone. Take what is here away on it: kubectl capp drain ${cluster}, then kubectl delete managedcluster ${cluster}. Then leave, without --hub-is-gone.`,
    ]);
}

function hidden(hub: string): string {
  return `So it is not sure that the hub at ${hub} is gone, and nothing is taken away. Mend that first. If the hub is gone all the same, and something else has its address or the way to it is gone too: have nobody answer there (a line in /etc/hosts, or kubectl -n ${ADD_ON_PLACE} delete secret ${PROXY_SECRET} for a proxy that is gone), and run this again.`;
}

export async function lossesOf(site: Kube, known: Membership): Promise<LostWithHub> {
  const { capps, works } = await broughtBy(site, known);
  const lost: LostWork[] = [];
  for (const work of works) lost.push({ work, objects: await objectsOf(site, work) });
  return { capps, works: lost };
}

async function objectsOf(site: Kube, { metadata, status }: WorkOnSite): Promise<readonly LostObject[]> {
  const found: LostObject[] = [];
  for (const { group = '', version, resource: plural, namespace = '', name } of status?.appliedResources ??
    []) {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const resource = { apiVersion, kind: '', plural, namespaced: namespace !== '' };
    const key = { namespace: namespace === '' ? null : namespace, name };
    const object = await site.getMetadata(resource, key).catch((error: unknown) => {
      if (isNotFound(error)) return null;
      throw error;
    });
    const owners = object?.metadata.ownerReferences ?? [];
    const isOwn = owners.length === 1 && owners[0]?.uid === metadata.uid;
    if (isOwn) found.push({ resource, key, uid: object?.metadata.uid ?? '' });
  }
  return found;
}

/** Throws JoinRefused, with all that goes, unless `lose` is the digest of just that. */
export function refuseUnseenLosses(losses: LostWithHub, lose: string | null): void {
  const whole = linesOf(losses, Number.POSITIVE_INFINITY);
  const digest = digestOf(whole.toSorted().join('\n'), 10);
  if (lose === (whole.length === 0 ? null : digest)) return;
  if (whole.length === 0)
    throw new JoinRefused([`Nothing is lost, and --lose is ${lose ?? ''}. Leave it out.`]);
  const changed = lose === null ? '' : `This is not the list of --lose ${lose}. `;
  throw new JoinRefused([
    ...linesOf(losses, SHOWN).map((line, index) => `${index + 1}. ${line}`),
    `${changed}All this goes from the site, and no hub has it any more. Save what you want to keep (kubectl get <object> -o yaml); then go on with --lose ${digest}.`,
  ]);
}

function linesOf({ capps, works }: LostWithHub, limit: number): string[] {
  const named = ({
    namespace,
    name,
  }: {
    readonly namespace?: string | null;
    readonly name: string;
  }): string => (namespace == null ? name : `${namespace}/${name}`);
  return [
    ...capps.map(({ metadata }) => `Capp ${named(metadata)}, with all that it runs.`),
    ...works.map(({ work, objects }) => {
      const shown = objects.slice(0, limit).map(({ resource, key }) => `${resource.plural} ${named(key)}`);
      const more = objects.length > limit ? [`${objects.length - limit} more`] : [];
      const what = [...shown, ...more].join(', ');
      return `Work ${work.spec.manifestWorkName}: ${what === '' ? 'no objects that go with it' : what}.`;
    }),
  ];
}

/**
 * OCM's agent must not run. First what is of apps, while our site operator is there to end it; then what
 * add-ons have brought. Throws an Error that names what still is there after two minutes. Safe to repeat.
 */
export async function removeLosses(site: Kube, { capps, works }: LostWithHub): Promise<void> {
  const isOfAddOn = ({ work }: LostWork): boolean => work.spec.manifestWorkName.startsWith(ADD_ON_WORKS);
  const apps = works.filter((one) => !isOfAddOn(one));
  for (const capp of capps) await removed(site, CAPP, capp);
  await removeWorks(site, apps);
  const ended = capps.map(({ metadata: { namespace = null, name, uid = '' } }) => {
    return { resource: CAPP, key: { namespace, name }, uid };
  });
  await untilGone(site, [...ended, ...apps.flatMap(({ objects }) => objects)]);
  const addOns = works.filter(isOfAddOn);
  await removeWorks(site, addOns);
  await untilGone(
    site,
    addOns.flatMap(({ objects }) => objects),
  );
}

/** What a work has brought is owned by it, so Kubernetes deletes that as soon as the work is gone. */
async function removeWorks(site: Kube, works: readonly LostWork[]): Promise<void> {
  for (const { work } of works) {
    const key = { namespace: null, name: work.metadata.name };
    await removed(site, APPLIED_MANIFEST_WORK, work);
    // Of OCM's agent, which would do this when its hub says so.
    if ((await site.getMetadata(APPLIED_MANIFEST_WORK, key)) !== null)
      await site.patch(APPLIED_MANIFEST_WORK, key, { metadata: { finalizers: null } });
  }
}

async function untilGone(site: Kube, objects: readonly LostObject[]): Promise<void> {
  const deadline = Date.now() + GONE_WITHIN_MS;
  for (const { resource, key, uid } of objects)
    while ((await site.getMetadata(resource, key))?.metadata.uid === uid) {
      if (Date.now() > deadline)
        throw new Error(
          `${resource.plural} ${key.namespace ?? ''}/${key.name} is still being deleted. kubectl get ${resource.plural} -n ${key.namespace ?? 'default'} ${key.name} -o yaml says what it waits for. Run this again then.`,
        );
      await sleep(200);
    }
}
