// Reserves a host for a SIPCluster, and gives it back. A reservation is SIP's three labels and an annotation
// of ours, by server-side apply with a field manager of this SIPCluster: another one's claim conflicts.
import {
  BARE_METAL_HOST,
  CLUSTER_NAME,
  CLUSTER_NAMESPACE,
  NODE_TYPE,
  type BareMetalHost,
} from '../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../crds/metal/sip-cluster.ts';
import { digestOf } from '../../../crds/digest.ts';
import { JOINS_BY, PROVISIONED_FOR, RESERVED_FOR, WAS_OFF } from '../../../crds/metal/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { isNotFound } from '../../../kube/failure.ts';
import { keyOf } from '../../../kube/resource.ts';
import type { SipRef } from '../../../workflows/metal/port.ts';

/**
 * By the name, so that a SIPCluster that is made once more keeps what it had. Kubernetes allows 128
 * characters.
 */
export function managerOf({ namespace, name }: SipRef): string {
  return `cappstan-sip-${digestOf(`${namespace}/${name}`, 40)}`;
}

/**
 * Takes the host as it was read, and returns it as it is then. Throws a Conflict if it has changed since, or
 * is gone; nothing is taken from whoever was faster.
 */
export async function reserve(
  kube: Kube,
  host: BareMetalHost,
  { metadata }: Pick<SipCluster, 'metadata'>,
  role: string,
): Promise<BareMetalHost> {
  const cluster = { namespace: metadata.namespace ?? '', name: metadata.name };
  const { name, namespace = '', uid = '', resourceVersion = '' } = await withoutOldMark(kube, host);
  const marked = {
    name,
    namespace,
    uid,
    resourceVersion,
    labels: {
      [CLUSTER_NAMESPACE]: cluster.namespace,
      [CLUSTER_NAME]: cluster.name,
      [NODE_TYPE]: role,
    },
    annotations: { [RESERVED_FOR]: metadata.uid ?? '' },
  };
  return kube.apply<BareMetalHost>(
    BARE_METAL_HOST,
    { metadata: marked },
    { fieldManager: managerOf(cluster) },
  );
}

/**
 * Somebody has taken the labels away by hand: what we left beside them would belong to its former manager.
 */
async function withoutOldMark(kube: Kube, { metadata }: BareMetalHost): Promise<BareMetalHost['metadata']> {
  if (metadata.annotations?.[RESERVED_FOR] === undefined) return metadata;
  const { uid, resourceVersion } = metadata;
  const body = { metadata: { uid, resourceVersion, annotations: { [RESERVED_FOR]: null } } };
  return (await kube.patch<BareMetalHost>(BARE_METAL_HOST, keyOf({ metadata }), body)).metadata;
}

/**
 * Takes the labels away whoever wrote them, and our annotation; all else stays. `wipedFor`: of a host that
 * was provisioned for this very SIPCluster and has no image any more, also what else we have written, in the
 * same patch; it is switched off only if nobody else has claimed it. Takes the host as it was read. One that
 * is gone has been given back. Throws a Conflict if it has changed since.
 */
export async function giveBack(
  kube: Kube,
  host: BareMetalHost,
  wipedFor: Pick<SipCluster, 'metadata'> | null = null,
): Promise<void> {
  const { uid, resourceVersion } = host.metadata;
  const wiped = wipedFor === null || !isWipedFor(host, wipedFor) ? null : wipedBody(host, wipedFor);
  const metadata = {
    uid,
    resourceVersion,
    labels: { [CLUSTER_NAMESPACE]: null, [CLUSTER_NAME]: null, [NODE_TYPE]: null },
    annotations: { [RESERVED_FOR]: null, ...wiped?.annotations },
  };
  try {
    await kube.patch(BARE_METAL_HOST, keyOf(host), {
      metadata,
      ...(wiped === null ? {} : { spec: wiped.spec }),
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function isWipedFor({ metadata, spec }: BareMetalHost, cluster: Pick<SipCluster, 'metadata'>): boolean {
  const isOurs = metadata.annotations?.[PROVISIONED_FOR] === cluster.metadata.uid;
  return isOurs && (spec?.image?.url ?? '') === '';
}

function wipedBody(host: BareMetalHost, { metadata: of }: Pick<SipCluster, 'metadata'>) {
  const consumer = consumerOf(host, { namespace: of.namespace ?? '', name: of.name });
  const wasOff = host.metadata.annotations?.[WAS_OFF] !== undefined;
  return {
    annotations: { [PROVISIONED_FOR]: null, [JOINS_BY]: null, [WAS_OFF]: null },
    spec: {
      ...(consumer === 'ours' ? { consumerRef: null } : {}),
      ...(wasOff && consumer !== 'another' ? { online: false } : {}),
    },
  };
}

/** Whose a host is by its `consumerRef`. */
export function consumerOf(
  { spec }: Pick<BareMetalHost, 'spec'>,
  { namespace, name }: SipRef,
): 'nobody' | 'ours' | 'another' {
  const consumer = spec?.consumerRef ?? null;
  if (consumer === null) return 'nobody';
  const isOurs =
    consumer.kind === SIP_CLUSTER.kind && consumer.namespace === namespace && consumer.name === name;
  return isOurs ? 'ours' : 'another';
}
