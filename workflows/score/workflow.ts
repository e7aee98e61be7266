// The workflow that measures and publishes the score of one site. A Schedule starts it; it keeps nothing
// between runs.
import { TemporalFailure } from '@temporalio/common';
import { inputOf } from '../engine/input.ts';
import { readMeasured } from '../parse/figures.ts';
import { readScoreOrder } from '../parse/start.ts';
import type { MeasuredSite, ScoreOrder } from './measured.ts';
import { countUnreadable } from '../engine/metrics.ts';
import { agentMeasure, publication } from '../engine/proxies.ts';

export interface ScoreReport {
  readonly agent: 'Answered' | 'Silent';
  /** AddOnPlacementScores that were written; empty when no change was worth a write. */
  readonly written: readonly string[];
}

/**
 * An agent that is silent, or whose answer cannot be read, is a result. Fails at once when it cannot read its
 * input, and when the hub could not be written to: the next run tries again.
 */
export async function score(order: ScoreOrder): Promise<ScoreReport> {
  const { cluster, intervalSeconds } = inputOf(() => readScoreOrder(order));
  const measured = await measure(cluster);
  const { written } = await publication('Publish the score').publishScore(cluster, measured, intervalSeconds);
  return { agent: measured === null ? 'Silent' : 'Answered', written };
}

async function measure(cluster: string): Promise<MeasuredSite | null> {
  const given: unknown = await agentMeasure(cluster, `Measure ${cluster}`).measure().catch(silent);
  if (given === SILENT) return null;
  const measured = readMeasured(given);
  if (measured === null) countUnreadable();
  return measured;
}

const SILENT = Symbol('silent');

/** Any failure of the agent counts, also a cancellation that nobody asked for. */
function silent(error: unknown): typeof SILENT {
  if (error instanceof TemporalFailure) return SILENT;
  throw error;
}
