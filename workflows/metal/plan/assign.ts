// Gives free hosts to roles: each host to one role at most, and of each domain of a role one host at most.
// Roles may want the same hosts, so whoever takes the first that fits may leave another with none. It is a
// maximum flow from roles through their domains to hosts, found in rounds along shortest augmenting paths
// (Dinic, 1970): a tenant decides how many roles and hosts it asks for, and the hub has one thread for it.

export interface RoleNeed {
  readonly role: string;
  readonly count: number;
  /**
   * Those that the role may have, the preferred ones first. One without a domain stands in no other's way.
   */
  readonly hosts: readonly { readonly key: string; readonly domain: string | null }[];
}

export interface GivenHost {
  readonly key: string;
  readonly role: string;
}

const SOURCE = 0;
const SINK = 1;

/** Null when they cannot all have what they need. The same needs in the same order give the same answer. */
export function assign(needs: readonly RoleNeed[]): readonly GivenHost[] | null {
  const network = new Network();
  const hosts = new Map<string, number>();
  const ways = needs.map((need) => ({ need, edges: lead(network, hosts, need) }));
  const wanted = needs.reduce((sum, { count }) => sum + count, 0);
  if (network.fill() < wanted) return null;
  return ways.flatMap(({ need: { role }, edges }) =>
    edges.filter(({ edge }) => network.isUsed(edge)).map(({ key }) => ({ key, role })),
  );
}

/** The edges by which the role reaches its hosts. `known`: the nodes of hosts, by key. */
function lead(
  network: Network,
  known: Map<string, number>,
  { count, hosts }: RoleNeed,
): { readonly key: string; readonly edge: number }[] {
  const from = network.node();
  network.edge(SOURCE, from, count);
  const places = new Map<string, number>();
  return hosts.map(({ key, domain }) => {
    const host = known.get(key) ?? network.node();
    if (!known.has(key)) network.edge(host, SINK, 1);
    known.set(key, host);
    if (domain === null) return { key, edge: network.edge(from, host, 1) };
    const place = places.get(domain) ?? network.node();
    if (!places.has(domain)) network.edge(from, place, 1);
    places.set(domain, place);
    return { key, edge: network.edge(place, host, 1) };
  });
}

/** A network of whole capacities. Edge `n` and its way back, `n ^ 1`, are made together. */
class Network {
  readonly #outOf: number[][] = [[], []];
  readonly #to: number[] = [];
  readonly #left: number[] = [];

  node(): number {
    return this.#outOf.push([]) - 1;
  }

  edge(from: number, to: number, capacity: number): number {
    const made = this.#to.length;
    this.#to.push(to, from);
    this.#left.push(capacity, 0);
    this.#outOf[from]?.push(made);
    this.#outOf[to]?.push(made ^ 1);
    return made;
  }

  isUsed(edge: number): boolean {
    return (this.#left[edge ^ 1] ?? 0) > 0;
  }

  /**
   * Sends as much as can be sent, and says how much. In each round it goes along all shortest ways that are
   * left, the first edges first, and looks at each edge once: as much work as rounds times edges.
   */
  fill(): number {
    let sent = 0;
    for (let far = this.#distances(); far !== null; far = this.#distances()) sent += this.#round(far);
    return sent;
  }

  /** How far each node is from the source by what is left; null if the sink cannot be reached. */
  #distances(): readonly number[] | null {
    const far: number[] = Array.from(this.#outOf, () => -1);
    far[SOURCE] = 0;
    const open = [SOURCE];
    for (const at of open) {
      if (at === SINK) return far;
      for (const edge of this.#outOf[at] ?? []) {
        const to = this.#to[edge] ?? SOURCE;
        if (far[to] !== -1 || (this.#left[edge] ?? 0) === 0) continue;
        far[to] = (far[at] ?? 0) + 1;
        open.push(to);
      }
    }
    return null;
  }

  /** One unit along each way on which every step leads further from the source. */
  #round(far: readonly number[]): number {
    const tried: number[] = Array.from(this.#outOf, () => 0);
    const way: number[] = [];
    let sent = 0;
    for (let at = SOURCE; ;) {
      if (at === SINK) {
        this.#send(way);
        sent += 1;
        way.length = 0;
        at = SOURCE;
        continue;
      }
      const edge = this.#outOf[at]?.[tried[at] ?? 0];
      if (edge === undefined) {
        const back = way.pop();
        if (back === undefined) return sent;
        at = this.#to[back ^ 1] ?? SOURCE;
        tried[at] = (tried[at] ?? 0) + 1;
        continue;
      }
      const to = this.#to[edge] ?? SOURCE;
      if ((this.#left[edge] ?? 0) > 0 && far[to] === (far[at] ?? 0) + 1) {
        way.push(edge);
        at = to;
      } else tried[at] = (tried[at] ?? 0) + 1;
    }
  }

  #send(way: readonly number[]): void {
    for (const edge of way) {
      this.#left[edge] = (this.#left[edge] ?? 0) - 1;
      this.#left[edge ^ 1] = (this.#left[edge ^ 1] ?? 0) + 1;
    }
  }
}
