// Asks the hub for a drill of a site: by a Drain that is a dry run and rehearses, and is taken away again.
import { DRAIN, type Drain } from '../../../crds/drain/drain.ts';
import { isAlreadyExists } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { drillView, type DrillView } from '../../explain/drill.ts';
import { CommandFailure } from '../../exit.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { createDrain, deleteAnswer, drainView } from '../objects/drains.ts';
import { follow } from '../follow/follow.ts';
import { becameDrain, underWay } from './drain-plan.ts';

/** How long a drill of a thousand Capps may take, in milliseconds. */
const WITHIN_MS = 600_000;

/** When the hub deletes the Drain of a command that was killed. */
const LASTS_S = 900;

/**
 * However it ends, the Drain is deleted, which ends the drill: by the hub where this process is killed. A
 * drain that somebody has made of it stays. Throws CommandFailure where there is a Drain already, where none
 * answers, and where the hub knows no drills; ApiError where the person may not create one.
 */
export async function drillSite(hub: ConnectedHub, site: string, signal: AbortSignal): Promise<DrillView> {
  const made = await createDrain(hub, site, { dryRun: true, rehearse: true }, LASTS_S).catch(
    (error: unknown) => {
      throw isAlreadyExists(error) ? underWay(site) : error;
    },
  );
  try {
    // An API server leaves out what its CRD does not have.
    if ((made.spec as Partial<Drain['spec']>).rehearse !== true)
      throw new CommandFailure(
        'failed',
        `The hub at ${hub.server} knows no drills: upgrade Cappstan there. What a drain would do it says: kubectl capp plan ${site}.`,
      );
    return await awaitDrill(hub, site, signal);
  } finally {
    await deleteAnswer(hub, made);
  }
}

/** Throws CommandFailure when nobody answers. */
export async function awaitDrill(hub: ConnectedHub, name: string, signal: AbortSignal): Promise<DrillView> {
  const look = (found: KubeObject | null): DrillView | 'gone' | 'drain' | undefined => {
    if (found === null) return 'gone';
    const drain = found as Drain;
    if (!drain.spec.dryRun) return 'drain';
    return drillView(drain, drainView(drain)) ?? undefined;
  };
  const target = { resource: DRAIN, namespace: null, name };
  const found = await follow(hub, target, look, { withinMs: WITHIN_MS, signal });
  if (found === 'gone')
    throw new CommandFailure(
      'failed',
      `Somebody deleted Drain ${name} before the drill was over. Ask for the drill again.`,
    );
  if (found === 'drain') throw becameDrain(name);
  if (found === null && signal.aborted)
    throw new CommandFailure('interrupted', 'Interrupted. Nothing was changed.');
  if (found === null)
    throw new CommandFailure(
      'notSo',
      'The drill was not over within ten minutes. See why: kubectl capp doctor.',
    );
  return found;
}
