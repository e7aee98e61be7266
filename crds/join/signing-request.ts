// The certificate requests by which OCM's agents register a cluster, and whether one is what an agent asks
// for.
//
// OCM v1.2.1, pkg/registration/register/csr: csr.go writes them, approve_reconciler.go says which are valid.
import { slim } from '../kubernetes/slim.ts';
import type { ForeignCondition } from '../kubernetes/core.ts';
import type { ObjectMeta } from '../../kube/resource.ts';
import { subjectOf } from './subject.ts';

/** OCM's label on a request. Anybody may set it: it is a hint. */
export const CLUSTER_NAME = 'open-cluster-management.io/cluster-name';
/** OCM's label on requests for add-ons, which OCM approves. */
const ADD_ON_NAME = 'open-cluster-management.io/addon-name';

const PREFIX = 'system:open-cluster-management:';
const ALL_CLUSTERS = 'system:open-cluster-management:managed-clusters';
const SIGNER = 'kubernetes.io/kube-apiserver-client';
const USAGES = ['client auth', 'digital signature', 'key encipherment'];

export interface SigningRequest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: {
    /** Base64 of PEM. */
    readonly request: string;
    readonly signerName: string;
    readonly usages?: readonly string[];
    /** The API server sets it. */
    readonly username?: string;
  };
  readonly status?: {
    readonly conditions?: readonly ForeignCondition[];
    /** Base64; there once it is issued. */
    readonly certificate?: string;
  };
}

export const SIGNING_REQUEST = {
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  namespaced: false,
} as const;

/** Characters: fifteen times what an agent's request has. */
const LONGEST_REQUEST = 20_000;
/** More than a client has. */
const MOST_USAGES = 10;

/**
 * What is kept of a request, which whoever may join writes: one that is too long to be an agent's is kept
 * without its text, and then is unfit.
 */
export function keptOfRequest(request: SigningRequest): SigningRequest {
  const { spec, ...others } = slim<SigningRequest>(request);
  if (spec === undefined) return others;
  const { request: text, signerName, usages = [], username } = spec;
  return {
    ...others,
    spec: {
      request: text.length > LONGEST_REQUEST ? '' : text,
      signerName,
      usages: usages.slice(0, MOST_USAGES),
      ...(username === undefined ? {} : { username }),
    },
  };
}

/** The cluster that a request says that it is for, by its label; null for those of add-ons and of others. */
export function clusterAskedFor({ metadata }: Pick<SigningRequest, 'metadata'>): string | null {
  const { [CLUSTER_NAME]: cluster, [ADD_ON_NAME]: addOn } = metadata.labels ?? {};
  return addOn === undefined ? (cluster ?? null) : null;
}

/** An agent of the cluster asks for its next certificate. */
export function isOfAgent({ spec }: SigningRequest, cluster: string): boolean {
  return spec?.username?.startsWith(`${PREFIX}${cluster}:`) === true;
}

export type RequestState = 'Pending' | 'Approved' | 'Denied';

export function stateOfRequest({ status }: SigningRequest): RequestState {
  const has = (type: string): boolean => status?.conditions?.some((one) => one.type === type) === true;
  return has('Denied') || has('Failed') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
}

/**
 * What is written to the subresource `approval`, by the version that was read: what was looked at is
 * approved.
 */
export function approvalOf({ metadata, status }: SigningRequest, reason: string, message: string): object {
  const condition = { type: 'Approved', status: 'True', reason, message };
  return {
    metadata: { resourceVersion: metadata.resourceVersion },
    status: { conditions: [...(status?.conditions ?? []), condition] },
  };
}

/**
 * What keeps a request from being one of an agent of that cluster, in words behind "it asks"; null if it is
 * one. Who has asked is another question.
 */
export function unfitness(request: SigningRequest, cluster: string): string | null {
  const { request: text = '', signerName, usages = [] } = request.spec ?? {};
  if (signerName !== SIGNER) return 'another signer than that of clients';
  if ([...usages].toSorted().join() !== USAGES.join()) return 'for other usages than a client has';
  const isLong = text.length > LONGEST_REQUEST;
  const subject = isLong ? null : subjectOf(Buffer.from(text, 'base64').toString('latin1'));
  if (subject === null) return 'in a form in which no agent asks';
  const { commonName, organizations } = subject;
  const own = `${PREFIX}${cluster}`;
  const agent = commonName.startsWith(`${own}:`) ? commonName.slice(own.length + 1) : '';
  if (!/^[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?$/.test(agent))
    return `to be another than an agent of ${cluster}`;
  const others = organizations.filter((one) => one !== own && one !== ALL_CLUSTERS);
  if (others.length > 0) return 'for groups that no agent is in';
  const isOnce = new Set(organizations).size === organizations.length;
  return organizations.includes(own) && isOnce ? null : `without the group of ${cluster}`;
}
