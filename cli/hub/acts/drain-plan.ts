// Asks the hub what a drain would do.
import type { Drain, DrainSpec } from '../../../crds/drain/drain.ts';
import type { DrainView } from '../../explain/drain.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { drainView } from '../objects/drains.ts';
import { awaitAnswer, withDryRun } from './dry-run.ts';

/** How long a plan of many Capps may take, in milliseconds. */
const WITHIN_MS = 120_000;
const LASTS_S = 300;

/** Throws as `withDryRun` does, and CommandFailure where nobody answers. */
export function planDrain(
  hub: ConnectedHub,
  site: string,
  spec: Partial<DrainSpec>,
  signal: AbortSignal,
): Promise<DrainView> {
  return withDryRun(hub, { site, spec, lastsSeconds: LASTS_S }, () => awaitPlan(hub, site, signal));
}

/** What the dry run of that name says once it is ready. Throws CommandFailure when nobody answers. */
export function awaitPlan(hub: ConnectedHub, name: string, signal: AbortSignal): Promise<DrainView> {
  const awaited = {
    read: (drain: Drain) => {
      const view = drainView(drain);
      return view.isOver ? view : undefined;
    },
    withinMs: WITHIN_MS,
    onDeleted: `Somebody deleted Drain ${name} before the plan was ready. Ask for the plan again.`,
    onLate: 'The hub did not answer the plan within two minutes. See why: kubectl capp doctor.',
  };
  return awaitAnswer(hub, name, awaited, signal);
}
