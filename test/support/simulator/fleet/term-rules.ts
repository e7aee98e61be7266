// What must hold whenever the hub gives a site a revision, of terms that few strategies have: hours, sites
// that count as failed while they cannot be reached, and stages that draw their sites.
import { fail } from '../rules/breach.ts';
import { stageOf } from './advance-rules.ts';
import { wasOpen } from './hours.ts';
import type { Copy, Fleet } from './lived.ts';
import { DEED_MS, type Witness } from './witness.ts';

export class TermRules {
  readonly #witness: Witness;
  /** A turn that read it before may still be writing. */
  #editedAt = -Infinity;
  /** Its first stage, which draws its sites, has passed. */
  #isDrawnPassed = false;
  /** They had the revision that goes forward before it began: it was superseded, and begins once more. */
  #had: ReadonlySet<string> = new Set();

  constructor(witness: Witness) {
    this.#witness = witness;
  }

  changed(before: Fleet | null, after: Fleet | null): void {
    const isOther = (of: (fleet: Fleet | null) => unknown): boolean =>
      JSON.stringify(of(before)) !== JSON.stringify(of(after));
    if (isOther((fleet) => [fleet?.metadata.uid, fleet?.spec])) this.#editedAt = this.#witness.now;
    const { revision, begunAt = -Infinity } = after?.status?.rollout ?? {};
    if (before?.status?.rollout?.revision === revision) return;
    this.#isDrawnPassed = false;
    const had = this.#witness
      .copies()
      .filter(({ written }) => written !== null && written.revision === revision && written.at < begunAt);
    this.#had = new Set(had.map(({ site }) => site));
  }

  advances(copy: Copy, before: Copy | null): void {
    const fleet = this.#witness.fleet();
    const revision = copy.written?.revision;
    if (fleet === null || revision === undefined || before?.written?.revision === revision) return;
    if (!goesForward(fleet, revision)) return this.#goesOn(fleet, copy);
    if (this.#witness.now - this.#editedAt < DEED_MS) return;
    if (isRunning(before)) this.#inHours(fleet, copy.site);
    if (revision === fleet.status?.rollout?.settled) return;
    this.#noneOffline(fleet, copy.site);
    if (revision === fleet.status?.rollout?.revision) this.#fewDrawn(fleet, copy, before);
  }

  /** A turn that hears of a retry gives copies before the status says that the rollout goes on. */
  #goesOn(fleet: Fleet, copy: Copy): void {
    const { revision, settled } = fleet.status?.rollout ?? {};
    if (revision === settled || copy.written?.revision !== revision) return;
    if (this.#drawnBy(fleet, this.#witness.selected()) !== null) this.#passesDrawn(fleet, copy);
  }

  /** Only a first copy comes at any time. */
  #inHours({ spec: { strategy } }: Fleet, site: string): void {
    if (strategy.windows === undefined) return;
    this.#tried('a running copy is changed in a window');
    if (!wasOpen(this.#witness.now, DEED_MS)) this.#breach('a running copy is changed in no window', site);
  }

  /** With `offline: Fail` a site that cannot be reached is one that has failed, and none may. */
  #noneOffline(fleet: Fleet, site: string): void {
    if (fleet.spec.strategy.offline !== 'Fail') return;
    const selected = this.#witness.selected();
    const last = stageOf(fleet, site, selected)?.index ?? -1;
    this.#tried('a site gets a revision with offline Fail');
    const has = new Set(this.#witness.copies().flatMap((one) => (one.isGoing ? [] : [one.site])));
    const failed = selected.filter(
      (one) =>
        has.has(one) &&
        (stageOf(fleet, one, selected)?.index ?? Infinity) <= last &&
        this.#witness.isOffline(one),
    );
    if (failed.length > 0) this.#breach(`${site} gets a revision although ${failed[0]} is offline`, failed);
  }

  /**
   * No more sites than are drawn have it before these are Ready. Where sites have joined since a moment
   * before it came, others are drawn, which only the hub can tell. So it is where a superseded revision
   * begins once more (docs/stages.md): sites that have it already may not be drawn, and are not waited for;
   * or they are, and have passed their stage.
   */
  #fewDrawn(fleet: Fleet, copy: Copy, before: Copy | null): void {
    const { begunAt = -Infinity } = fleet.status?.rollout ?? {};
    const count = this.#drawnBy(fleet, this.#witness.selectedOfLate());
    const least = this.#drawnBy(fleet, this.#witness.selected()) ?? 0;
    const isKnown = Math.max(this.#editedAt, this.#witness.joinedAt + DEED_MS) < begunAt;
    if (count === null || !isKnown || this.#isDrawnPassed) return;
    const known = this.#passesDrawn(fleet, copy);
    const isHad = (site: string): boolean => this.#had.has(site);
    if (known.others.some((site) => isHad(site) && !known.unproven.includes(site))) return;
    const fresh = (sites: readonly string[]) => sites.filter((site) => !isHad(site));
    const [others, unproven] = [fresh(known.others), fresh(known.unproven)];
    // Of fewer sites than a moment ago fewer are drawn, and the others wait for no proof.
    const isEnough = count > least ? others.length - unproven.length >= least : unproven.length === 0;
    // A first copy may be on a site that is drawn since another was not, a moment ago.
    if (!isEnough && isRunning(before) && others.length >= count)
      this.#breach(
        `${copy.site} gets ${copy.written?.revision}, and those that were drawn are not proven`,
        unproven,
      );
  }

  /** Notes whether the stage that draws has passed, before `into` gets the revision. */
  #passesDrawn(
    { spec: { strategy } }: Fleet,
    { site: into, written }: Copy,
  ): { readonly others: readonly string[]; readonly unproven: readonly string[] } {
    const revision = written?.revision ?? '';
    const { soakSeconds = strategy.soakSeconds } = strategy.stages?.[0] ?? {};
    const others = this.#with(revision).filter((site) => site !== into);
    const unproven = others.filter((site) => !this.#isProven(site, revision, soakSeconds * 1_000));
    // Of those that are drawn, fewer may be to reach.
    const isPassed = others.length > 0 && unproven.length === 0;
    if (isPassed) this.#tried('a stage that draws its sites is passed');
    this.#isDrawnPassed ||= isPassed;
    return { others, unproven };
  }

  /** Sites that have it, and count: of a cluster that is no member any more people know why. */
  #with(revision: string): readonly string[] {
    return this.#witness
      .copies()
      .filter(({ isGoing, written }) => !isGoing && written?.revision === revision)
      .map(({ site }) => site)
      .filter((site) => this.#witness.isMember(site))
      .filter((site) => this.#witness.isLostWith(site, revision) || !this.#witness.wasUnselected(site));
  }

  #isProven(site: string, revision: string, soakMs: number): boolean {
    return !this.#witness.isLostWith(site, revision) && this.#witness.wasReady(site, revision, soakMs);
  }

  /** How many sites the first stage draws, at most; null if it draws none. */
  #drawnBy({ spec: { strategy } }: Fleet, { length }: readonly string[]): number | null {
    const { percent, count = null } = strategy.stages?.[0]?.sites ?? {};
    return percent === undefined ? count : Math.ceil((length * percent) / 100);
  }

  #tried(what: string): void {
    this.#witness.world.tally.note(what);
  }

  #breach(rule: string, what: unknown): void {
    fail(this.#witness.world, `fleet: ${rule}`, what);
  }
}

function isRunning(copy: Copy | null): boolean {
  return copy !== null && copy.written !== null && !copy.isGoing;
}

/** A way back knows no hours and no gates, and neither does what an aborted rollout catches up with. */
function goesForward({ status }: Fleet, given: string): boolean {
  const { direction, aborted, revision, settled } = status?.rollout ?? {};
  if (direction === 'Back' || aborted === true) return false;
  return given !== settled || revision === settled;
}
