// A recorded ManifestWork of rcs-ocm-deployer, renamed for a test's Capp.
import { readFile } from 'node:fs/promises';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { MANIFEST_WORK, type Manifest, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { workName } from '../../../../crds/ocm/work-identity.ts';
import type { Kube } from '../../../../kube/client.ts';

interface Name {
  readonly namespace: string;
  readonly name: string;
}

const RECORDED = new URL('../../../fixtures/rcs-ocm-deployer/manifestwork.json', import.meta.url);

export async function recordedWork(): Promise<ManifestWork> {
  return JSON.parse(await readFile(RECORDED, 'utf8')) as ManifestWork;
}

/**
 * The recorded work, renamed for a Capp and a cluster. Nothing else of it differs, unless a site is to make
 * Pods of it: no API server takes one whose memory limit is below its request.
 */
export async function goWork(
  { namespace, name }: Name,
  cluster: string,
  memoryLimit = '10Mi',
): Promise<ManifestWork> {
  const { apiVersion = '', kind = '', spec } = await recordedWork();
  const text = JSON.stringify(spec)
    .replaceAll('"team-a"', JSON.stringify(namespace))
    .replaceAll('"site-1"', JSON.stringify(cluster));
  const limited = text.replaceAll('"limits":{"memory":"10Mi"}', `"limits":{"memory":"${memoryLimit}"}`);
  const renamed = limited
    .replaceAll('"capp-12"', JSON.stringify(name))
    .replaceAll('"capp-12-logs-reader"', JSON.stringify(`${name}-logs-reader`));
  const metadata = { name: workName(namespace, name), namespace: cluster };
  return { apiVersion, kind, metadata, spec: JSON.parse(renamed) as NonNullable<ManifestWork['spec']> };
}

export function manifestOf({ spec }: ManifestWork, kind: string): Manifest {
  const found = spec?.workload.manifests?.find((one) => one.kind === kind);
  if (found === undefined) throw new Error(`The work contains no ${kind}.`);
  return found;
}

/**
 * The Capp of that work as its user wrote it on the hub, where the Go operator has noted its site; and its
 * Secrets, which must not be there yet.
 */
export async function goCapp(kube: Kube, work: ManifestWork): Promise<Capp> {
  const carried = manifestOf(work, 'Capp');
  const { namespace = '', name } = carried.metadata;
  for (const one of work.spec?.workload.manifests ?? []) {
    if (one.kind !== 'Secret') continue;
    const metadata = { namespace, name: one.metadata.name };
    if ((await kube.get(SECRET, metadata)) === null)
      await kube.create(SECRET, { metadata, data: one['data'], type: 'Opaque' } as never);
  }
  const { configurationSpec } = carried['spec'] as Capp['spec'];
  const template = { spec: configurationSpec.template.spec };
  const annotations = { 'rcs.dana.io/has-placement': work.metadata.namespace ?? '' };
  const spec = { configurationSpec: { template }, scaleMetric: 'concurrency', state: 'enabled' };
  const made = {
    apiVersion: CAPP.apiVersion,
    kind: CAPP.kind,
    metadata: { namespace, name, annotations },
    spec,
  };
  await kube.create(CAPP, made as never);
  const status = { applicationLinks: { site: work.metadata.namespace } };
  return kube.patch<Capp>(CAPP, { namespace, name }, { status }, { subresource: 'status' });
}

export async function leaveWork(kube: Kube, work: ManifestWork): Promise<ManifestWork> {
  return kube.create<ManifestWork>(MANIFEST_WORK, work);
}
