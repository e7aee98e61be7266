// What services need to know of the hosts of a SIPCluster, from the Secrets that the hosts name. Nothing of a
// Secret is in what is said of it but keys, and fields of the host.
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import type { BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { ownerOf } from '../../../../crds/metal/bare-metal-host.ts';
import type { Kube } from '../../../../kube/client.ts';
import { isForbidden } from '../../../../kube/failure.ts';
import { keyTextOf } from '../../../../kube/resource.ts';
import { inOrder } from '../../../../workflows/metal/plan/inventory.ts';
import { fewAtOnce } from '../../drain/few-at-once.ts';
import { BmcFault, bmcOf, type Bmc } from './bmc.ts';
import { BALANCED_ROLES, type Instance } from './instances.ts';
import { addressesOf, NetworkDataFault } from './network-data.ts';

/** Hosts whose Secrets are read at once. */
const AT_ONCE = 8;

export type SecretReader = Pick<Kube, 'get'>;

export interface ServedHost {
  /** The host's name; where any two of the cluster have one name, with its namespace before it. */
  readonly name: string;
  readonly role: string;
  /** By the id of the network. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Null where no jump host wants it, or the host has none. */
  readonly bmc: Bmc | null;
}

export interface HostFault {
  /** "namespace/name". */
  readonly host: string;
  /** Of the BareMetalHost. */
  readonly field: string;
  readonly message: string;
}

export interface ServedHosts {
  /** In order; also those of which something is at fault, as far as it is known. */
  readonly hosts: readonly ServedHost[];
  readonly faults: readonly HostFault[];
}

/** Takes the hosts of one SIPCluster. Throws ApiError where the hub cannot be asked. */
export async function readServedHosts(
  kube: Kube,
  own: readonly BareMetalHost[],
  instances: readonly Instance[],
): Promise<ServedHosts> {
  const turnstile = fewAtOnce(AT_ONCE);
  const hosts = inOrder(own, keyTextOf);
  const names = namesOf(hosts);
  const read = await Promise.all(
    hosts.map((host) => {
      const wanted = { instances, name: names.get(host) ?? '', role: ownerOf(host)?.role ?? '' };
      return turnstile(() => readHost(kube, host, wanted));
    }),
  );
  return { hosts: read.map(({ host }) => host), faults: read.flatMap(({ faults }) => faults) };
}

/** What would keep services from leading to a host in this role. Throws ApiError as above. */
export async function faultsIn(
  kube: SecretReader,
  host: BareMetalHost,
  role: string,
  instances: readonly Instance[],
): Promise<readonly HostFault[]> {
  return (await readHost(kube, host, { instances, role, name: host.metadata.name })).faults;
}

/**
 * Two hosts of one name are two, as everywhere here. A namespace has no dot, so a name with a namespace
 * before it is unlike all others that have one; a name without may be like it, as a.n is like that of n in a.
 */
export function namesOf(hosts: readonly BareMetalHost[]): ReadonlyMap<BareMetalHost, string> {
  const isTwice = new Set(hosts.map(({ metadata }) => metadata.name)).size < hosts.length;
  return new Map(
    hosts.map((host) => {
      const { name, namespace = '' } = host.metadata;
      return [host, isTwice ? `${namespace}.${name}` : name];
    }),
  );
}

interface Wanted {
  readonly name: string;
  readonly role: string;
  readonly instances: readonly Instance[];
}

async function readHost(
  kube: SecretReader,
  host: BareMetalHost,
  { name, role, instances }: Wanted,
): Promise<{ readonly host: ServedHost; readonly faults: readonly HostFault[] }> {
  const networks = networksFor(role, instances);
  const hasJumpHost = instances.some(({ kind }) => kind === 'jumpHost');
  const faults: HostFault[] = [];
  const unless = async <T>(reading: Promise<T>, otherwise: T): Promise<T> =>
    reading.catch((error: unknown) => {
      if (!(error instanceof FieldFault)) throw error;
      faults.push({ host: keyTextOf(host), field: error.field, message: error.message });
      return otherwise;
    });
  const addresses = await unless(readAddresses(kube, host, networks), new Map<string, string>());
  const bmc = hasJumpHost ? await unless(readBmc(kube, host), null) : null;
  for (const id of networks)
    if (faults.every(({ field }) => !field.startsWith('spec.networkData')) && !addresses.has(id))
      faults.push({
        host: keyTextOf(host),
        field: 'spec.networkData.name',
        message: `its Secret has no network with the id ${id} and an ip_address`,
      });
  return { host: { name, role, addresses, bmc }, faults };
}

/** The ids of networks of which a host of the role needs an address. */
function networksFor(role: string, instances: readonly Instance[]): ReadonlySet<string> {
  return new Set(
    instances
      .filter(({ kind }) => kind === 'jumpHost' || BALANCED_ROLES[kind] === role)
      .map(({ item }) => item.nodeInterfaceId ?? ''),
  );
}

class FieldFault extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

async function readAddresses(
  kube: SecretReader,
  { metadata, spec }: BareMetalHost,
  networks: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  if (networks.size === 0) return new Map();
  const { name = '', namespace = '' } = spec?.networkData ?? {};
  // Otherwise whoever may write a host could have any Secret of the hub read.
  if (namespace !== '' && namespace !== metadata.namespace)
    throw new FieldFault('spec.networkData.namespace', 'must be the namespace of the host, or empty');
  const secret = await readSecret(kube, metadata.namespace ?? '', { name, field: 'spec.networkData.name' });
  try {
    return addressesOf(secret, networks);
  } catch (error) {
    if (!(error instanceof NetworkDataFault)) throw error;
    throw new FieldFault('spec.networkData.name', `Secret ${name}: ${error.message}`);
  }
}

async function readBmc(kube: SecretReader, { metadata, spec }: BareMetalHost): Promise<Bmc | null> {
  const bmc = spec?.bmc ?? null;
  if (bmc === null || (bmc.address ?? '') === '') return null;
  const named = { name: bmc.credentialsName ?? '', field: 'spec.bmc.credentialsName' };
  const secret = await readSecret(kube, metadata.namespace ?? '', named);
  try {
    return bmcOf(bmc, secret);
  } catch (error) {
    if (!(error instanceof BmcFault)) throw error;
    throw new FieldFault(error.field, error.message);
  }
}

async function readSecret(
  kube: SecretReader,
  namespace: string,
  { name, field }: { readonly name: string; readonly field: string },
): Promise<Secret> {
  if (name === '') throw new FieldFault(field, 'must name a Secret');
  const secret = await kube.get<Secret>(SECRET, { namespace, name }).catch((error: unknown) => {
    if (!isForbidden(error)) throw error;
    throw new FieldFault(field, `the hub refuses to have Secret ${name} read`);
  });
  if (secret === null)
    throw new FieldFault(field, `there is no Secret ${name} in its namespace: create it, or name another`);
  return secret;
}
