// What administrators of the hub have told OCM's Placements: how many sites each selects, and of which. A
// life of many sites has wide Placements, and labels that come and go.

const NARROW: Readonly<Record<string, readonly string[]>> = {
  all: ['local-cluster', 'site-1', 'site-2', 'site-3'],
  edge: ['site-2', 'site-3'],
};
const FEW: Readonly<Record<string, number>> = { all: 2, edge: 1 };

/** More sites than that have Placements that select all of their members. */
const MOST_NARROW = 3;

export class Placing {
  readonly #names: readonly string[];
  readonly #unlabelled = new Set<string>();
  readonly #numbers = new Map<string, number>();

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  get isWide(): boolean {
    return this.#names.length > MOST_NARROW;
  }

  /** Clusters that have the label which the Placement asks for. */
  members(placement: string): readonly string[] {
    const all = this.isWide ? this.#wide(placement) : (NARROW[placement] ?? []);
    return all.filter((name) => !this.#unlabelled.has(name));
  }

  number(placement: string): number {
    return this.#numbers.get(placement) ?? this.#first(placement);
  }

  /** Somebody edits `numberOfClusters`. */
  ask(placement: string, number: number): void {
    this.#numbers.set(placement, number);
  }

  /** These lose the label by which Placements find them, and no others do. */
  unlabel(names: readonly string[]): void {
    this.#unlabelled.clear();
    for (const name of names) this.#unlabelled.add(name);
  }

  /** As nobody has touched it. */
  reset(): void {
    this.#unlabelled.clear();
    this.#numbers.clear();
  }

  #wide(placement: string): readonly string[] {
    return this.#names.filter((_name, index) => placement === 'all' || index % 2 === 1);
  }

  #first(placement: string): number {
    return this.isWide ? this.#wide(placement).length : (FEW[placement] ?? 1);
  }
}
