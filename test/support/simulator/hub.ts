// The hub of the simulator: what stands on its API server, and two readers of it that lag, the bridge and the hub worker's caches.
import type { Capp } from '../../../crds/capp.ts';
import type { PlacementFacts } from '../../../workflows/decide/select.ts';
import type { Clockwork } from './clockwork.ts';

export interface Cluster {
  readonly isHub: boolean;
  readonly accepted: boolean;
  readonly deleting: boolean;
  readonly available: boolean;
  readonly tainted: boolean;
}

export interface Work {
  readonly uid: string;
  readonly stamp: string;
  readonly incarnation: string;
  readonly owner: string;
  readonly leaving: boolean;
  readonly applied: 'True' | 'Unknown';
}

/** What each kind holds. Values are replaced, never changed, so that a reader that lags keeps what it has read. */
export interface Kinds {
  readonly Capp: Capp | null;
  readonly RCSConfig: readonly string[] | null;
  readonly PlacementDecision: Readonly<Record<string, PlacementFacts>>;
  readonly ManagedCluster: Readonly<Record<string, Cluster>>;
  readonly ManifestWork: Readonly<Record<string, Work>>;
  /** Counts the changes of what the Capp refers to; negative while something is missing. */
  readonly Secret: number;
}
export type Kind = keyof Kinds;

type Versioned = { readonly [K in Kind]: { readonly version: number; readonly value: Kinds[K] } };

/** Told of each change that the bridge sees, in order for each kind. */
export type Watcher = <K extends Kind>(kind: K, seen: { before: Kinds[K]; after: Kinds[K]; version: number }) => void;

interface Reader {
  view: Versioned;
  readonly busyUntil: Partial<Record<Kind, number>>;
}

export class Hub {
  live: Versioned;
  readonly #clock: Clockwork;
  readonly #lag: () => number;
  readonly #bridge: Reader;
  readonly #caches: Reader;
  #version = 1;
  onBridge: Watcher = () => undefined;
  onWrite: (kind: Kind) => void = () => undefined;

  constructor(clock: Clockwork, lag: () => number, start: Kinds) {
    const at = <T>(value: T): { version: number; value: T } => ({ version: 1, value });
    this.live = {
      Capp: at(start.Capp),
      RCSConfig: at(start.RCSConfig),
      PlacementDecision: at(start.PlacementDecision),
      ManagedCluster: at(start.ManagedCluster),
      ManifestWork: at(start.ManifestWork),
      Secret: at(start.Secret),
    };
    this.#clock = clock;
    this.#lag = lag;
    this.#bridge = { view: this.live, busyUntil: {} };
    this.#caches = { view: this.live, busyUntil: {} };
  }

  get<K extends Kind>(kind: K): Kinds[K] {
    return this.live[kind].value;
  }

  /** As the hub worker's caches have it. */
  cached<K extends Kind>(kind: K): Versioned[K] {
    return this.#caches.view[kind];
  }

  seenByBridge<K extends Kind>(kind: K): Kinds[K] {
    return this.#bridge.view[kind].value;
  }

  write<K extends Kind>(kind: K, value: Kinds[K]): void {
    this.#version += 1;
    const written = { version: this.#version, value };
    this.live = { ...this.live, [kind]: written };
    this.onWrite(kind);
    this.#deliver(this.#caches, kind, written);
    this.#deliver(this.#bridge, kind, written);
  }

  #deliver<K extends Kind>(reader: Reader, kind: K, written: { version: number; value: Kinds[K] }): void {
    const at = Math.max(this.#clock.now + this.#lag(), reader.busyUntil[kind] ?? 0);
    reader.busyUntil[kind] = at;
    this.#clock.after(at - this.#clock.now, () => {
      const before = reader.view[kind].value;
      reader.view = { ...reader.view, [kind]: written };
      if (reader === this.#bridge) this.onBridge(kind, { before, after: written.value, version: written.version });
    });
  }
}
