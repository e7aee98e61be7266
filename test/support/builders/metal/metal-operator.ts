// A stand-in for the operator of Metal³ (baremetal-operator), which cannot run here: it has no hardware and
// no Ironic. It follows the documented states of a BareMetalHost (the page on states of BareMetalHosts of
// metal3-io/baremetal-operator), one step of one host in a pass, and is no kinder than Metal³: steps take
// several passes, may fail, are tried again, and a host on its way may go back to the beginning.
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { BARE_METAL_HOST, isAway, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import type { Kube } from '../../../../kube/client.ts';
import { isConflict, isNotFound } from '../../../../kube/failure.ts';
import { keyOf, keyTextOf } from '../../../../kube/resource.ts';

/** What the hardware would do. */
export interface Machines {
  /** It starts from the image, with this user data on it. */
  boots(host: string, userData: string): void;
  /** It is wiped. */
  wiped(host: string): void;
}

export interface Moods {
  /** Passes that each step takes. */
  readonly slow?: number;
  /** The nth try of a step of a host fails, or takes it back to `available`. */
  readonly mood?: (host: string, state: string, nth: number) => 'fails' | 'goes back' | null;
}

interface HostSeen extends BareMetalHost {
  readonly status?: BareMetalHost['status'] & {
    readonly errorCount?: number;
    readonly provisioning?: { readonly state?: string; readonly image?: { readonly url?: string } };
  };
}

/** What comes by itself. */
const FIRST: Readonly<Record<string, string>> = {
  '': 'registering',
  registering: 'inspecting',
  inspecting: 'preparing',
  preparing: 'available',
  deprovisioning: 'available',
};

export class MetalOperator {
  readonly #kube: Kube;
  readonly #machines: Machines;
  readonly #moods: Moods;
  /** Passes that the present step of a host has had. */
  readonly #steps = new Map<string, { readonly state: string; passes: number }>();
  /** How often a host has tried to leave a state. */
  readonly #tries = new Map<string, number>();
  /** What is on the config drive of a host that is being provisioned. */
  readonly #drives = new Map<string, string>();

  constructor(kube: Kube, machines: Machines, moods: Moods = {}) {
    this.#kube = kube;
    this.#machines = machines;
    this.#moods = moods;
  }

  /** Looks at each host once. What has changed meanwhile is looked at in the next pass. */
  async pass(): Promise<void> {
    const { items } = await this.#kube.list<HostSeen>(BARE_METAL_HOST);
    for (const host of items)
      await this.#step(host).catch((error: unknown) => {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      });
  }

  async #step(host: HostSeen): Promise<void> {
    if (isAway(host) || host.metadata.deletionTimestamp !== undefined) return;
    const state = host.status?.provisioning?.state ?? '';
    const next = await this.#next(host, state);
    if (next === null || !this.#isOver(keyTextOf(host), state)) return;
    const mood = this.#moodOf(keyTextOf(host), state);
    if (typeof next === 'object') return this.#fails(host, next.error);
    if (mood === 'fails') return this.#fails(host, 'the BMC did not answer');
    if (mood === 'goes back' && state === 'provisioning') return this.#says(host, 'available');
    return this.#goes(host, state, next);
  }

  /** A step takes its passes. */
  #isOver(key: string, state: string): boolean {
    const step = this.#steps.get(key);
    const under = step?.state === state ? step : { state, passes: 0 };
    this.#steps.set(key, under);
    under.passes += 1;
    if (under.passes < (this.#moods.slow ?? 1)) return false;
    this.#steps.delete(key);
    return true;
  }

  #moodOf(key: string, state: string): 'fails' | 'goes back' | null {
    const tries = (this.#tries.get(`${key} ${state}`) ?? 0) + 1;
    this.#tries.set(`${key} ${state}`, tries);
    return this.#moods.mood?.(key, state, tries) ?? null;
  }

  async #goes(host: HostSeen, state: string, next: string): Promise<void> {
    const key = keyTextOf(host);
    if (state === 'provisioning' && next === 'provisioned')
      this.#machines.boots(key, this.#drives.get(key) ?? '');
    if (next === 'deprovisioning') this.#machines.wiped(key);
    return this.#says(host, next);
  }

  /** Null: it rests. */
  async #next(host: HostSeen, state: string): Promise<string | { readonly error: string } | null> {
    const wanted = host.spec?.image?.url ?? '';
    switch (state) {
      case 'available':
        return wanted === '' ? null : 'provisioning';
      case 'provisioning':
        return wanted === '' ? 'deprovisioning' : this.#readsDrive(host);
      case 'provisioned':
        return wanted === host.status?.provisioning?.image?.url ? null : 'deprovisioning';
      default:
        return FIRST[state] ?? null;
    }
  }

  /** As Metal³ does, it reads the Secret when it provisions, and cannot go on without it. */
  async #readsDrive(host: HostSeen): Promise<'provisioned' | { readonly error: string }> {
    const { name = '', namespace = host.metadata.namespace ?? '' } = host.spec?.userData ?? {};
    if (name === '') return 'provisioned';
    const secret = await this.#kube.get<Secret>(SECRET, { namespace, name });
    const text = secret?.data?.['userData'];
    if (text === undefined) return { error: `user data secret ${namespace}/${name} is not there` };
    this.#drives.set(keyTextOf(host), Buffer.from(text, 'base64').toString('utf8'));
    return 'provisioned';
  }

  async #fails(host: HostSeen, errorMessage: string): Promise<void> {
    const errorCount = (host.status?.errorCount ?? 0) + 1;
    await this.#write(host, {
      operationalStatus: 'error',
      errorType: 'provisioning error',
      errorMessage,
      errorCount,
    });
  }

  async #says(host: HostSeen, state: string): Promise<void> {
    const image = state === 'provisioned' ? host.spec?.image : state === 'available' ? null : undefined;
    await this.#write(host, {
      operationalStatus: 'OK',
      errorType: null,
      errorMessage: '',
      errorCount: 0,
      poweredOn: host.spec?.online === true,
      provisioning: { state, ...(image === undefined ? {} : { image }) },
    });
  }

  async #write(host: HostSeen, status: object): Promise<void> {
    const { resourceVersion } = host.metadata;
    const body = { metadata: { resourceVersion }, status };
    await this.#kube.patch(BARE_METAL_HOST, keyOf(host), body, { subresource: 'status' });
  }
}
