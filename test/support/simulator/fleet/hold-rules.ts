// What must hold of what a fleet says of itself: whatever keeps it has a reason and words, and what is said
// to be under way comes to an end.
import type { Write } from '../api/objects.ts';
import { fail } from '../rules/breach.ts';
import { isOpenFor } from './hours.ts';
import type { Fleet } from './lived.ts';
import type { Witness } from './witness.ts';

/** Above the deadline and the soak of a stage: what the hub takes to look again, and to be let in. */
const SLACK_MS = 15 * 60_000;
/** What a fleet waits for. */
const NEWS: ReadonlySet<string> = new Set(['managedclusters', 'placements', 'placementdecisions', 'drains']);

export class HoldRules {
  readonly #witness: Witness;
  #since = 0;

  constructor(witness: Witness) {
    this.#witness = witness;
  }

  heard({ plural }: Write): void {
    this.#goesOn();
    const { lived } = this.#witness;
    if (NEWS.has(plural) || plural === lived.copies.plural || plural === lived.resource.plural)
      this.#since = this.#witness.now;
  }

  said(before: Fleet | null, after: Fleet | null): void {
    if (after === null || before?.status === after.status) return;
    for (const { type, status, reason, message } of after.status?.conditions ?? []) {
      const isFine = type === 'Ready' ? status === 'True' : reason === 'Done';
      if (reason === '' || (message === '' && !isFine))
        fail(this.#witness.world, `fleet: ${type} ${status} has no reason or no words`, { reason, message });
    }
  }

  /** Nothing is under way for ever. */
  #goesOn(): void {
    const { status, spec, metadata } = this.#witness.fleet() ?? {};
    if (status === undefined || spec === undefined || metadata?.deletionTimestamp !== undefined) return;
    const going = status.conditions?.find(({ type }) => type === 'Progressing');
    const { strategy } = spec;
    const soaks = (strategy.stages ?? []).map(({ soakSeconds = 0 }) => soakSeconds);
    const longest = (strategy.deadlineSeconds + Math.max(strategy.soakSeconds, ...soaks)) * 1_000;
    const isShut = going?.reason === 'OutsideWindow';
    if (isShut && this.#witness.now - this.#since > SLACK_MS && isOpenFor(this.#witness.now, SLACK_MS))
      fail(this.#witness.world, 'fleet: it waits for a window that is open', status);
    if (going?.status === 'True' && this.#witness.now - this.#since > longest + SLACK_MS)
      fail(this.#witness.world, 'fleet: it says that it goes on, and does not', status);
  }
}
