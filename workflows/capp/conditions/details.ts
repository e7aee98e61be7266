// Text for the Temporal UI: where a Capp is, what it waits for, and until when.
import type { Phase, State } from '../state.ts';
import { conditionsOf } from './conditions.ts';
import { missingFrom, servingCopy } from '../facts/copies.ts';
import { gateOf } from '../facts/gates.ts';
import { lostIn } from './leaving.ts';
import type { NextStep } from '../next/next-step.ts';
import { clock } from '../../types/clock.ts';
import { asText } from '../../types/markdown.ts';

export function phaseOf(state: State, now: number): Phase {
  if (state.retiring) return 'Deleting';
  if (state.paused) return 'Paused';
  if (state.serving === null) return 'Placing';
  if (state.move !== null) return 'Moving';
  const copy = servingCopy(state);
  const finding = copy?.finding;
  const isOutOfSight = state.unreachable.includes(state.serving) || (missingFrom(copy) ?? Infinity) <= now;
  if (isOutOfSight) return 'Degraded';
  if (finding?.verdict === 'Ready' && state.refused === null) return 'Ready';
  const stalled = conditionsOf(state, now).some((one) => one.type === 'Stalled' && one.status === 'True');
  return stalled || finding?.verdict === 'Failed' || state.refused !== null ? 'Degraded' : 'RollingOut';
}

/** Markdown for the workflow's current details. */
export function describe(state: State, step: NextStep, now: number): string {
  const { namespace, name, uid } = state.capp;
  const where =
    state.serving === null
      ? 'without a site so far'
      : `on **${state.serving}**${state.pinned ? ' (spec.site names it)' : ''}`;
  const lines = [
    `**${phaseOf(state, now)}**: Capp \`${namespace}/${name}\` (uid \`${uid}\`, generation ${state.generation}) ${where}`,
    '',
    `Waits for: ${waitingFor(state, step, now)}`,
    '',
    '| condition | status | reason | message |',
    '|---|---|---|---|',
    ...conditionsOf(state, now).map(
      (one) => `| ${one.type} | ${one.status} | ${one.reason} | ${asText(one.message)} |`,
    ),
  ];
  const leaving = Object.entries(state.leaving).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (leaving.length > 0)
    lines.push(
      '',
      `Leaving: ${leaving.map(([cluster, { since }]) => `${cluster} since ${clock(since)}`).join(', ')}`,
    );
  lines.push('', howToMove(state));
  return lines.join('\n');
}

function howToMove({ capp: { namespace, name } }: State): string {
  return `To move it: \`temporal workflow signal -w capp/${namespace}/${name} --name migrate --input '{"to":"<site>","by":"<you>"}'\``;
}

/** During a move, says that the old copy is kept. */
function keeping({ move, serving }: State): string {
  return move !== null && serving === move.from ? `; ${move.from} is kept until then` : '';
}

/** What a step waits for, in words for people. */
const STEPS: Readonly<Record<Exclude<NextStep['do'], 'watch' | 'rest'>, string>> = {
  choose: 'the hub worker to choose a site',
  apply: 'the hub worker to write the ManifestWork',
  report: 'the site to report what it has',
  remove: 'the hub worker to remove a copy that is not needed any more',
  find: 'the hub worker to see whether a copy is gone',
  retire: 'the hub worker to remove all copies',
  requestTurn: 'the drain to answer whether it may leave',
  point: 'the hub worker to write the DNS record',
  begin: 'the move to begin',
  switch: 'users to be sent to the new copy',
  extend: 'the new copy, for longer',
  abandon: 'the move to be given up',
  arrive: 'the move to end',
};

function waitingFor(state: State, step: NextStep, now: number): string {
  if (step.do === 'watch')
    return `${step.cluster} to make generation ${state.generation} Ready, until ${clock(step.until)}${keeping(state)}`;
  if (step.do !== 'rest') return STEPS[step.do];
  const gate = state.move === null ? gateOf(state, now) : null;
  if (gate !== null)
    return `its turn to leave ${state.leave?.from} (${gate.reason})${gate.until === null ? '' : `, until ${clock(gate.until)}`}`;
  if (state.backoff !== null && step.until !== null)
    return `the next try at ${clock(step.until)}, or any change`;
  if (state.retiring)
    return `${Object.keys(state.leaving).toSorted().join(', ')} to remove its copy${wayOut(state)}`;
  if (state.paused) return 'annotation `rcs.dana.io/paused` to be removed';
  if (state.refused !== null) return `a change of the Capp or of what it refers to (${state.refused.reason})`;
  if (state.serving === null) return `a decision (${state.placing?.reason ?? 'none yet'})`;
  return 'a change of the Capp, of what it refers to, or of its site';
}

/** A lost site may never clean up. A person may confirm that. */
function wayOut(state: State): string {
  const lost = lostIn(state);
  return lost.length === 0
    ? ''
    : `, or annotation \`rcs.dana.io/abandon: ${lost.join(',')}\` to abandon the copy that may still run there`;
}
