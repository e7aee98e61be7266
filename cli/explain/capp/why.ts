// Why a Capp is where it is and what it waits for, from what its status says.
import type { Capp } from '../../../crds/capp/capp.ts';
import { SITE_DETAILS, type Condition } from '../../../crds/capp/conditions.ts';
import { commandFor, type AdvisedObject } from '../reasons/advice.ts';
import { checksOf, hasNotPassed, type ExplainedChecks } from '../checks/capp.ts';
import { findingOf, type ExplainedFinding } from '../finding.ts';
import { conditionIn, isHeeded, setNameOf } from './phase.ts';
import { adviceFor, exclusionAdvice, leaveAdvice } from '../reasons/find.ts';

/** One site as a choice saw it. */
export interface Considered {
  readonly site: string;
  readonly score: number | null;
  readonly capps: number | null;
  readonly outcome: 'chosen' | 'candidate' | 'excluded';
  /** Why it was left out, in words; null for the others. */
  readonly because: string | null;
}

export interface ExplainedChoice {
  /** RFC 3339. */
  readonly at: string;
  readonly site: string | null;
  readonly placement: string | null;
  readonly reason: string;
  readonly words: string;
  readonly considered: readonly Considered[];
}

export interface Explanation {
  readonly namespace: string;
  readonly name: string;
  readonly site: string | null;
  /** The CappSet that it is of. */
  readonly set: string | null;
  /** It is being deleted. */
  readonly isGoing: boolean;
  /** The hub has looked at the newest generation. */
  readonly isCurrent: boolean;
  readonly findings: readonly ExplainedFinding[];
  /** Those of its checks that are under way or have not passed, with what was measured. */
  readonly checks: readonly ExplainedChecks[];
  /** The newest one, or null before the first. */
  readonly choice: ExplainedChoice | null;
  readonly lastMove: { readonly words: string; readonly message: string } | null;
}

/** `now` is in milliseconds since the epoch. */
export function explain(capp: Capp, now: number): Explanation {
  const { metadata, status } = capp;
  const site = status?.applicationLinks?.site ?? null;
  const named = { namespace: metadata.namespace ?? '', name: metadata.name, site };
  return {
    ...named,
    set: setNameOf(capp),
    isGoing: metadata.deletionTimestamp !== undefined,
    isCurrent: isHeeded(capp),
    findings: tellingIn(capp).map((condition) => findingIn(condition, named, setNameOf(capp))),
    checks: checksOf(capp, now),
    choice: choiceOf(capp),
    lastMove: lastMoveOf(capp),
  };
}

/** Where it is, in one sentence. */
export function headline({ namespace, name, site, isGoing, isCurrent, findings }: Explanation): string {
  const place = site === null ? 'is on no site' : `is on ${site}`;
  const where = isGoing ? 'is being deleted' : place;
  const how = findings.length === 0 && isCurrent ? ', and nothing is missing' : '';
  return `${namespace}/${name} ${where}${how}.`;
}

/** Of what has not been looked at. */
export const NOT_CURRENT =
  'The hub has not looked at its newest generation yet. That takes seconds; if it does not happen, the bridge or Temporal is not running: kubectl capp doctor';

/** Of the first three that which keeps the Capp from being Ready, and whatever else is unusual. */
function tellingIn(capp: Capp): Condition[] {
  const at = (type: string): Condition[] => {
    const found = conditionIn(capp, type);
    return found === undefined ? [] : [found];
  };
  const isGoing = capp.metadata.deletionTimestamp !== undefined;
  const first = ['Placed', 'Applied', 'Available', 'Ready']
    .flatMap(at)
    .find(({ status }) => status !== 'True');
  const blocking = isGoing ? at('Ready') : first === undefined ? [] : [first];
  const moving = at('Migrating').filter(({ reason }) => reason !== 'NotMoving');
  const stalled = at('Stalled').filter(({ status }) => status === 'True');
  const details = ['RecordReady', ...SITE_DETAILS].flatMap(at).filter(({ status }) => status !== 'True');
  // Of checks that are under way the block below tells, and nothing is wrong.
  const checks = at('Verified').filter(({ reason }) => hasNotPassed(reason));
  const found = [...blocking, ...moving, ...stalled, ...checks, ...details];
  // One pause is said of several conditions.
  return found.filter(
    ({ reason, message }, index) =>
      found.findIndex((one) => one.reason === reason && one.message === message) === index,
  );
}

function findingIn(condition: Condition, named: AdvisedObject, set: string | null): ExplainedFinding {
  const { reason, message } = condition;
  if (set !== null && reason === 'MoveRefused')
    return findingOf(condition, {
      words: adviceFor(reason).words,
      remedy: `Change which sites CappSet ${set} has: it keeps each of its Capps on one of them.`,
      command: `kubectl -n ${named.namespace} edit cappset ${set}`,
    });
  const known = adviceFor(reason);
  if (set !== null && hasNotPassed(reason)) {
    const command = `kubectl capp rollout retry ${set} -n ${named.namespace}`;
    return findingOf(condition, { ...known, command });
  }
  const word = commandIn(message, named);
  return findingOf(condition, {
    words: known.words,
    remedy: isDeletion(message) && word !== null ? GIVE_UP : known.remedy,
    command: word ?? commandFor(known, { ...named, site: named.site ?? siteIn(message) }),
  });
}

const GIVE_UP = 'It goes on when the site is back. If it never comes back, give up the copy there.';

function isDeletion(message: string): boolean {
  return message.startsWith('Being deleted');
}

/** Where only a person's word helps, the hub's message names the sites. */
function commandIn(message: string, { namespace, name }: AdvisedObject): string | null {
  const [, to] = /rcs\.dana\.io\/force=([\w.-]+)#/.exec(message) ?? [];
  if (to !== undefined) return `kubectl capp move ${name} ${to} --force -n ${namespace}`;
  const [, lost] = /rcs\.dana\.io\/abandon=([\w.,-]*\w)/.exec(message) ?? [];
  return lost === undefined
    ? null
    : `kubectl capp abandon ${name} ${lost.replaceAll(',', ' ')} -n ${namespace}`;
}

/** The site that a message begins with, where the status names none. */
function siteIn(message: string): string | null {
  return /^The hub has not accepted ([\w.-]+\w)/.exec(message)?.[1] ?? null;
}

function choiceOf({ status }: Capp): ExplainedChoice | null {
  const [newest] = status?.decisions ?? [];
  if (newest === undefined) return null;
  const { at, cluster = null, placement = null, reason, candidates, excluded } = newest;
  const ranked = candidates.map(({ cluster: site, score, capps }): Considered => ({
    site,
    score,
    capps,
    outcome: site === cluster ? 'chosen' : 'candidate',
    because: null,
  }));
  return {
    at,
    site: cluster,
    placement,
    reason,
    words: reason === 'Stays' ? 'The Capp had the site already, and stayed.' : adviceFor(reason).words,
    considered: [...ranked, ...excluded.flatMap(leftOut)],
  };
}

type Exclusion = NonNullable<NonNullable<Capp['status']>['decisions']>[number]['excluded'][number];

/** Those that are only counted stand in one line. */
function leftOut({ reason, count, examples, failed }: Exclusion): Considered[] {
  const { words } = exclusionAdvice(reason);
  const because = failed === undefined ? words : `${words}: ${failed}`;
  const more = count - examples.length;
  const names = [...examples, ...(more > 0 ? [`and ${more} more`] : [])];
  return names.map((site) => ({ site, score: null, capps: null, outcome: 'excluded', because }));
}

function lastMoveOf({ status }: Capp): Explanation['lastMove'] {
  const move = status?.migration?.lastMove;
  if (move === undefined) return null;
  const { from = '?', to = '?', result = '', reason = '', endedAt = '', message = '' } = move;
  const how =
    { Moved: `Moved from ${from} to ${to}`, Failed: `Did not get from ${from} to ${to}` }[result] ??
    `Gave up the way from ${from} to ${to}`;
  return { words: `${how} at ${endedAt}, because ${leaveAdvice(reason).words}.`, message };
}
