// What the bridge keeps of a SIPCluster: what it reads and no more. A tenant writes the rest, as many labels,
// roles and services as an API server stores, and a cache would keep it of all SIPClusters.
import { createHash } from 'node:crypto';
import { ABANDON_HOSTS, ALLOW_WIPE } from '../../crds/metal/labels.ts';
import type { JumpHost } from '../../crds/metal/services.ts';
import type { SipCluster } from '../../crds/metal/sip-cluster.ts';
import type { KubeObject } from '../../kube/resource.ts';

/** A SIPCluster as far as the bridge reads it. A whole one is such a one, too. */
export interface KeptSipCluster extends KubeObject {
  readonly spec: {
    readonly services: { readonly jumpHost?: readonly Pick<JumpHost, 'nodeSSHPrivateKeys'>[] };
    readonly site?: { readonly userData: Readonly<Record<string, { readonly secret: string }>> };
  };
  readonly status?: Omit<NonNullable<SipCluster['status']>, 'hosts' | 'services'> & {
    /** One that has failed, if there is one. */
    readonly hosts?: readonly { readonly failedSince?: string }[];
    /** One at most. */
    readonly services?: readonly unknown[];
  };
}

/** Of the conditions, those by which the bridge rings. */
const CONDITIONS: ReadonlySet<string> = new Set(['HostsReserved', 'Ready']);
/** Characters of what a person says of hosts; of more, only whether it is the same. */
const LONGEST_WORDS = 256;

export function keptCluster({ metadata, spec, status }: KeptSipCluster): KeptSipCluster {
  const { namespace, name, uid, generation, resourceVersion } = metadata;
  const { creationTimestamp, deletionTimestamp, annotations } = metadata;
  const words = [ALLOW_WIPE, ABANDON_HOSTS].flatMap((key) => {
    const text = annotations?.[key];
    return text === undefined ? [] : [[key, shortened(text)] as const];
  });
  const { jumpHost } = spec.services;
  return {
    metadata: {
      name,
      ...given({ namespace, uid, generation, resourceVersion, creationTimestamp, deletionTimestamp }),
      ...(words.length === 0 ? {} : { annotations: Object.fromEntries(words) }),
    },
    spec: {
      services: given({ jumpHost: jumpHost?.map(({ nodeSSHPrivateKeys }) => ({ nodeSSHPrivateKeys })) }),
      ...given({ site: spec.site === undefined ? undefined : { userData: secretsIn(spec.site.userData) } }),
    },
    ...given({ status: status === undefined ? undefined : statusOf(status) }),
  };
}

/** The names of roles are as long as somebody writes them, and nobody here reads them. */
function secretsIn(userData: Readonly<Record<string, { readonly secret: string }>>) {
  return Object.fromEntries(Object.values(userData).map(({ secret }, index) => [index, { secret }]));
}

function statusOf({
  observedGeneration,
  hosts,
  services,
  conditions,
}: NonNullable<KeptSipCluster['status']>): NonNullable<KeptSipCluster['status']> {
  const failed = hosts?.find(({ failedSince }) => failedSince !== undefined)?.failedSince;
  return given({
    observedGeneration,
    hosts: failed === undefined ? undefined : [{ failedSince: failed }],
    services: services === undefined || services.length === 0 ? undefined : [null],
    conditions: conditions
      ?.filter(({ type }) => CONDITIONS.has(type))
      .map((one) => ({ ...one, message: '' })),
  });
}

function shortened(text: string): string {
  return text.length <= LONGEST_WORDS ? text : createHash('sha256').update(text).digest('hex');
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what is undefined. */
function given<T extends object>(all: T): Given<T> {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Given<T>;
}
