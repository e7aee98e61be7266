// Asks the hub what a drain would do: by a Drain that is a dry run and is taken away again.
import { DRAIN, type Drain, type DrainSpec } from '../../../crds/drain/drain.ts';
import { isAlreadyExists } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { CommandFailure } from '../../exit.ts';
import type { DrainView } from '../../explain/drain.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { createDrain, deleteAnswer, drainView } from '../objects/drains.ts';
import { follow } from '../follow/follow.ts';

/** How long a plan of many Capps may take, in milliseconds. */
const WITHIN_MS = 120_000;

/** When the hub deletes the Drain of a command that was killed. */
const LASTS_S = 300;

/**
 * However it ends, the dry run is deleted: by the hub where this process is killed. A drain that somebody
 * has made of it stays. Throws CommandFailure where there is a Drain already, and where none answers;
 * ApiError where the person may not create one.
 */
export async function planDrain(
  hub: ConnectedHub,
  site: string,
  spec: Partial<DrainSpec>,
  signal: AbortSignal,
): Promise<DrainView> {
  const made = await createDrain(hub, site, { ...spec, dryRun: true }, LASTS_S).catch((error: unknown) => {
    throw isAlreadyExists(error) ? underWay(site) : error;
  });
  try {
    return await awaitPlan(hub, site, signal);
  } finally {
    await deleteAnswer(hub, made);
  }
}

export function underWay(site: string): CommandFailure {
  return new CommandFailure(
    'failed',
    `There is a Drain ${site}, and a dry run would end it. See how far it is: kubectl capp drain ${site}.`,
  );
}

/** Somebody has made a drain of the dry run that is awaited. */
export function becameDrain(site: string): CommandFailure {
  return new CommandFailure(
    'failed',
    `Somebody has begun to drain ${site} meanwhile, and that goes on. See how far it is: kubectl capp drain ${site}.`,
  );
}

/** What the dry run of that name says once it is ready. Throws CommandFailure when nobody answers. */
export async function awaitPlan(hub: ConnectedHub, name: string, signal: AbortSignal): Promise<DrainView> {
  const look = (found: KubeObject | null): DrainView | 'gone' | 'drain' | undefined => {
    if (found === null) return 'gone';
    const drain = found as Drain;
    if (!drain.spec.dryRun) return 'drain';
    const view = drainView(drain);
    return view.isOver ? view : undefined;
  };
  const target = { resource: DRAIN, namespace: null, name };
  const found = await follow(hub, target, look, { withinMs: WITHIN_MS, signal });
  if (found === 'gone')
    throw new CommandFailure(
      'failed',
      `Somebody deleted Drain ${name} before the plan was ready. Ask for the plan again.`,
    );
  if (found === 'drain') throw becameDrain(name);
  if (found === null && signal.aborted)
    throw new CommandFailure('interrupted', 'Interrupted. Nothing was changed.');
  if (found === null)
    throw new CommandFailure(
      'notSo',
      'The hub did not answer the plan within two minutes. See why: kubectl capp doctor.',
    );
  return found;
}
