// What people read of a drain: its progress, which Capps did not move and why, and what helps.
import type { DrainState, Lanes } from '../state.ts';
import { clock } from '../../types/clock.ts';
import { boundIn } from './looked.ts';
import { MOST_GOING, type PlannedMove } from './plan.ts';
import { drainCommand } from './command.ts';
import type { DrainStep } from './step.ts';
import { countsOf, namedOf, staying, type Stayer } from './stays.ts';

/** Bounded, however many Capps there are. */
export interface DrainProgress {
  readonly cluster: string;
  readonly phase: 'Draining' | 'Paused' | 'Stopped' | 'Done';
  /** True while a Drain orders the drain; otherwise only Capps that ask get a turn. */
  readonly everything: boolean;
  readonly lanes: Lanes;
  readonly begunAt: string;
  readonly waiting: number;
  /** The next of them. */
  readonly next: readonly string[];
  /** Target, or `?` where it is not known → number of Capps on their way there. */
  readonly targets: Readonly<Record<string, number>>;
  /** The first fifty of those that are on their way, and then of those that wait, in order. */
  readonly firstMoves: readonly PlannedMove[];
  readonly moved: number;
  /** Reason → number of Capps that stay on the cluster. At the end these are all that are left. */
  readonly stayed: Readonly<Record<string, number>>;
  /** Fifty of those, with their reason; the rarest reasons first. */
  readonly named: readonly Stayer[];
  /** Messages that could not be read. */
  readonly unreadable: number;
  /** What `targets` was called before: answered until version 0.2.0. */
  readonly going: Readonly<Record<string, number>>;
  /** What `firstMoves` was called before: answered until version 0.2.0. */
  readonly first: readonly PlannedMove[];
}

const NEXT = 10;

export function progressOf(state: DrainState): DrainProgress {
  const { cluster, everything, lanes, begunAt, waiting, moved, unnamed, unreadable = 0 } = state;
  const stays = staying(state);
  const targets: Record<string, number> = {};
  for (const { to } of Object.values(state.going)) targets[to ?? '?'] = (targets[to ?? '?'] ?? 0) + 1;
  const firstMoves = boundIn(state).slice(0, MOST_GOING);
  return {
    cluster,
    phase: state.stopped ? 'Stopped' : state.paused ? 'Paused' : 'Draining',
    everything,
    lanes,
    begunAt: clock(begunAt),
    waiting: waiting.length,
    next: waiting.slice(0, NEXT).map(({ capp }) => capp),
    targets,
    firstMoves,
    moved,
    stayed: countsOf(stays, unnamed),
    named: namedOf(stays),
    unreadable,
    going: targets,
    first: firstMoves,
  };
}

/** The result of a drain that has ended. */
export function summaryOf(state: DrainState): DrainProgress {
  return { ...progressOf(state), phase: state.stopped ? 'Stopped' : 'Done' };
}

/** Markdown for the workflow's current details. */
export function describeDrain(state: DrainState, step: DrainStep): string {
  const { cluster, everything, lanes, listing } = state;
  const { phase, waiting, targets, moved, stayed, named } =
    step.do === 'end' ? summaryOf(state) : progressOf(state);
  const who = everything ? 'every Capp is told to leave' : 'only Capps that must leave are given their turn';
  const lines = [
    `**${phase}** \`${cluster}\` since ${clock(state.begunAt)}: ${who}`,
    '',
    `Waits for: ${waitingFor(state, step)}`,
    '',
    '| waiting | under way | moved | stayed |',
    '|---|---|---|---|',
    `| ${waiting}${listing === null ? '' : ' and more'} | ${counted(targets)} | ${moved} | ${counted(stayed)} |`,
    '',
    `Lanes: ${lanes.width} at once, ${lanes.perTarget} to one site, ${lanes.ratePerSecond} a second.${easing(state)}`,
  ];
  if (named.length > 0)
    lines.push('', `Stay on ${cluster}:`, '', ...named.map(({ capp, why }) => `- \`${capp}\`: ${why}`));
  if (!everything)
    lines.push('', `No Drain orders this. To tell every Capp to leave: \`${drainCommand(cluster)}\``);
  if (state.drain !== undefined)
    lines.push('', `Drain \`${cluster}\` orders it, and steers it: \`kubectl describe drain ${cluster}\``);
  if (step.do !== 'end' && state.drain === undefined)
    lines.push(
      '',
      `To pause it: \`temporal workflow signal -w turns/${cluster} --name pause\`; then \`resume\`, or \`stop\``,
    );
  return lines.join('\n');
}

/**
 * As it was when the hub workers last lagged behind: a text that changes with the time would be written all
 * the time.
 */
function easing({ eased, lanes }: DrainState): string {
  if (eased === undefined || eased.width >= lanes.width) return '';
  return ` The hub workers lagged behind at ${clock(eased.at)}: ${eased.width} at once from then on, and step by step more.`;
}

function waitingFor({ paused, waiting, going }: DrainState, step: DrainStep): string {
  if (step.do === 'end') return 'nothing';
  if (paused) return 'signal `resume`';
  if (step.do === 'list') return 'the list of the Capps on the cluster';
  if (step.do === 'answer') return 'its answers to Capps that have asked';
  const underWay = Object.keys(going).length;
  const what =
    underWay > 0
      ? `${underWay} Capps under way`
      : waiting.length > 0
        ? 'free lanes'
        : 'Capps to ask for their turn';
  return step.until === null ? what : `${what}, until ${clock(step.until)}`;
}

function counted(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  return total === 0 ? '0' : `${total} (${entries.map(([name, count]) => `${name} ${count}`).join(', ')})`;
}
