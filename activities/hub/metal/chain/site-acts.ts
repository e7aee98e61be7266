// What is written of a site: its ManagedCluster, and the Drain that empties it.
import { DRAIN, type Drain } from '../../../../crds/drain/drain.ts';
import { ALLOW_DETACH } from '../../../../crds/labels.ts';
import { PROVISIONED_FOR, SITE_OF, SITE_OF_NAME } from '../../../../crds/metal/labels.ts';
import { SIP_CLUSTER, SIP_FINALIZER } from '../../../../crds/metal/sip-cluster.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { isAlreadyExists, isNotFound } from '../../../../kube/failure.ts';
import { addFinalizer } from '../../../../kube/finalizer.ts';
import { keyOf } from '../../../../kube/resource.ts';
import { mayHaveLabels, mayHaveName } from './refusals.ts';
import type { Chain } from './see.ts';
import { labelsNote, labelsOf, wantedLabels } from './site-labels.ts';
import { dropToken } from '../../join/token.ts';
import { MADE_BY } from './made-by.ts';

/**
 * Nothing is made for what could go without giving it back: the finalizer is first. One of that name that
 * somebody else made meanwhile stays as it is.
 */
export async function expect(kube: Kube, chain: Chain): Promise<void> {
  const { cluster, site } = chain;
  await mayHaveName(kube, chain);
  mayHaveLabels(site);
  await addFinalizer(kube, SIP_CLUSTER, cluster, SIP_FINALIZER);
  const { uid = '', namespace = '', name } = cluster.metadata;
  const annotations = { [SITE_OF]: uid, [SITE_OF_NAME]: `${namespace}/${name}`, ...labelsNote(site) };
  try {
    await kube.create<ManagedCluster>(
      MANAGED_CLUSTER,
      {
        metadata: { name: site.name, labels: wantedLabels(site), annotations },
        spec: { hubAcceptsClient: false },
      },
      MADE_BY,
    );
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

export async function label(kube: Kube, { site }: Chain, known: ManagedCluster): Promise<void> {
  mayHaveLabels(site);
  const { uid, resourceVersion } = known.metadata;
  const metadata = { uid, resourceVersion, ...labelsOf(site, known) };
  await kube.patch(MANAGED_CLUSTER, keyOf(known), { metadata }, MADE_BY);
}

export async function drain(kube: Kube, { cluster, site }: Chain): Promise<void> {
  const { uid = '', namespace = '', name } = cluster.metadata;
  try {
    await kube.create<Drain>(
      DRAIN,
      {
        apiVersion: DRAIN.apiVersion,
        kind: DRAIN.kind,
        metadata: { name: site.name, annotations: { [PROVISIONED_FOR]: uid } },
        spec: { reason: `SIPCluster ${namespace}/${name} is deleted: its hosts are wiped` } as Drain['spec'],
      },
      MADE_BY,
    );
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

export async function undrain(kube: Kube, known: Drain): Promise<void> {
  const { uid, resourceVersion } = known.metadata;
  if (uid === undefined || resourceVersion === undefined) return;
  await kube.remove(DRAIN, keyOf(known), { uid, resourceVersion });
}

/** The token first: who comes with it in this moment is not let in. */
export async function detach(kube: Kube, known: ManagedCluster, force: boolean): Promise<void> {
  await dropToken(kube, known);
  const { uid = '', resourceVersion = '' } = force
    ? (await allowDetach(kube, known)).metadata
    : known.metadata;
  try {
    await kube.remove(MANAGED_CLUSTER, keyOf(known), { uid, resourceVersion });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** What a person has said of the SIPCluster, for the webhook that guards ManagedClusters. */
async function allowDetach(kube: Kube, managed: ManagedCluster): Promise<ManagedCluster> {
  const { uid, resourceVersion, annotations = {} } = managed.metadata;
  if (annotations[ALLOW_DETACH] === 'true') return managed;
  const body = { metadata: { uid, resourceVersion, annotations: { [ALLOW_DETACH]: 'true' } } };
  return kube.patch<ManagedCluster>(MANAGED_CLUSTER, keyOf(managed), body, MADE_BY);
}
