// What is kept of a BareMetalHost: whoever runs Metal³ writes hosts, and what is found out about the hardware
// of each is most of it.
import { slim } from '../kubernetes/slim.ts';
import { AWAY, type BareMetalHost } from './bare-metal-host.ts';

/** Characters of a message of Metal³'s operator. */
const LONGEST_MESSAGE = 2_048;

/** All labels, since roles select hosts by them; and what takes it away from its operator. */
export function slimHost(host: BareMetalHost): BareMetalHost {
  const { apiVersion, kind, spec, status } = host;
  const { labels, annotations } = host.metadata;
  const { metadata } = slim({ metadata: host.metadata });
  const away = AWAY.filter((name) => annotations?.[name] !== undefined).map((name) => [name, ''] as const);
  const kept = { ...Object.fromEntries(away), ...metadata.annotations };
  return {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
    metadata: {
      ...metadata,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations: kept }),
    },
    ...(spec === undefined ? {} : { spec: specOf(spec) }),
    ...(status === undefined ? {} : { status: statusOf(status) }),
  };
}

type Spec = NonNullable<BareMetalHost['spec']>;
type Status = NonNullable<BareMetalHost['status']>;

function specOf({ bmc, consumerRef, image, userData, networkData, ...rest }: Spec): Spec {
  const { online, externallyProvisioned } = rest;
  return {
    ...given('online', online),
    ...given('externallyProvisioned', externallyProvisioned),
    ...given('bmc', picked(bmc, ['address', 'credentialsName', 'disableCertificateVerification'])),
    ...given('consumerRef', picked(consumerRef, ['apiVersion', 'kind', 'namespace', 'name'])),
    ...given('image', picked(image, ['url'])),
    ...given('userData', picked(userData, ['name', 'namespace'])),
    ...given('networkData', picked(networkData, ['name', 'namespace'])),
  };
}

function statusOf({ operationalStatus, errorType, errorMessage, provisioning }: Status): Status {
  return {
    ...given('operationalStatus', operationalStatus),
    ...given('errorType', errorType),
    ...given('errorMessage', errorMessage?.slice(0, LONGEST_MESSAGE)),
    ...given('provisioning', provisioning?.state === undefined ? undefined : { state: provisioning.state }),
  };
}

function given<K extends string, T>(name: K, value: T | undefined): { readonly [_ in K]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [_ in K]?: T };
}

/** Null stays null: it says that there is none. */
function picked<T extends object, K extends keyof T>(
  from: T | null | undefined,
  names: readonly K[],
): Pick<T, K> | null | undefined {
  if (from === undefined || from === null) return from;
  const some = names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]);
  return Object.fromEntries(some) as Pick<T, K>;
}
