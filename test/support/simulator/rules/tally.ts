// What has happened in a life, by kind: a run of many lives that tried nothing must not pass for one that
// found nothing. Told from what the hub worker writes, and from what the world does to it.
import type { ApiServer } from '../api/api-server.ts';
import type { Stored, Write } from '../api/objects.ts';
import { HUB } from '../world/names.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

/** How often each thing has happened. */
export type Counts = Readonly<Record<string, number>>;

/** Kinds that say how they stand. */
const TELLING: ReadonlySet<string> = new Set(['capps', 'cappsets', 'bundles', 'drains']);

export class Tally {
  readonly #counts = new Map<string, number>();

  constructor(server: ApiServer) {
    server.onWrite((write) => this.#wrote(write));
  }

  note(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  counts(): Counts {
    return Object.fromEntries(this.#counts);
  }

  #wrote({ plural, by, before, after }: Write): void {
    if (by !== HUB) return;
    if (TELLING.has(plural)) this.#tells(plural, before, after);
    if (plural === 'manifestworks') this.note(`a work is ${deedOn(before, after)}`);
  }

  /** A condition that says something else than before. */
  #tells(plural: string, before: Stored | null, after: Stored | null): void {
    const was = conditionsOf(before);
    for (const { type, status, reason = '' } of conditionsOf(after)) {
      const isOld = was.some((one) => one.type === type && one.status === status && one.reason === reason);
      if (!isOld) this.note(`${plural} say ${type} ${status} ${reason}`);
    }
  }
}

function deedOn(before: Stored | null, after: Stored | null): string {
  if (before === null) return 'created';
  const isGoing = after === null || after.metadata.deletionTimestamp !== undefined;
  return isGoing ? 'deleted' : 'changed';
}

function conditionsOf(object: Stored | null): readonly Condition[] {
  return (object?.status?.['conditions'] ?? []) as readonly Condition[];
}

export function added(some: Counts, more: Counts): Counts {
  const all: Record<string, number> = { ...some };
  for (const [what, count] of Object.entries(more)) all[what] = (all[what] ?? 0) + count;
  return all;
}
