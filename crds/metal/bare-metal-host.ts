// The BareMetalHost of Metal³ (metal3.io/v1alpha1): the few fields that we read, and the labels by which SIP
// says whose a host is. Fields and states:
// the API reference of metal3-io/baremetal-operator
import type { ObjectMeta } from '../../kube/resource.ts';

export const BARE_METAL_HOST = {
  apiVersion: 'metal3.io/v1alpha1',
  kind: 'BareMetalHost',
  plural: 'baremetalhosts',
  namespaced: true,
} as const;

/** SIP's labels on a host: whose it is, and for what. Who provisions hosts selects them by these. */
export const CLUSTER_NAMESPACE = 'sip.airshipit.org/cluster-namespace';
export const CLUSTER_NAME = 'sip.airshipit.org/cluster-name';
export const NODE_TYPE = 'sip.airshipit.org/node-type';

export interface BareMetalHost {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly bmc?: {
      readonly address?: string;
      readonly credentialsName?: string;
      readonly disableCertificateVerification?: boolean;
    } | null;
    readonly consumerRef?: {
      readonly apiVersion?: string;
      readonly kind?: string;
      readonly namespace?: string;
      readonly name?: string;
    } | null;
    readonly online?: boolean;
    readonly externallyProvisioned?: boolean;
    readonly image?: { readonly url?: string } | null;
    readonly userData?: { readonly name?: string; readonly namespace?: string } | null;
    readonly networkData?: { readonly name?: string; readonly namespace?: string } | null;
  };
  readonly status?: {
    /** `error`: the operator of Metal³ could not do the last thing with it. */
    readonly operationalStatus?: string;
    /** Of the last thing that it could not do, such as `provisioning error`. */
    readonly errorType?: string;
    readonly errorMessage?: string;
    readonly provisioning?: { readonly state?: string };
  };
}

/** Why a host that nobody has is not free. `NotAllowedHere`: for a site, where none may be provisioned. */
export type HostTrouble =
  | 'Leaving'
  | 'Detached'
  | 'Consumed'
  | 'NoNetworkData'
  | 'InError'
  | 'NotAllowedHere'
  | 'NotAvailable';

/** By these annotations people take a host away from the operator; Cluster API pauses by the second, too. */
export const AWAY = ['baremetalhost.metal3.io/detached', 'baremetalhost.metal3.io/paused'] as const;

/**
 * States in which nothing is on a host and nothing is under way. Without a state no operator looks after it,
 * as with SIP's samples.
 */
const IDLE: ReadonlySet<string> = new Set(['', 'available', 'ready', 'externally provisioned']);

export interface HostOwner {
  readonly namespace: string;
  readonly name: string;
  readonly role: string;
}

/** Whose a host is by SIP's labels; null for nobody's. One label is enough to be somebody's. */
export function ownerOf({ metadata: { labels = {} } }: BareMetalHost): HostOwner | null {
  const [namespace, name, role] = [CLUSTER_NAMESPACE, CLUSTER_NAME, NODE_TYPE].map((key) => labels[key]);
  if (namespace === undefined && name === undefined && role === undefined) return null;
  return { namespace: namespace ?? '', name: name ?? '', role: role ?? '' };
}

/** Null: nothing is the matter with it, whoever has it. */
export function troubleOf({ metadata, spec, status }: BareMetalHost): HostTrouble | null {
  if (metadata.deletionTimestamp !== undefined) return 'Leaving';
  if (isAway({ metadata })) return 'Detached';
  if ((spec?.consumerRef ?? null) !== null) return 'Consumed';
  if ((spec?.networkData ?? null) === null) return 'NoNetworkData';
  if (status?.operationalStatus === 'error') return 'InError';
  return IDLE.has(status?.provisioning?.state ?? '') ? null : 'NotAvailable';
}

/** The operator of Metal³ leaves it alone until a person takes the annotation away. */
export function isAway({ metadata }: BareMetalHost): boolean {
  return AWAY.some((annotation) => metadata.annotations?.[annotation] !== undefined);
}

/**
 * Metal³ has said that nothing is on the host, and it can be provisioned. `ready` is what earlier versions
 * say for `available`.
 */
export function isAvailable({ spec, status }: BareMetalHost): boolean {
  const state = status?.provisioning?.state;
  return (state === 'available' || state === 'ready') && spec?.externallyProvisioned !== true;
}

/** A host that whoever has it cannot count on. */
export function isFailed({ metadata, status }: BareMetalHost): boolean {
  return metadata.deletionTimestamp !== undefined || status?.operationalStatus === 'error';
}

/** States in which nothing is under way, and which Metal³ reaches by what it could do. */
const DONE: ReadonlySet<string> = new Set(['', 'provisioned', 'externally provisioned']);

/**
 * What has failed on a host is over: it is as it was asked for. In between Metal³ cleans it, calls it
 * available and tries again, without an error; `isWiping`: who had an image on it waits until it is cleaned.
 */
export function isMended(host: BareMetalHost, isWiping: boolean): boolean {
  const { spec, status } = host;
  if (isFailed(host)) return false;
  if (DONE.has(status?.provisioning?.state ?? '')) return true;
  return isAvailable(host) && (spec?.image?.url ?? '') === '' && !isWiping;
}
