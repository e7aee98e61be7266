// Builders of a workflow's state and of the results of its activities. The defaults are the simplest values.
import type { HubReason } from '../../../crds/capp/conditions.ts';
import type { Placed, Applied } from '../../../workflows/ports/applied.ts';
import type { Answer } from '../../../workflows/ports/agent.ts';
import type { Choice } from '../../../workflows/ports/choice.ts';
import type { FoundWork } from '../../../workflows/types/removals.ts';
import type { Leave, Move } from '../../../workflows/types/moves.ts';
import { initialState, type CappRef, type State } from '../../../workflows/capp/state.ts';
import type { Copy, Finding, VerdictKind, WorkFacts } from '../../../workflows/types/copy.ts';

export const CAPP: CappRef = { namespace: 'apps', name: 'app', uid: 'uid-1' };
/** The time in tests without a clock, in milliseconds since the epoch. */
export const NOW = Date.parse('2026-03-01T12:00:00Z');
export const MINUTE = 60_000;

/** A Capp that has answered all of its rings. */
export function aState(plain: Partial<State> = {}): State {
  return { ...initialState(CAPP), due: [], ringsHeard: 1, ringsAnswered: 1, generation: 1, ...plain };
}

/** Applied a minute ago, with nine left, and not heard of yet. */
export function aCopy(plain: Partial<Copy> = {}): Copy {
  return {
    wanted: true,
    stamp: 'uid-1/1/hash/one',
    generation: 1,
    appliedAt: NOW - MINUTE,
    deadline: NOW + 9 * MINUTE,
    work: { uid: 'work-1', applied: 'Unknown', reason: '' },
    finding: null,
    wasHealthy: false,
    heard: (plain.finding ?? null) !== null,
    heardAt: (plain.finding ?? null) === null ? 0 : NOW,
    silentSince: null,
    absentSince: null,
    appliedAtRing: 0,
    ...plain,
  };
}

export function aFinding(verdict: VerdictKind = 'Ready', plain: Partial<Finding> = {}): Finding {
  const reason = ({ Ready: 'Ready', Failed: 'RolloutFailed', Progressing: 'Deploying' } as const)[verdict];
  return {
    verdict,
    healthy: verdict === 'Ready',
    reason,
    message: `It is ${verdict}.`,
    statusHash: `hash-${verdict}`,
    ...plain,
  };
}

/** Placed on site-1, and Ready there unless the copy says otherwise. */
export function aPlacedState(
  plain: Partial<State> = {},
  copy: Partial<Copy> = { finding: aFinding() },
): State {
  const placing = { reason: 'Chosen', message: 'Placement all decided for site-1' } as const;
  return aState({ serving: 'site-1', placing, copies: { 'site-1': aCopy(copy) }, ...plain });
}

/** As the workflow has it when it first ships a Capp to a cluster. */
export function aPlacing(capp: CappRef, cluster = 'site-1'): State {
  const copy = aCopy({ stamp: null, generation: 0, finding: null, work: null });
  return {
    ...initialState(capp),
    serving: cluster,
    placing: { reason: 'Chosen', message: 'chosen' },
    copies: { [cluster]: copy },
  };
}

/** A Capp that should leave site-1, which was lost, and may go at once. */
export function aLeave(plain: Partial<Leave> = {}): Leave {
  const terms = {
    holdMs: 0,
    cooldownMs: 0,
    deadlineMs: 10 * MINUTE,
    strategy: 'MakeBeforeBreak' as const,
    inBulk: true,
  };
  return {
    from: 'site-1',
    reason: 'SiteLost',
    message: 'site-1 is lost',
    to: 'site-2',
    terms,
    request: null,
    priority: 0,
    since: NOW,
    lookedAt: NOW,
    permit: null,
    ...plain,
  };
}

/** From site-1 to site-2, begun now. */
export function aMove(plain: Partial<Move> = {}): Move {
  return {
    from: 'site-1',
    to: 'site-2',
    reason: 'Tainted',
    message: 'site-1 is tainted NoSelect',
    since: NOW,
    deadline: NOW + 10 * MINUTE,
    strategy: 'MakeBeforeBreak',
    request: null,
    confirmation: 'Due',
    ...plain,
  };
}

/** A work that its site refuses as another hub's, with these words. */
export function workOfOthers(says: string): WorkFacts {
  return {
    uid: 'work-1',
    applied: 'False',
    reason: 'AppliedManifestWorkFailed',
    refused: { reason: 'OtherHub', message: says },
    isOthers: true,
    asksThere: true,
  };
}

export function applied(
  plain: Partial<Extract<Applied, { outcome: 'Applied' }>> = {},
): Extract<Applied, { outcome: 'Applied' }> {
  return {
    outcome: 'Applied',
    generation: 1,
    stamp: 'uid-1/1/hash/one',
    created: true,
    deadlineSeconds: 600,
    work: { uid: 'work-1', applied: 'Unknown', reason: '' },
    at: NOW,
    ...plain,
  };
}

export function refused(reason: HubReason = 'MissingReference'): Applied {
  return {
    outcome: 'Refused',
    generation: 1,
    reason,
    message: 'The pod refers to Secret keys, which is missing.',
    at: NOW,
  };
}

export function chosen(
  cluster = 'site-1',
  works: readonly FoundWork[] = [],
): Extract<Choice, { outcome: 'Chosen' }> {
  const message = `Placement all decided for ${cluster}`;
  return {
    outcome: 'Chosen',
    cluster,
    pinned: false,
    message,
    generation: 1,
    record: aRecord(cluster),
    works,
    site: '',
    memory: null,
  };
}

export function stays(): Extract<Choice, { outcome: 'Stays' }> {
  return {
    outcome: 'Stays',
    reason: 'NotMoving',
    message: 'The Capp stays.',
    generation: 1,
    site: '',
    handled: null,
    unreachable: [],
    works: [],
  };
}

export function none(reason: HubReason = 'NoDecision'): Extract<Choice, { outcome: 'None' }> {
  return {
    outcome: 'None',
    reason,
    message: 'Nothing has been decided.',
    generation: 1,
    record: aRecord(null),
    works: [],
  };
}

export function aRecord(cluster: string | null): Extract<Choice, { outcome: 'None' }>['record'] {
  const candidates = cluster === null ? [] : [{ cluster, score: 0, capps: 0 }];
  return {
    at: new Date(NOW).toISOString(),
    cluster,
    reason: cluster === null ? 'NoDecision' : 'Chosen',
    placement: 'all',
    candidates,
    excluded: [],
  };
}

export function anAnswer(verdict: VerdictKind = 'Ready', plain: Partial<Finding> = {}): Answer {
  return { finding: aFinding(verdict, plain), mirror: { applicationLinks: { consoleLink: 'http://app' } } };
}

/** A choice, and what came of shipping to the chosen cluster at once. */
export function placed(choice: Choice, answer: Applied | null = null): Placed {
  return {
    choice,
    at: NOW,
    shipped: answer === null || choice.outcome !== 'Chosen' ? null : { cluster: choice.cluster, answer },
  };
}
