// CappSets and Bundles: the stages of their rollouts as lanes, with the sites in them and the gates between.
import { shownRevision } from '../../../../crds/rollout/revision.ts';
import type { RolloutFields } from '../../../../crds/rollout/status.ts';
import { rolloutView, type ExplainedFleet, type RolloutView } from '../../../explain/set/rollout.ts';
import { explainBundle, explainSet, type ExplainedSpread } from '../../../explain/set/spread.ts';
import type { DashboardFacts } from '../facts.ts';
import { chipsOf, type Chip } from './chips.ts';
import type { Sheet } from '../sheets/sheet.ts';
import { seenOfRollout } from '../seen.ts';
import { actsOn, mayPlan } from './acts.ts';
import { gateOf, holdOf, isOfRollout, type LaneHold, type StageGateModel } from './gates.ts';
import type { Tone } from '../../../explain/tone.ts';

export interface RolloutLine {
  readonly kind: 'CappSet' | 'Bundle';
  readonly namespace: string;
  readonly name: string;
  readonly tone: Tone;
  /** Such as 3/5. */
  readonly ready: string;
  readonly revision: string;
  readonly reason: string;
  readonly says: string;
  /** RFC 3339: until when it waits; null where no time is known. */
  readonly until: string | null;
  /** How many sites are so, over all stages. */
  readonly sites: {
    readonly all: number;
    readonly ready: number;
    readonly failed: number;
    readonly underWay: number;
  };
}

export interface Lane {
  readonly name: string;
  /** Waiting, Open, Passed or Back. */
  readonly state: string;
  readonly counts: {
    readonly sites: number;
    readonly ready: number;
    readonly underWay: number;
    readonly failed: number;
    readonly offline: number;
  };
  readonly gate: StageGateModel;
  readonly hold: LaneHold | null;
  readonly chips: readonly Chip[];
}

export interface RolloutModel
  extends RolloutLine, Pick<ExplainedSpread, 'isGoing' | 'isCurrent' | 'findings' | 'failing'> {
  /** What holds it, in one sentence of the hub. */
  readonly message: string;
  readonly from: string;
  readonly lanes: readonly Lane[];
  /** Sites that belong to no lane, as far as the person may know which lane they are in. */
  readonly loose: readonly Chip[];
  /** Why the sites stand outside the lanes; empty if they do not. */
  readonly looseBecause: string;
  readonly windows: readonly string[];
  readonly asked: NonNullable<RolloutFields['asked']>;
  readonly heldRemoval: number;
  readonly seen: string;
  /** The planner may be asked: by a write that is not stored. */
  readonly mayPlan: boolean;
  readonly acts: readonly Sheet[];
}

export function fleetObjects({ sets, bundles }: Pick<DashboardFacts, 'sets' | 'bundles'>): ExplainedFleet[] {
  return [
    ...sets.map((object) => ({ is: 'CappSet' as const, object })),
    ...bundles.map((object) => ({ is: 'Bundle' as const, object })),
  ];
}

/** By `rollout/<kind>/<namespace>/<name>`. */
export function rolloutLines(facts: DashboardFacts): Record<string, RolloutLine> {
  return Object.fromEntries(
    fleetObjects(facts).map((one) => {
      const { namespace = '', name } = one.object.metadata;
      return [`rollout/${one.is}/${namespace}/${name}`, rolloutLine(one)];
    }),
  );
}

export function rolloutLine(one: ExplainedFleet): RolloutLine {
  const { namespace = '', name } = one.object.metadata;
  const view = rolloutView(one);
  const { findings } = spreadOf(one);
  const add = (key: 'sites' | 'ready' | 'failed' | 'underWay'): number =>
    view.stages.reduce((sum, stage) => sum + stage[key], 0);
  return {
    kind: one.is,
    namespace,
    name,
    tone: toneOfRollout(view),
    ready: view.ready,
    revision: shownRevision(view.revision),
    reason: view.reason,
    says: view.message,
    until: findings.find(({ until }) => until !== null)?.until ?? null,
    sites: { all: add('sites'), ready: add('ready'), failed: add('failed'), underWay: add('underWay') },
  };
}

export function rolloutModel(one: ExplainedFleet, facts: DashboardFacts): RolloutModel {
  const view = rolloutView(one);
  const { isGoing, isCurrent, findings, failing } = spreadOf(one);
  const { spec, status = {} } = one.object;
  const { chips, because } = chipsOf(one, facts);
  const line = rolloutLine(one);
  return {
    ...line,
    isGoing,
    isCurrent,
    findings,
    failing,
    message: view.message,
    from: view.settled === '' || view.settled === view.revision ? '' : shownRevision(view.settled),
    lanes: view.stages.map(({ name, state, ...counts }) => ({
      name,
      state,
      counts,
      gate: gateOf(name, {
        view,
        stages: spec.strategy.stages ?? [],
        soakSeconds: spec.strategy.soakSeconds,
        asked: (status.asked ?? []).filter(isOfRollout(status.rollout)),
      }),
      hold: holdOf(name, view, line.until),
      chips: chips.filter(({ stage }) => stage === name).map((chip) => soaking(chip, state, view.reason)),
    })),
    loose: chips.filter(({ stage }) => !view.stages.some(({ name }) => name === stage)),
    looseBecause: because,
    windows: (spec.strategy.windows ?? []).map(
      ({ days, from, to, timeZone }) => `${days.join(', ')} ${from}–${to} (${timeZone})`,
    ),
    asked: status.asked ?? [],
    heldRemoval: status.heldRemoval?.count ?? 0,
    seen: seenOfRollout(one),
    mayPlan: !isGoing && mayPlan(one, facts.may),
    acts: isGoing ? [] : actsOn(one, facts.may),
  };
}

/** It is Ready, and has to stay so for a while. */
function soaking(chip: Chip, state: string, reason: string): Chip {
  return reason === 'Soaking' && state === 'Open' && chip.says === 'ready'
    ? { ...chip, tone: 'held', says: 'soaking' }
    : chip;
}

function spreadOf(one: ExplainedFleet): ExplainedSpread {
  return one.is === 'CappSet' ? explainSet(one.object) : explainBundle(one.object);
}

const BAD: ReadonlySet<string> = new Set([
  'SitesFailed',
  'RollingBack',
  'RolledBack',
  'Invalid',
  'Unreadable',
  'TooLarge',
  'MissingSource',
  'SecretNotSealed',
]);
const HELD: ReadonlySet<string> = new Set([
  'AwaitsApproval',
  'Paused',
  'Aborted',
  'OutsideWindow',
  'RemovalHeld',
  'Soaking',
  'Verifying',
  'VerificationInconclusive',
]);

export function toneOfRollout({ reason, stages }: Pick<RolloutView, 'reason' | 'stages'>): Tone {
  if (BAD.has(reason) || stages.some(({ failed }) => failed > 0)) return 'bad';
  if (HELD.has(reason)) return 'held';
  return reason === 'Done' || reason === 'Ready' ? 'good' : 'busy';
}
