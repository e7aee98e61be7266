// One score of one site: its agent measures, the hub publishes. A Schedule starts it again and again; it keeps nothing from run to run.
import { isFailed } from './failed.ts';
import type { Measured } from './measured.ts';
import { agentMeasure, publication } from './proxies.ts';

export interface ScoreOrder {
  readonly cluster: string;
  /** How often the Schedule runs: what is published is valid for several of these. */
  readonly intervalSeconds: number;
}

export interface ScoreReport {
  readonly agent: 'Answered' | 'Silent';
  /** AddOnPlacementScores that were written; none when nothing worth a write has changed. */
  readonly written: readonly string[];
}

/** An agent that is away is a result. Fails when the hub could not be written to: the next run tries again. */
export async function score({ cluster, intervalSeconds }: ScoreOrder): Promise<ScoreReport> {
  const measured = await measure(cluster);
  const { written } = await publication('Publish the score').publishScore(cluster, measured, intervalSeconds);
  return { agent: measured === null ? 'Silent' : 'Answered', written };
}

async function measure(cluster: string): Promise<Measured | null> {
  try {
    return await agentMeasure(cluster, `Measure ${cluster}`).measure();
  } catch (error) {
    if (isFailed(error)) return null;
    throw error;
  }
}
