// A storm in memory: six clusters over forty hosts, of which people edit everything by hand while hub workers
// look, reserve and die between two writes. It is one story for each seed, and what breaks a rule is said.
import { reserveFor } from '../../../../activities/hub/metal/reserve.ts';
import { turn } from '../../../../activities/hub/metal/turn.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { connectedBy, type Kube } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { SipRef } from '../../../../workflows/metal/port.ts';
import { ApiServer } from '../../simulator/api/api-server.ts';
import { random, type Random } from '../random.ts';
import { NAMESPACE, StormPeople } from './storm-people.ts';
import { StormRules } from './storm-rules.ts';

const CLUSTERS = 6;
const STEPS = 30;
const NAMESPACES = { serves: new Set<string>(), provisions: new Set<string>() };

/** The first rule that is broken; null if none is. */
export async function stormOf(seed: number): Promise<string | null> {
  return new Storm(seed).live();
}

class Storm {
  readonly #dice: Random;
  readonly #server: ApiServer;
  readonly #people: StormPeople;
  readonly #rules: StormRules;
  readonly #kube: Kube;
  readonly #refs = Array.from({ length: CLUSTERS }, (_, index) => ({
    namespace: NAMESPACE,
    name: `c${index}`,
  }));
  #now = Date.parse('2026-03-01T12:00:00Z');
  /** Whether a worker's write may get lost. */
  #isCalm = false;

  constructor(seed: number) {
    this.#dice = random(seed);
    this.#server = new ApiServer(() => this.#now);
    this.#server.namespaces.add(NAMESPACE);
    this.#people = new StormPeople(this.#server, this.#dice, this.#refs);
    this.#rules = new StormRules(this.#server);
    this.#kube = this.#worker();
  }

  /** Whose requests come in any order beside others, and of which each write may be lost, or its answer. */
  #worker(): Kube {
    const server = this.#server;
    return connectedBy({
      deadlineMs: 10_000,
      send: async (request) => {
        for (let turns = Math.floor(this.#dice.next() * 4); turns > 0; turns -= 1) await Promise.resolve();
        const lost = new ApiError({
          method: request.method,
          path: request.path,
          code: 0,
          reason: 'Unreachable',
        });
        const fate = this.#isCalm || request.method === 'GET' ? 1 : this.#dice.next();
        if (fate < 0.03) throw lost;
        const answer = server.answer(request, 'hub');
        if (fate < 0.06) throw lost;
        return answer;
      },
      open: () => Promise.reject(new Error('nothing is streamed here')),
      close: () => Promise.resolve(),
    });
  }

  async live(): Promise<string | null> {
    for (let step = 0; step < STEPS && this.#rules.broken === null; step += 1) await this.#step();
    this.#isCalm = true;
    this.#people.mend();
    await this.#settle();
    return this.#rules.broken ?? (await this.#idle()) ?? this.#wrongAtRest() ?? this.#afterAll();
  }

  /** Everybody looks, those who lack hosts have their turn one after the other, and people edit meanwhile. */
  async #step(): Promise<void> {
    const { chance } = this.#dice;
    if (chance(0.3)) this.#now += 400_000;
    if (chance(0.6)) this.#people.edit();
    this.#rules.begins();
    const asking: SipRef[] = [];
    await Promise.all([
      ...this.#refs.map((ref) => this.#look(ref).then((asks) => (asks ? void asking.push(ref) : undefined))),
      chance(0.5) ? this.#later(() => this.#edits()) : null,
    ]);
    await Promise.all([
      this.#serve(asking),
      chance(0.5) ? this.#later(() => this.#edits()) : null,
      this.#look(this.#dice.pick(this.#refs)),
    ]);
  }

  #edits(): void {
    this.#rules.edited();
    this.#people.edit();
  }

  async #later(work: () => void): Promise<void> {
    for (let turns = Math.floor(this.#dice.next() * 60); turns > 0; turns -= 1) await Promise.resolve();
    work();
  }

  /** Whether it lacks hosts that are free. */
  async #look(ref: SipRef): Promise<boolean> {
    const turned = await this.#attempt(() =>
      turn(this.#kube, ref, () => this.#now, { ...NAMESPACES, hub: '' }),
    );
    return turned?.outcome === 'Turned' && turned.needsHosts;
  }

  /** The one authority. */
  async #serve(asking: readonly SipRef[]): Promise<void> {
    for (const ref of asking) {
      const before = this.#rules.heldBy(ref);
      const reserving = await this.#attempt(() => reserveFor(this.#kube, ref, () => this.#now, NAMESPACES));
      if (reserving !== null) this.#rules.served(ref, before, reserving);
    }
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError) return null;
      throw error;
    }
  }

  async #settle(): Promise<void> {
    for (let rounds = 0; rounds < 8; rounds += 1)
      for (const ref of this.#refs) if (await this.#look(ref)) await this.#serve([ref]);
  }

  /** At rest, looks and turns of the authority write nothing. */
  async #idle(): Promise<string | null> {
    const before = this.#server.version();
    for (const ref of this.#refs) {
      await this.#look(ref);
      await this.#serve([ref]);
    }
    return this.#server.version() === before ? null : '11. something is written at rest';
  }

  /** Whoever is said to be reserved has what it asks for; whoever is not holds what it had. */
  #wrongAtRest(): string | null {
    for (const ref of this.#refs) {
      const cluster = this.#server.read(SIP_CLUSTER, ref) as SipCluster | null;
      const said = cluster?.status?.conditions?.find(({ type }) => type === 'HostsReserved');
      const held = this.#rules.heldBy(ref);
      if (cluster === null) {
        if (held.some(({ isOurs }) => isOurs)) return `6. ${ref.name} is gone, and has hosts`;
        continue;
      }
      if (said === undefined) return `nothing is said of ${ref.name}`;
      const wrong = this.#rules.wrongAtRest(cluster, held, said.reason);
      if (wrong !== null) return `${ref.name} (${said.reason}): ${wrong}`;
    }
    return null;
  }

  /** All are deleted: of hosts is left what people made of them. */
  async #afterAll(): Promise<string | null> {
    for (const ref of this.#refs) this.#server.remove(SIP_CLUSTER, ref);
    await this.#settle();
    this.#people.collect();
    const left = this.#server.all(SIP_CLUSTER).map(({ metadata }) => metadata.name);
    if (left.length > 0) return `6. ${left.join(', ')} cannot be deleted`;
    const dirty = (this.#server.all(BARE_METAL_HOST) as BareMetalHost[]).filter((host) =>
      this.#rules.isTouched(host),
    );
    return dirty.length === 0
      ? this.#rules.broken
      : `6. ${dirty.map(({ metadata }) => metadata.name).join(', ')} has something of a cluster that is gone`;
  }
}
