// What would become of the Capps, sets and Bundles on a site if it were lost or tainted: by the review and
// the selection that would then act, in a supposed world. Pure.
import type { ObjectMeta } from '../../../kube/resource.ts';
import type { Ground, ReviewedCapp } from '../../../workflows/drain/decide/plan.ts';
import { LEAVE_TERMS } from '../../../workflows/types/leave-reasons.ts';
import { review } from '../../../workflows/placement/review.ts';
import type { Go } from '../../../workflows/placement/outcome.ts';
import { subjectsOn } from '../drain/subjects.ts';
import { residentsOf } from '../drain/residents.ts';
import { groundFor, type ChooseOptions } from '../place/ground.ts';
import { decisionFor, placementKey, type Spread } from '../rollout/decision.ts';
import { supposing, type Estimate, type Supposition } from './world.ts';

export interface Outlook {
  readonly kind: 'Capp' | 'CappSet' | 'Bundle';
  /** `<namespace>/<name>`. */
  readonly name: string;
  readonly does: 'Moves' | 'Waits' | 'Stays' | 'Leaves' | 'Arrives';
  /** The site to which it moves or comes, if nothing else changes; null if to none. */
  readonly to: string | null;
  /** After how many seconds at the earliest. */
  readonly afterSeconds: number;
  /** It rests on what OCM's scheduler would probably decide. */
  readonly isEstimate: boolean;
  readonly reason: string;
  readonly message: string;
}

export interface SpreadObject extends Spread {
  readonly kind: 'CappSet' | 'Bundle';
  readonly metadata: Pick<ObjectMeta, 'namespace' | 'name'>;
}

export interface OutlookQuestion {
  readonly site: string;
  readonly supposition: Supposition;
  readonly spreads: readonly SpreadObject[];
}

/** Two worlds with the same sites and Capps: as it is, and as it is supposed. */
export interface Worlds {
  readonly present: ChooseOptions;
  readonly supposed: ChooseOptions;
}

/** What is looked at in them. */
export interface Looked {
  readonly site: string;
  readonly estimates: readonly Estimate[];
  readonly spreads: readonly SpreadObject[];
  /** What is said of a copy on the site that is waited for; empty where the site answers. */
  readonly waitingFor: string;
}

/** No choice of another Capp is on its way. */
export const NOBODY_WAITS = { note: () => undefined, countOn: () => 0, placeOf: () => null };

/** Capps in the order in which a drain would give turns; then sets and Bundles. */
export function outlooksOn(
  options: ChooseOptions,
  { site, supposition, spreads }: OutlookQuestion,
  now: number,
): Outlook[] {
  const { caches, estimates } = supposing(options.caches, site, supposition, now);
  const waitingFor = supposition.is === 'Lost' ? ' Its copy there is waited for until the site answers.' : '';
  const worlds = { present: options, supposed: { ...options, caches } };
  return outlooksIn(worlds, { site, estimates, spreads, waitingFor }, now);
}

/** The same of any two worlds. */
export function outlooksIn(
  { present, supposed }: Worlds,
  { site, estimates, spreads, waitingFor }: Looked,
  now: number,
): Outlook[] {
  const { caches } = supposed;
  const ground = groundFor(supposed, NOBODY_WAITS);
  const residents = residentsOf(caches, site).filter(({ capp }) => capp !== null);
  const load = { ...ground.load };
  const capps = subjectsOn(caches, ground, site, residents).map((subject) => {
    const found = outlookOf(subject, { ground: { ...ground, load }, site, estimates, now });
    const { to } = found;
    if (to !== null && subject.works[to]?.leaving !== false) load[to] = (load[to] ?? 0) + 1;
    return found;
  });
  const others = spreads.flatMap((one) => {
    if (!decisionFor(present, one).clusters.includes(site)) return [];
    const { namespace, name } = placementKey(present, one);
    const own = estimates.find(({ placement }) => placement === `${namespace}/${name}`);
    return [spreadOutlook(one, decisionFor(supposed, one), { site, waitingFor, own })];
  });
  return [...capps, ...others];
}

interface Looking {
  readonly ground: Ground;
  readonly site: string;
  readonly estimates: readonly Estimate[];
  readonly now: number;
}

function outlookOf(subject: ReviewedCapp, { ground, site: present, estimates, now }: Looking): Outlook {
  const { namespace, name, site, requires, works, scores, fixed, history, rules } = subject;
  const who = { kind: 'Capp', name: `${namespace}/${name}`, to: null, afterSeconds: 0 } as const;
  if (fixed !== null) return { ...who, does: 'Stays', isEstimate: false, ...fixed };
  const asked = requires === undefined ? {} : { requires };
  const inputs = { ...ground, site, ...asked, works, scores, present, avoid: {} };
  const look = review(inputs, { ...history, request: null }, rules, now);
  const own = estimates.filter(({ placement }) => isOf(placement, ground, site));
  if (look.goes) return going(subject, look, own, now);
  const { reason, message } = look;
  const kept = own.find(({ afterSeconds }) => afterSeconds === null);
  return reason === 'NotMoving' && kept !== undefined
    ? { ...who, does: 'Stays', isEstimate: true, reason: 'StillSelected', message: stillSelected(kept) }
    : { ...who, does: 'Stays', isEstimate: reason === 'NotSelected' && own.length > 0, reason, message };
}

function isOf(placement: string, { placements, placementsNamespace }: Ground, site: string): boolean {
  return (placements ?? []).some(
    (name) => (site === '' || site === name) && placement === `${placementsNamespace}/${name}`,
  );
}

function stillSelected({ placement }: Estimate): string {
  return `Placement ${placement} would go on selecting the site: it tolerates the taint, or the taint is for new selections.`;
}

function going(
  { namespace, name, movedAt }: ReviewedCapp,
  look: Go,
  own: readonly Estimate[],
  now: number,
): Outlook {
  const { reason, to, terms } = look;
  const selectedFor = Math.max(0, ...own.map(({ afterSeconds }) => afterSeconds ?? 0));
  const cool = movedAt === null ? 0 : Math.max(0, movedAt + terms.cooldownMs - now);
  const afterSeconds = Math.ceil(Math.max(selectedFor + terms.holdMs / 1000, cool / 1000));
  const found = {
    kind: 'Capp',
    name: `${namespace}/${name}`,
    afterSeconds,
    isEstimate: own.length > 0,
  } as const;
  const another = own.some(({ selectsAnother }) => selectsAnother)
    ? ' OCM may select another site instead, which is not known before.'
    : '';
  if (to === null)
    return {
      ...found,
      does: 'Waits',
      to,
      reason: 'NoCandidate',
      message: `${look.message}.${another}`.replace('..', '.'),
    };
  if (terms.strategy === 'Recreate' && LEAVE_TERMS[reason].isLost) {
    const message = `spec.migration.strategy is Recreate, and nobody knows whether the copy still runs. Once it is stopped, confirm: kubectl capp move ${namespace}/${name} ${to} --force.`;
    return { ...found, does: 'Waits', to, reason: 'Recreate', message };
  }
  return { ...found, does: 'Moves', to, reason, message: `${look.message}.${another}` };
}

function spreadOutlook(
  { kind, metadata: { namespace = '', name } }: SpreadObject,
  after: ReturnType<typeof decisionFor>,
  { site, waitingFor, own }: { site: string; waitingFor: string; own: Estimate | undefined },
): Outlook {
  const isEstimate = own !== undefined && !after.isNamed;
  const who = { kind, name: `${namespace}/${name}`, to: null, afterSeconds: 0, isEstimate };
  if (after.isNamed) {
    const message = `spec.sites.clusters names ${site}.${waitingFor}`;
    return { ...who, does: 'Stays', reason: 'Named', message };
  }
  if (after.undecided !== null) return { ...who, does: 'Stays', ...after.undecided };
  if (after.clusters.includes(site)) {
    const message = `Its Placement would go on selecting ${site}.`;
    return { ...who, does: 'Stays', reason: 'StillSelected', message };
  }
  const afterSeconds = own?.afterSeconds ?? 0;
  const message = `Its Placement would no longer select ${site}. The guard against mass removal decides whether the copy goes at once, waits for another to be Ready, or waits for a person.`;
  return { ...who, does: 'Leaves', afterSeconds, reason: 'NotSelected', message };
}
