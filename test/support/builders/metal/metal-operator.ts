// A stand-in for the operator of Metal³ (baremetal-operator), which cannot run here: it has no hardware and
// no Ironic. It follows the documented states of a BareMetalHost (docs/BaremetalHost_ProvisioningState.dot
// and host_state_machine.go of metal3-io/baremetal-operator, 02aa5059), one step of one host in a pass, and
// is no kinder than Metal³: steps take several passes and may fail. A host whose provisioning fails says so
// for a minute or two, is deprovisioned, which takes its error away, is available for a moment and begins
// once more. Any other step is tried again in its state, and says its error until then. What has failed more
// often waits longer.
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
  /** The nth try of a step of a host fails. */
  readonly mood?: (host: string, state: string, nth: number) => 'fails' | null;
}

/** Passes for which a host that has failed once more waits: a pass is half a minute. */
const FIRST_WAIT = 3;
/** It does not wait longer than this often doubled. */
const MOST_DOUBLED = 9;

interface HostSeen extends BareMetalHost {
  readonly status?: BareMetalHost['status'] & {
    readonly errorCount?: number;
    readonly provisioningFailCount?: number;
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

/** From these it goes on by itself, with nothing that could fail. */
const RESTS: ReadonlySet<string> = new Set(['', 'available', 'provisioned']);

export class MetalOperator {
  readonly #kube: Kube;
  readonly #machines: Machines;
  readonly #moods: Moods;
  /** Passes that a host has still to wait, since it has failed. */
  readonly #waits = new Map<string, { readonly left: number; readonly since: number }>();
  /** Passes that the present step of a host has had. */
  readonly #steps = new Map<string, { readonly state: string; passes: number }>();
  /** How often a host has tried to leave a state. */
  readonly #tries = new Map<string, number>();
  /** What a machine has done that its BareMetalHost does not say yet. */
  readonly #did = new Map<string, 'boots' | 'wiped'>();
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
    if (isAway(host) || host.metadata.deletionTimestamp !== undefined || this.#isWaiting(host)) return;
    const state = host.status?.provisioning?.state ?? '';
    const next = await this.#next(host, state);
    if (host.status?.operationalStatus === 'error') return this.#triesAgain(host, state, next);
    if (next === null || !this.#isOver(keyTextOf(host), state)) return;
    if (typeof next === 'object') return this.#fails(host, next.error);
    if (this.#fallsOver(keyTextOf(host), state)) return this.#fails(host, 'the BMC did not answer');
    return this.#goes(host, state, next);
  }

  /** What failed to be provisioned is cleaned first, and says its error until that has begun. */
  async #triesAgain(host: HostSeen, state: string, next: unknown): Promise<void> {
    if (next === 'deprovisioning') return this.#goes(host, state, next);
    if (state !== 'provisioning') return this.#says(host, state, host.status?.errorCount ?? 0);
    const provisioningFailCount = (host.status?.provisioningFailCount ?? 0) + 1;
    return this.#write(host, { provisioningFailCount, provisioning: { state: 'deprovisioning' } });
  }

  /** One that has failed waits for a minute or two, and twice as long each time; an edit ends it. */
  #isWaiting(host: HostSeen): boolean {
    const key = keyTextOf(host);
    const { generation = 0 } = host.metadata;
    const { left = 0, since = generation } = this.#waits.get(key) ?? {};
    this.#waits.set(key, { left: left - 1, since });
    if (left > 0 && since === generation) return true;
    this.#waits.delete(key);
    return false;
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

  #fallsOver(key: string, state: string): boolean {
    if (RESTS.has(state)) return false;
    const tries = (this.#tries.get(`${key} ${state}`) ?? 0) + 1;
    this.#tries.set(`${key} ${state}`, tries);
    return this.#moods.mood?.(key, state, tries) === 'fails';
  }

  async #goes(host: HostSeen, state: string, next: string): Promise<void> {
    const key = keyTextOf(host);
    if (state === 'provisioning' && next === 'provisioned')
      this.#once(key, 'boots', () => this.#machines.boots(key, this.#drives.get(key) ?? ''));
    if (next === 'deprovisioning') this.#once(key, 'wiped', () => this.#machines.wiped(key));
    await this.#says(host, next);
    this.#did.delete(key);
  }

  /** What the machine does is done, though the hub does not hear of it at once. */
  #once(key: string, what: 'boots' | 'wiped', does: () => void): void {
    if (this.#did.get(key) === what) return;
    this.#did.set(key, what);
    does();
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
    const left = FIRST_WAIT * 2 ** (Math.min(errorCount, MOST_DOUBLED) - 1);
    this.#waits.set(keyTextOf(host), { left, since: host.metadata.generation ?? 0 });
    await this.#write(host, {
      operationalStatus: 'error',
      errorType: 'provisioning error',
      errorMessage,
      errorCount,
    });
  }

  async #says(host: HostSeen, state: string, errorCount = 0): Promise<void> {
    const image = state === 'provisioned' ? host.spec?.image : state === 'available' ? null : undefined;
    await this.#write(host, {
      operationalStatus: 'OK',
      errorType: null,
      errorMessage: '',
      errorCount,
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
