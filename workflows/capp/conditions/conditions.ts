// Computes a Capp's conditions from the state alone. `publish` only writes them.
import type { ConditionType, HubReason, SiteReason } from '../../../crds/capp/conditions.ts';
import type { State } from '../state.ts';
import type { Copy } from '../../types/copy.ts';
import { isPartly, missingFrom, servingCopy } from '../facts/copies.ts';
import type { ConditionPart, UnwrittenCondition } from './condition.ts';
import { leavingOf } from './leaving.ts';
import { migratingOf } from './migrating.ts';
import { clock } from '../../types/clock.ts';
import { verifiedOf } from './verified.ts';

/**
 * Always in the order Ready, Placed, Applied, Available, Migrating, Stalled; then RecordReady where the hub
 * keeps a DNS record, and Verified where checks are to be made. `tellsPart` is false only in runs that
 * earlier builds began (`changes.ts`): what is partly applied is not told there.
 */
export function conditionsOf(state: State, now: number, tellsPart = true): UnwrittenCondition[] {
  const copy = servingCopy(state);
  const placed = placedOf(state);
  const applied = appliedOf(state, copy, tellsPart ? now : null);
  const available = availableOf(state, copy, now);
  const ready = readyOf(state, [placed, applied, available], copy);
  const parts: [ConditionType, ConditionPart][] = [
    ['Ready', ready],
    ['Placed', placed],
    ['Applied', applied],
    ['Available', available],
    ['Migrating', migratingOf(state, now)],
    ['Stalled', stalledOf(state, ready, { now, tellsPart })],
    ...dnsCondition(state),
    ...verifiedOf(state),
  ];
  return parts.map(([type, part]) => ({ type, ...part, observedGeneration: state.generation }));
}

function part(
  status: ConditionPart['status'],
  reason: HubReason | SiteReason,
  message: string,
): ConditionPart {
  return { status, reason, message };
}

/** It never keeps a Capp from being Ready. */
function dnsCondition({ dns, retiring }: State): [ConditionType, ConditionPart][] {
  if (dns === undefined || retiring) return [];
  const { reason, message } = dns.said;
  const status = reason === 'RecordSynced' ? 'True' : reason === 'RecordPending' ? 'Unknown' : 'False';
  return [['RecordReady', { status, reason, message }]];
}

function placedOf(state: State): ConditionPart {
  if (state.serving !== null)
    return part(
      'True',
      state.pinned ? 'Pinned' : 'Chosen',
      state.placing?.message ?? `The Capp is on ${state.serving}.`,
    );
  if (state.placing !== null) return { status: 'False', ...state.placing };
  return part('Unknown', 'Progressing', 'No site has been chosen yet.');
}

/** Null: what is partly applied is not told. */
function appliedOf(state: State, copy: Copy | null, now: number | null): ConditionPart {
  if (state.refused !== null) return { status: 'False', ...state.refused };
  if (copy === null || copy.stamp === null)
    return part('Unknown', 'Applying', 'Nothing has been sent to a site yet.');
  if (copy.generation !== state.generation) return unsent(state, copy);
  if (copy.work?.refused !== undefined)
    return part('False', copy.work.refused.reason, copy.work.refused.message);
  if (copy.finding !== null && !isReportBlind(copy)) return seenThere(state, copy, now);
  if (copy.work?.applied === 'False')
    return part(
      'False',
      'Rejected',
      `${state.serving} could not apply the ManifestWork of the Capp${because(copy.work.reason)}. ${lookAt(state)}`,
    );
  if (isAway(state))
    return part(
      'Unknown',
      'SiteUnreachable',
      `${state.serving} cannot be reached; it receives this generation when it returns.`,
    );
  return part(
    'Unknown',
    'Applying',
    `Sent to ${state.serving}, which has until ${clock(copy.deadline)} to make it Ready.`,
  );
}

/**
 * Its agent has reported on it. Until the deadline, what is lacking is not known for a refusal: no words tell
 * of one, and it may be over in a moment. What was there before may still be.
 */
function seenThere(state: State, copy: Copy, now: number | null): ConditionPart {
  if (now === null || !isPartly(copy))
    return part('True', 'Applied', `${state.serving} has this generation.`);
  const status = now < copy.deadline ? 'Unknown' : 'False';
  return part(status, 'Rejected', partly(state, copy.work?.reason ?? ''));
}

function partly(state: State, reason: string): string {
  return `${state.serving} has the Capp, and not all that travels with it${because(reason)}. OCM tries again. ${lookAt(state)}`;
}

function because(reason: string): string {
  return reason === '' ? '' : ` (${reason})`;
}

function lookAt({ serving }: State): string {
  return `Look at the ManifestWork's conditions in namespace ${serving}.`;
}

function unsent(state: State, { generation }: Copy): ConditionPart {
  const has = `${state.serving} has generation ${generation}; ${state.generation} has not been sent`;
  if (state.paused) return part('Unknown', 'Paused', `${has}.`);
  if (!isAway(state)) return part('Unknown', 'Applying', `${has}.`);
  return part('Unknown', 'SiteUnreachable', `${has}: ${state.serving} cannot be reached.`);
}

/** The site that users are sent to was gone or out of reach at the last look. */
function isAway({ serving, unreachable }: State): boolean {
  return serving !== null && unreachable.includes(serving);
}

/**
 * The report is about a site without a site operator, or whose API server did not answer. Only the work can
 * tell whether it was applied there.
 */
function isReportBlind(copy: Copy): boolean {
  const isBlind = copy.finding?.reason === 'NoSiteOperator' || copy.finding?.reason === 'SiteUnreachable';
  return isBlind && copy.work?.applied !== 'True';
}

function availableOf(state: State, copy: Copy | null, now: number): ConditionPart {
  if (copy === null || copy.stamp === null)
    return part('Unknown', 'NotObserved', 'There is no copy to observe yet.');
  return unseenOf(state, copy) ?? missingOf(state, copy, now) ?? seenOf(state, copy);
}

/** Nobody can report on the copy now. The message names when somebody last could. */
function unseenOf(state: State, { silentSince, seenAt }: Copy): ConditionPart | null {
  const since = isAway(state) ? (state.awaySince[state.serving ?? ''] ?? silentSince) : silentSince;
  if (!isAway(state) && silentSince === null) return null;
  const seen =
    seenAt !== undefined
      ? `; last seen at ${clock(seenAt)}`
      : since === null
        ? ''
        : `; last seen before ${clock(since)}`;
  const goesOn = 'The copy there may still run, and is looked at again when the site answers.';
  return isAway(state)
    ? part('Unknown', 'SiteUnreachable', `${state.serving} cannot be reached${seen}. ${goesOn}`)
    : part('Unknown', 'AgentSilent', `No agent on ${state.serving} answers${seen}. ${goesOn}`);
}

/** The site reports that it does not have what was sent. */
function missingOf({ serving }: State, copy: Copy, now: number): ConditionPart | null {
  const from = missingFrom(copy);
  if (from === null || now < from || copy.absentSince === null) return null;
  const since = clock(copy.absentSince);
  const remedy = `Its work agent should restore it within minutes; if it does not, look at the ManifestWork's conditions in namespace ${serving}.`;
  return part('False', 'Missing', `${serving} does not have the Capp any more since ${since}. ${remedy}`);
}

function seenOf(state: State, copy: Copy): ConditionPart {
  const { finding } = copy;
  if (finding === null && copy.wasHealthy)
    return part(
      'True',
      'Serving',
      'An earlier generation serves; the agent has not reported the newest one yet.',
    );
  if (finding === null)
    return part(
      'Unknown',
      'NotObserved',
      `The agent on ${state.serving} has not reported this generation yet.`,
    );
  if (finding.reason === 'SiteUnreachable') return part('Unknown', 'SiteUnreachable', finding.message);
  if (finding.healthy && finding.verdict !== 'Ready')
    return part('True', 'Serving', 'An earlier revision serves.');
  const status =
    finding.healthy || finding.verdict === 'Ready'
      ? 'True'
      : finding.verdict === 'Failed'
        ? 'False'
        : 'Unknown';
  return {
    status,
    reason: finding.reason === 'Ready' ? 'Serving' : finding.reason,
    message: finding.message,
  };
}

function readyOf(state: State, parts: readonly ConditionPart[], copy: Copy | null): ConditionPart {
  if (state.retiring) return leavingOf(state);
  const first = parts.find((one) => one.status !== 'True');
  if (first !== undefined) return first;
  const finding = copy?.finding;
  if (finding === null || finding === undefined)
    return part('Unknown', 'NotObserved', 'The agent has not reported this generation yet.');
  const status = finding.verdict === 'Ready' ? 'True' : finding.verdict === 'Failed' ? 'False' : 'Unknown';
  return { status, reason: finding.reason, message: finding.message };
}

/** A copy that was Ready in time and cannot be seen now is not late. */
function isDone({ refused }: State, copy: Copy, tellsPart: boolean): boolean {
  const isIn = copy.finding?.verdict === 'Ready' && copy.absentSince === null;
  return isIn && refused === null && !(tellsPart && isPartly(copy));
}

function stalledOf(
  state: State,
  ready: ConditionPart,
  { now, tellsPart }: { readonly now: number; readonly tellsPart: boolean },
): ConditionPart {
  if (state.stays?.reason === 'Unhealed' && !state.retiring && !state.paused)
    return part('True', 'Unhealed', state.stays.message);
  const copy = servingCopy(state);
  const late =
    copy !== null &&
    copy.stamp !== null &&
    ready.status !== 'True' &&
    now >= copy.deadline &&
    !state.retiring &&
    !isDone(state, copy, tellsPart);
  if (!late) return part('False', 'Progressing', 'No deadline has passed.');
  return part(
    'True',
    'DeadlinePassed',
    `Not Ready by ${clock(copy.deadline)} (${ready.reason}). Correct the Capp, or look at it on ${state.serving}.`,
  );
}
