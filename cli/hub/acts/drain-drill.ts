// Asks the hub for a drill of a site: by a dry run that rehearses.
import type { Drain } from '../../../crds/drain/drain.ts';
import { drillView, type DrillView } from '../../explain/drill.ts';
import { CommandFailure } from '../../exit.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { drainView } from '../objects/drains.ts';
import { awaitAnswer, withDryRun } from './dry-run.ts';

/** How long a drill of a thousand Capps may take, in milliseconds. */
const WITHIN_MS = 600_000;
const LASTS_S = 900;

/**
 * However it ends, the Drain is deleted, which ends the drill. Throws as `withDryRun` does, and
 * CommandFailure where none answers, and where the hub knows no drills.
 */
export function drillSite(hub: ConnectedHub, site: string, signal: AbortSignal): Promise<DrillView> {
  const dryRun = { site, spec: { rehearse: true }, lastsSeconds: LASTS_S };
  return withDryRun(hub, dryRun, async (made) => {
    // An API server leaves out what its CRD does not have.
    if ((made.spec as Partial<Drain['spec']>).rehearse !== true)
      throw new CommandFailure(
        'failed',
        `The hub at ${hub.server} knows no drills: upgrade Cappstan there. What a drain would do it says: kubectl capp plan ${site}.`,
      );
    return awaitDrill(hub, site, signal);
  });
}

/** Throws CommandFailure when nobody answers. */
export function awaitDrill(hub: ConnectedHub, name: string, signal: AbortSignal): Promise<DrillView> {
  const awaited = {
    read: (drain: Drain) => drillView(drain, drainView(drain)) ?? undefined,
    withinMs: WITHIN_MS,
    onDeleted: `Somebody deleted Drain ${name} before the drill was over. Ask for the drill again.`,
    onLate: 'The drill was not over within ten minutes. See why: kubectl capp doctor.',
  };
  return awaitAnswer(hub, name, awaited, signal);
}
