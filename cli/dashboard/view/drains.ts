// Sites that are being emptied: how far, who stays and why, and how long it takes at its present pace.
import type { Drain } from '../../../crds/drain/drain.ts';
import { isSettledDrain } from '../../../crds/drain/status.ts';
import { shareOf, viewOf, type DrainView } from '../../explain/drain.ts';
import { endSentence, progressLine } from '../../show/drain.ts';
import type { DashboardFacts } from './facts.ts';
import { seenOfDrain } from './seen.ts';
import { drainActSheet } from './sheets/drain.ts';
import type { Sheet } from './sheets/sheet.ts';

export interface DrainLine extends DrainView {
  /** From 0 to 1. */
  readonly share: number;
  /** How it stands, in one sentence. */
  readonly says: string;
  readonly isDryRun: boolean;
  readonly lanes: { readonly width: number; readonly perTarget: number; readonly ratePerSecond: number };
  readonly startedAt: string | null;
  /** RFC 3339: when it is done if it goes on as until now; null before the first has moved. */
  readonly doneAt: string | null;
  /** Changes with each change of what is asked for. */
  readonly seen: string;
  readonly acts: readonly Sheet[];
}

/** By `drain/<site>`. */
export function drainLines({ drains, may, now }: DashboardFacts): Record<string, DrainLine> {
  return Object.fromEntries(
    drains.map((drain) => {
      const line = lineOf(drain, now);
      return [`drain/${line.site}`, { ...line, acts: actsOn(line, drain, may) }];
    }),
  );
}

function lineOf(drain: Drain, now: number): DrainLine {
  const { spec, status } = drain;
  const view = viewOf(drain, isSettledDrain(drain));
  const { width, perTarget, ratePerSecond } = spec;
  return {
    ...view,
    share: shareOf(view),
    says: view.phase === 'Done' || view.phase === 'Stopped' ? endSentence(view) : progressLine(view),
    isDryRun: spec.dryRun,
    lanes: { width, perTarget, ratePerSecond },
    startedAt: status?.startedAt ?? null,
    doneAt: doneAt(view, status?.startedAt, now),
    seen: seenOfDrain(drain),
    acts: [],
  };
}

function doneAt({ phase, moved, waiting, underWay }: DrainView, startedAt: string | undefined, now: number) {
  if (phase !== 'Draining' || moved === 0 || startedAt === undefined) return null;
  const each = (now - Date.parse(startedAt)) / moved;
  return new Date(now + each * (waiting + underWay)).toISOString();
}

function actsOn({ site, phase, isOver }: DrainLine, { spec }: Drain, may: DashboardFacts['may']): Sheet[] {
  const acts: Sheet[] = [];
  if (!isOver && !spec.dryRun && may('patch', 'drains', null))
    acts.push(drainActSheet(spec.paused ? 'resume-drain' : 'pause-drain', site));
  if (may('delete', 'drains', null) && (phase !== null || !spec.dryRun))
    acts.push(drainActSheet('stop-drain', site));
  return acts;
}
