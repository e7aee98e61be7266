// What must hold whenever the hub gives a site a revision: it is not paused, no more sites are under way than
// may be, and every gate before the site's stage is open at that moment.
import { APPROVE, PAUSED } from '../../../../crds/labels.ts';
import type { StrategyStage } from '../../../../crds/rollout/stages.ts';
import { fail } from '../rules/breach.ts';
import { RING, ringOf } from '../world/names.ts';
import type { Copy, Fleet } from './lived.ts';
import { DEED_MS, WORD_MS, type Witness } from './witness.ts';

/** A copy that is being deleted for longer than the deadline is waited for no more. */
interface Stage {
  readonly name: string;
  readonly index: number;
  readonly sites: readonly string[];
  readonly terms: Pick<StrategyStage, 'approval' | 'maxConcurrent' | 'soakSeconds'>;
}

export class AdvanceRules {
  readonly #witness: Witness;
  #heldSince = 0;
  /** What somebody has edited: a turn that read it before may still be writing. */
  #formers: readonly { readonly strategy: Fleet['spec']['strategy']; readonly until: number }[] = [];
  /** Since when each site's copy is being deleted. */
  readonly #goingSince = new Map<string, number>();
  /** `<stage>#<revision>` that a person has approved. */
  readonly #approved = new Set<string>();
  /**
   * Names of stages that have passed, of the revision that goes to the sites now. They stay passed, also when
   * somebody edits the strategy (docs/stages.md).
   */
  readonly #passed = new Set<string>();

  constructor(witness: Witness) {
    this.#witness = witness;
  }

  changed(before: Fleet | null, after: Fleet | null): void {
    if (!isHeld(before) && isHeld(after)) this.#heldSince = this.#witness.now;
    this.#edited(before, after);
    const approval = after?.metadata.annotations?.[APPROVE];
    if (approval !== undefined) this.#approved.add(approval);
    if (before?.status?.rollout?.revision !== after?.status?.rollout?.revision) this.#passed.clear();
    if (after?.status?.rollout !== undefined) this.#enter(after, after.status.rollout.revision);
  }

  #edited(before: Fleet | null, after: Fleet | null): void {
    const [was, is] = [before, after].map((one) => one?.spec.strategy);
    if (was !== undefined && JSON.stringify(was) !== JSON.stringify(is))
      this.#formers = [...this.#formers, { strategy: was, until: this.#witness.now + DEED_MS }];
  }

  /** With each strategy that the hub may go by: the present one first. */
  #asRead(fleet: Fleet): readonly Fleet[] {
    this.#formers = this.#formers.filter(({ until }) => this.#witness.now <= until);
    const before = this.#formers.map(({ strategy }) => ({ ...fleet, spec: { ...fleet.spec, strategy } }));
    return [fleet, ...before];
  }

  #enter(fleet: Fleet, revision: string): void {
    for (const stage of stagesOf(fleet.spec.strategy, this.#sitesWith(revision, null))) {
      if (this.#shutBefore(fleet, stage, revision) !== null) return;
      if (this.#lacks(fleet, stage, revision) === null) this.#passes(stage);
    }
  }

  /** Others or the hub have written or deleted a copy. */
  noted({ site, isGoing }: Copy): void {
    if (!isGoing) this.#goingSince.delete(site);
    else if (!this.#goingSince.has(site)) this.#goingSince.set(site, this.#witness.now);
  }

  advances(copy: Copy, before: Copy | null): void {
    const fleet = this.#witness.fleet();
    const revision = copy.written?.revision;
    if (fleet === null || revision === undefined || before?.written?.revision === revision) return;
    const heldFor = isHeld(fleet) ? this.#witness.now - this.#heldSince : 0;
    if (heldFor > WORD_MS) this.#breach('a paused fleet changes a copy', copy.site);
    const stage = stageOf(fleet, copy.site, this.#witness.selected());
    if (stage === null) return;
    this.#fewUnderWay(fleet, revision, copy.site);
    if (revision === fleet.status?.rollout?.settled) this.#wasProven(revision);
    else this.#gatesOpen(fleet, stage, { site: copy.site, revision });
  }

  #breach(rule: string, what: unknown): void {
    fail(this.#witness.world, `fleet: ${rule}`, what);
  }

  #wasProven(revision: string): void {
    if (!this.#witness.isProven(revision))
      this.#breach('a revision is settled that was Ready nowhere', revision);
  }

  #fewUnderWay(fleet: Fleet, goal: string, into: string): void {
    const counts = this.#asRead(fleet).map((one) => this.#underWay(one, goal, into));
    const [now = null] = counts;
    if (now !== null && counts.every((one) => one !== null && one.sites.length > one.most))
      this.#breach(`${now.sites.length} are under way, and ${now.most} may be`, now.sites);
  }

  /** Null if only the hub can tell. */
  #underWay(fleet: Fleet, goal: string, into: string): { sites: readonly string[]; most: number } | null {
    const stage = stageOf(fleet, into, this.#witness.selected());
    if (stage === null) return null;
    const { maxConcurrent = fleet.spec.strategy.maxConcurrent } = stage.terms;
    const most =
      typeof maxConcurrent === 'number'
        ? maxConcurrent
        : Math.max(
            1,
            Math.floor((this.#sizeOf(fleet, stage, goal) * Number.parseInt(maxConcurrent, 10)) / 100),
          );
    const sites = this.#witness
      .copies()
      .filter(({ site, written }) => stage.sites.includes(site) && written?.revision === goal)
      .filter((copy) => this.#isUnderWay(copy, fleet) && this.#isSelectedFor(copy, into))
      .map(({ site }) => site);
    return { sites, most };
  }

  /** Which sites have been selected again a moment ago the hub may not know yet. */
  #isSelectedFor({ site }: Copy, into: string): boolean {
    return site === into || !this.#witness.wasUnselected(site);
  }

  /**
   * As the hub may know it, with those that were lost with the revision that it gives, or with the one that
   * goes forward beside: both are sites of the stage of which a percentage is meant (docs/decisions/0116).
   */
  #sizeOf({ spec, status }: Fleet, { index }: Stage, goal: string): number {
    const given = new Set([goal, status?.rollout?.revision]);
    const lost = this.#witness
      .copies()
      .filter(({ isGoing, written }) => !isGoing && written !== null && given.has(written.revision))
      .filter(({ site }) => this.#witness.isSilent(site, 0));
    const sites = new Set([...this.#witness.selectedOfLate(), ...lost.map(({ site }) => site)]);
    return stagesOf(spec.strategy, [...sites])[index]?.sites.length ?? 0;
  }

  #isUnderWay({ site, written, isReady, isGoing }: Copy, { spec }: Fleet): boolean {
    const isOver = this.#witness.now >= (written?.at ?? 0) + spec.strategy.deadlineSeconds * 1_000;
    // What stands on a cluster that is no member of the hub takes no place.
    const isUp = this.#witness.world.site(site)?.up === true && this.#witness.isInside(site);
    const isPast = isReady || isOver || isGoing || this.#witness.wasFailed(site);
    return !isPast && isUp && !this.#witness.wasReady(site);
  }

  #gatesOpen(
    fleet: Fleet,
    stage: Stage,
    { site, revision }: { readonly site: string; readonly revision: string },
  ): void {
    if (this.#passed.has(stage.name)) return;
    const shut = this.#shutBefore(fleet, stage, revision, site);
    if (shut !== null && !this.#wasOpen(fleet, site, revision))
      this.#breach(`stage ${stage.name} gets ${revision} although ${shut}`, fleet.status);
  }

  /** By a strategy that somebody has edited a moment ago. */
  #wasOpen(fleet: Fleet, site: string, revision: string): boolean {
    const [, ...before] = this.#asRead(fleet);
    return before.some((then) => {
      const stage = stageOf(then, site, this.#witness.selected());
      return stage === null || this.#shutBefore(then, stage, revision, site) === null;
    });
  }

  /** Why it may not be entered; null if it may. Those before it have passed then. */
  #shutBefore(
    fleet: Fleet,
    { name, index, terms }: Stage,
    revision: string,
    into: string | null = null,
  ): string | null {
    if (terms.approval === 'Required' && !this.#approved.has(`${name}#${revision}`))
      return 'nobody has approved it';
    const before = stagesOf(fleet.spec.strategy, this.#sitesWith(revision, into)).slice(0, index);
    for (const stage of before) {
      const lacking = this.#passed.has(stage.name) ? null : this.#lacks(fleet, stage, revision);
      if (lacking !== null) return lacking;
    }
    for (const stage of before) this.#passes(stage);
    return null;
  }

  /** Those that are selected, and those that were lost with the revision: nobody knows that it is not why. */
  #sitesWith(revision: string, into: string | null): readonly string[] {
    return [...this.#witness.selected(), ...this.#witness.lostWith(revision, into)];
  }

  /** One without sites has proven nothing. */
  #passes({ name, sites }: Stage): void {
    if (sites.length > 0) this.#passed.add(name);
  }

  /** What keeps the stage from passing; null if nothing does. */
  #lacks({ spec }: Fleet, { name, sites, terms }: Stage, revision: string): string | null {
    const { soakSeconds = spec.strategy.soakSeconds } = terms;
    const isReady = (site: string): boolean => this.#witness.wasReady(site, revision, soakSeconds * 1_000);
    if (sites.length > 0 && !sites.some(isReady)) return `no site of ${name} is Ready with it`;
    const isLost = (site: string): boolean => this.#witness.isLostWith(site, revision);
    const lacking = sites.find((site) => isLost(site) || (this.#isCounted(site, spec) && !isReady(site)));
    return lacking === undefined ? null : `${lacking} of ${name} is not Ready with it`;
  }

  /** A site that can be reached or is to be waited for, and not one on which a deletion hangs. */
  #isCounted(site: string, { strategy }: Fleet['spec']): boolean {
    const { now } = this.#witness;
    const since = this.#goingSince.get(site);
    // Kubernetes says in whole seconds when a deletion began.
    const begun = since === undefined ? Infinity : Math.floor(since / 1_000) * 1_000;
    // One that was up when it was taken out counts no more; of others `isLostWith` tells.
    const isStuck = now >= begun + strategy.deadlineSeconds * 1_000;
    if (isStuck || this.#witness.wasUnselected(site)) return false;
    const isDrained = !this.#witness.copies().some((one) => one.site === site);
    if (this.#witness.isOpen(site)) return !isDrained;
    // Nothing is drained of a Bundle.
    const isKept = !isDrained || this.#witness.lived.kind === 'Bundle';
    return strategy.offline === 'Wait' && isKept && this.#witness.isOffline(site);
  }
}

function isHeld(fleet: Fleet | null): boolean {
  return fleet?.spec.paused === true || fleet?.metadata.annotations?.[PAUSED] === 'true';
}

/** Null: which sites the stage has only the hub can tell. */
export function stageOf({ spec }: Fleet, site: string, selected: readonly string[]): Stage | null {
  return stagesOf(spec.strategy, selected).find(({ sites }) => sites.includes(site)) ?? null;
}

/** Only of stages that choose their sites by label. */
function stagesOf({ stages }: Fleet['spec']['strategy'], selected: readonly string[]): readonly Stage[] {
  if (stages === undefined) return [{ name: 'all', index: 0, sites: selected, terms: {} }];
  const isByLabel = stages.every(({ sites }) => sites === undefined || sites.matchLabels !== undefined);
  if (!isByLabel) return [];
  const taken = new Set<string>();
  return stages.map(({ name, sites, ...terms }, index) => {
    const ring = sites?.matchLabels?.[RING];
    const own = selected.filter((site) => !taken.has(site) && (ring === undefined || ring === ringOf(site)));
    for (const site of own) taken.add(site);
    return { name, index, sites: own, terms };
  });
}
