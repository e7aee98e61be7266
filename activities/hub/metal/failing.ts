// Since when a host fails, and what Metal³ says of it: pure. Metal³ takes its error away each time before it
// tries again, so a host that fails again and again would look well in between: what the SIPCluster says of
// it stands until the host is as it was asked for.
import { isFailed, isMended, type BareMetalHost } from '../../../crds/metal/bare-metal-host.ts';
import { PROVISIONED_FOR } from '../../../crds/metal/labels.ts';
import { MOST_PASSED_OVER } from '../../../crds/metal/status.ts';
import type { SipCluster } from '../../../crds/metal/sip-cluster.ts';

/** As much as is told of what Metal³ could not do. */
const LONGEST_ERROR = 256;

export interface HostFailing {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** What Metal³ could not do the last time; null where it has not said, as of a host that is deleted. */
  readonly says: string | null;
}

/** How hosts of a SIPCluster fail, by one look; null for one that does not. `now` as in `HostFailing`. */
export function failingBy(
  { metadata: { uid }, spec, status }: Pick<SipCluster, 'metadata' | 'spec' | 'status'>,
  now: number,
): (host: BareMetalHost) => HostFailing | null {
  const known = new Map(
    (status?.hosts ?? []).flatMap(({ namespace, name, failedSince, failure = null }) =>
      failedSince === undefined
        ? []
        : [[`${namespace}/${name}`, { since: Date.parse(failedSince), says: failure }] as const],
    ),
  );
  const saysOf = spec.site === undefined ? kindOf : errorOf;
  return (host) => {
    const before = known.get(`${host.metadata.namespace}/${host.metadata.name}`) ?? null;
    if (isFailed(host)) return { since: before?.since ?? now, says: saysOf(host) ?? before?.says ?? null };
    return before === null || isMended(host, isMarked(host, uid)) ? null : before;
  };
}

type HostsSaid = NonNullable<SipCluster['status']>;

/**
 * Since when hosts had failed that it has given back, or is about to, by "namespace/name". They look well
 * once they are cleaned, and would be taken again at once.
 */
export function passedOverBy({ status }: Pick<SipCluster, 'status'>): ReadonlyMap<string, number> {
  return new Map(
    [...(status?.passedOver ?? []), ...(status?.hosts ?? [])].flatMap(({ namespace, name, failedSince }) =>
      failedSince === undefined ? [] : [[`${namespace}/${name}`, Date.parse(failedSince)] as const],
    ),
  );
}

/** What is remembered of hosts that are not `reserved` any more, by "namespace/name". */
export function passedOver(
  cluster: Pick<SipCluster, 'status'>,
  reserved: ReadonlySet<string>,
): NonNullable<HostsSaid['passedOver']> {
  return [...passedOverBy(cluster)]
    .filter(([key]) => !reserved.has(key))
    .toSorted(([a, since], [b, other]) => since - other || (a < b ? -1 : 1))
    .slice(-MOST_PASSED_OVER)
    .map(([key, since]) => {
      const [namespace = '', name = ''] = key.split('/');
      return { namespace, name, failedSince: new Date(since).toISOString() };
    });
}

/** What we have written there is there: where it has no image, that is being taken away. */
function isMarked({ metadata }: BareMetalHost, uid: string | undefined): boolean {
  return uid !== undefined && metadata.annotations?.[PROVISIONED_FOR] === uid;
}

/**
 * Which error it is, without its text: whose hosts are not provisioned reads nothing of what Metal³ quotes,
 * such as a BMC's address. Null: Metal³ says no error.
 */
function kindOf({ status = {} }: BareMetalHost): string | null {
  const { operationalStatus, errorType = 'error' } = status;
  return operationalStatus === 'error' ? errorType.slice(0, LONGEST_ERROR) : null;
}

/**
 * Null: Metal³ says no error. What it quotes may be what it was given: nothing that reads as a token or a
 * password is passed on.
 */
function errorOf({ status = {} }: BareMetalHost): string | null {
  const { operationalStatus, errorType = 'error', errorMessage = '' } = status;
  if (operationalStatus !== 'error') return null;
  const text = errorMessage
    .replaceAll(/[a-z0-9]{6}\.[a-z0-9]{16}/g, '<token>')
    .replaceAll(/\/\/[^/@\s]*@/g, '//<credentials>@');
  return `${errorType}: ${text}`.slice(0, LONGEST_ERROR);
}
