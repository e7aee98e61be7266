// Creates Capps for end-to-end tests, waits for their conditions, and reads their works.
import { CAPP, type Capp } from '../crds/capp/capp.ts';
import type { Condition } from '../crds/capp/conditions.ts';
import { NAMESPACE } from '../crds/kubernetes/core.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY, type RcsConfig } from '../crds/hub/rcs-config.ts';
import type { Kube } from '../kube/client.ts';
import { eventually, type EventuallyOptions } from './eventually.ts';
import { MANIFEST_WORK, type Manifest, type ManifestWork } from '../crds/ocm/ocm.ts';

const TIMEOUT = { withinMs: 180_000, everyMs: 100 };

/** Creates a namespace with a unique name on the hub. */
export async function newNamespace(hub: Kube, purpose: string): Promise<string> {
  const name = `${purpose}-${Math.random().toString(36).slice(2, 8)}`;
  await hub.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return name;
}

export interface CappOptions {
  readonly namespace: string;
  readonly name: string;
  readonly image?: string;
  /** Merged into the pod's only container. */
  readonly container?: Readonly<Record<string, unknown>>;
  /** Merged into the pod. */
  readonly pod?: Readonly<Record<string, unknown>>;
  /** Merged into the spec. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

export function capp({
  namespace,
  name,
  image = 'ghcr.io/me/app:v1',
  container,
  pod,
  spec,
}: CappOptions): Capp {
  const containers = [{ name: 'app', image, ...container }];
  return {
    apiVersion: CAPP.apiVersion,
    kind: CAPP.kind,
    metadata: { namespace, name },
    spec: { configurationSpec: { template: { spec: { containers, ...pod } } }, ...spec },
  } as unknown as Capp;
}

export function createCapp(hub: Kube, options: CappOptions): Promise<Capp> {
  return hub.create<Capp>(CAPP, capp(options));
}

/**
 * Adds a Placement's name to the hub's RCSConfig; the Placement need not exist. Returns a function that
 * removes the name.
 */
export async function listPlacement(hub: Kube, name: string): Promise<() => Promise<void>> {
  const config = await hub.get<RcsConfig>(RCS_CONFIG, RCS_CONFIG_KEY);
  const placements = config?.spec.placements ?? [];
  const write = (names: readonly string[]) =>
    hub.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { placements: names } });
  await write([...placements, name]);
  return async () => void (await write(placements));
}

export async function readCapp(kube: Kube, key: { namespace: string; name: string }): Promise<Capp> {
  const found = await kube.get<Capp>(CAPP, key);
  if (found === null) throw new Error(`There is no Capp ${key.namespace}/${key.name}.`);
  return found;
}

export function conditionOf(found: Capp, type: string): Condition | undefined {
  return found.status?.conditions?.find((condition) => condition.type === type);
}

/**
 * Waits until a condition for the Capp's current generation matches. Otherwise the error has the Capp's
 * conditions.
 */
export function untilCondition(
  hub: Kube,
  key: { namespace: string; name: string },
  wanted: { type: string; status?: string; reason?: string },
  timeout: EventuallyOptions = TIMEOUT,
): Promise<Capp> {
  return eventually(async () => {
    const found = await readCapp(hub, key);
    const condition = conditionOf(found, wanted.type);
    const isIt =
      condition !== undefined &&
      condition.observedGeneration === found.metadata.generation &&
      (wanted.status === undefined || condition.status === wanted.status) &&
      (wanted.reason === undefined || condition.reason === wanted.reason);
    if (!isIt)
      throw new Error(
        `${key.namespace}/${key.name} is not ${JSON.stringify(wanted)} but ${JSON.stringify(found.status?.conditions)}`,
      );
    return found;
  }, timeout);
}

export function untilReady(hub: Kube, key: { namespace: string; name: string }): Promise<Capp> {
  return untilCondition(hub, key, { type: 'Ready', status: 'True' });
}

export function siteOf(found: Capp): string {
  const site = found.status?.applicationLinks?.site;
  if (site === undefined) throw new Error('The Capp has no site.');
  return site;
}

/** Creates a Capp and waits until it is Ready. Returns its key and the site that it got. */
export async function readyCapp(
  hub: Kube,
  options: CappOptions,
): Promise<{ key: { namespace: string; name: string }; home: string }> {
  const { namespace, name } = options;
  await createCapp(hub, options);
  return { key: { namespace, name }, home: siteOf(await untilReady(hub, { namespace, name })) };
}

/** Waits until the Capp is gone from a cluster. */
export async function untilGone(kube: Kube, key: { namespace: string; name: string }): Promise<void> {
  await eventually(async () => {
    const found = await kube.get<Capp>(CAPP, key);
    if (found !== null)
      throw new Error(
        `Capp ${key.namespace}/${key.name} still exists: ${JSON.stringify(found.status?.conditions?.[0])}`,
      );
    return true;
  }, TIMEOUT);
}

export function workOf(
  hub: Kube,
  { namespace, name }: { namespace: string; name: string },
  cluster: string,
): Promise<ManifestWork | null> {
  return hub.get<ManifestWork>(MANIFEST_WORK, { namespace: cluster, name: `mw-create-${namespace}-${name}` });
}

export function manifestsOf(work: ManifestWork | null): readonly Manifest[] {
  if (work === null) throw new Error('The work does not exist.');
  return work.spec?.workload.manifests ?? [];
}

/** Throws when the work does not contain exactly one such manifest. */
export function manifestIn(work: ManifestWork | null, kind: string, name: string): Manifest {
  const [found, ...more] = manifestsOf(work).filter(
    (manifest) => manifest.kind === kind && manifest.metadata.name === name,
  );
  if (found === undefined || more.length > 0)
    throw new Error(`The work does not contain exactly one ${kind} ${name}.`);
  return found;
}
