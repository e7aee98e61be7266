// What there is to say of a Drain, from its status. Pure.
import type { DrainPhase } from '../../crds/drain/status.ts';
import type { Drain } from '../../crds/drain/drain.ts';
import { stayAdvice } from './reasons/stay.ts';

export interface DrainView {
  readonly site: string;
  /** Null before the hub has looked at the drain that it asks for. */
  readonly phase: DrainPhase | null;
  /** The hub has looked at the newest generation. */
  readonly isHeeded: boolean;
  /** Nothing more is done for this generation. */
  readonly isOver: boolean;
  readonly requestedBy: string | null;
  readonly reason: string | null;
  /** RFC 3339: when the hub last found out what this says. */
  readonly reportedAt: string | null;
  readonly waiting: number;
  readonly underWay: number;
  readonly moved: number;
  readonly stayed: number;
  readonly targets: readonly { readonly site: string; readonly capps: number }[];
  /** Capps on their way, then those that wait; in a dry run those that would go first. 50 at most. */
  readonly going: readonly { readonly capp: string; readonly site: string }[];
  readonly reasons: readonly { readonly reason: string; readonly capps: number }[];
  /** 50 at most, the rarest reasons first. */
  readonly stays: readonly ExplainedStay[];
}

export interface ExplainedStay {
  readonly capp: string;
  readonly reason: string;
  readonly remedy: string;
}

/** `isOver`: nothing more is done for this generation of the Drain. */
export function viewOf({ metadata, spec, status = {} }: Drain, isOver: boolean): DrainView {
  const { waiting = 0, underWay = 0, moved = 0, stayed = 0, targets = [], reasons = [] } = status;
  return {
    site: metadata.name,
    // What a dry run said is no news of the drain that has been ordered since.
    phase: status.phase === undefined || (status.phase === 'Planned' && !spec.dryRun) ? null : status.phase,
    isHeeded: status.observedGeneration === metadata.generation,
    isOver,
    requestedBy: status.requestedBy ?? null,
    reason: spec.reason ?? null,
    reportedAt: status.reportedAt ?? null,
    waiting,
    underWay,
    moved,
    stayed,
    targets,
    going: status.going ?? [],
    reasons,
    stays: (status.stays ?? []).map((stay) => ({
      ...stay,
      remedy: stayAdvice(stay.reason, { capp: stay.capp, site: metadata.name }),
    })),
  };
}

/**
 * From 0 to 1: of the Capps that go, those that have gone. A drain with nobody to move is at 1 when it is
 * over.
 */
export function shareOf({ moved, underWay, waiting, isOver }: DrainView): number {
  const all = moved + underWay + waiting;
  return all === 0 ? Number(isOver) : moved / all;
}
