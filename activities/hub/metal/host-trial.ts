// Which free hosts are good for which roles, as far as one look has read them.
import type { BareMetalHost } from '../../../crds/metal/bare-metal-host.ts';
import { keyTextOf } from '../../../kube/resource.ts';
import type { GivenHost } from '../../../workflows/metal/plan/assign.ts';
import { inOrder, type RoleAsk, type SeenHost } from '../../../workflows/metal/plan/inventory.ts';
import { fewAtOnce } from '../drain/few-at-once.ts';
import { faultsIn, type HostFault, type SecretReader } from './services/hosts.ts';
import type { Instance } from './services/instances.ts';
import { secretsOnce } from './services/secrets-once.ts';

/** Hosts whose Secrets are read at once. */
const AT_ONCE = 10;

/** A host that would be reserved for that role. */
export type Comer = GivenHost;

export class HostTrial {
  readonly #kube: SecretReader;
  readonly #instances: readonly Instance[];
  readonly #hosts: ReadonlyMap<string, BareMetalHost>;
  /** Of what was read: what is the matter, by host and role. */
  readonly #found = new Map<string, readonly HostFault[]>();
  readonly #unfit = new Map<string, Set<string>>();
  readonly #read = new Set<string>();

  constructor(kube: SecretReader, hosts: readonly BareMetalHost[], instances: readonly Instance[]) {
    this.#kube = secretsOnce(kube);
    this.#instances = instances;
    this.#hosts = new Map(hosts.map((host) => [keyTextOf(host), host]));
  }

  /** Throws ApiError where the hub cannot be asked. */
  async of(coming: readonly Comer[]): Promise<void> {
    const turnstile = fewAtOnce(AT_ONCE);
    await Promise.all(coming.map((one) => turnstile(() => this.#one(one))));
  }

  async #one(one: Comer): Promise<void> {
    const { key, role } = one;
    const host = this.#hosts.get(key);
    const faults = host === undefined ? [] : await faultsIn(this.#kube, host, role, this.#instances);
    this.#found.set(textOf(one), faults);
    this.#read.add(key);
    if (faults.length > 0) this.#unfit.set(key, (this.#unfit.get(key) ?? new Set()).add(role));
  }

  has(one: Comer): boolean {
    return this.#found.has(textOf(one));
  }

  /** How often a host was tried for a role. */
  get size(): number {
    return this.#found.size;
  }

  hosts(): number {
    return this.#read.size;
  }

  /** What was not read is taken for good. */
  seen(host: SeenHost): SeenHost {
    const unfitFor = this.#unfit.get(host.key);
    return unfitFor === undefined ? host : { ...host, unfitFor };
  }

  /** What was not read is left out. */
  seenAsTried(host: SeenHost, asks: readonly RoleAsk[]): SeenHost {
    const { key } = host;
    const isGood = (role: string): boolean => this.#found.get(textOf({ key, role }))?.length === 0;
    const roles = asks.map(({ role }) => role).filter((role) => !isGood(role));
    return { ...host, unfitFor: new Set(roles) };
  }

  /** One of two roles may say the same of a host. */
  faults(): readonly HostFault[] {
    const all = [...this.#found.values()].flat();
    const byText = new Map(all.map((fault) => [JSON.stringify(fault), fault]));
    return inOrder([...byText], ([text]) => text).map(([, fault]) => fault);
  }
}

const textOf = ({ key, role }: Comer): string => `${key} ${role}`;
