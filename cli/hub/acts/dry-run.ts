// Asks the hub something by a Drain that is a dry run, and is taken away again.
import { DRAIN, type Drain, type DrainSpec } from '../../../crds/drain/drain.ts';
import { isAlreadyExists } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { CommandFailure } from '../../exit.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { follow } from '../follow/follow.ts';
import { createDrain, deleteAnswer } from '../objects/drains.ts';

export interface DrainDryRun {
  readonly site: string;
  readonly spec: Partial<DrainSpec>;
  /** When the hub deletes the Drain of a command that was killed. */
  readonly lastsSeconds: number;
}

/**
 * However it ends, the dry run is deleted: by the hub where this process is killed. A drain that somebody
 * has made of it stays. Throws CommandFailure where there is a Drain already; ApiError where the person may
 * not create one; and what `answer` throws, which gets the Drain as it was made.
 */
export async function withDryRun<V>(
  hub: ConnectedHub,
  { site, spec, lastsSeconds }: DrainDryRun,
  answer: (made: Drain) => Promise<V>,
): Promise<V> {
  const made = await createDrain(hub, site, { ...spec, dryRun: true }, lastsSeconds).catch(
    (error: unknown) => {
      throw isAlreadyExists(error) ? underWay(site) : error;
    },
  );
  try {
    return await answer(made);
  } finally {
    await deleteAnswer(hub, made);
  }
}

export interface DryRunAnswer<V> {
  /** Undefined until the status has the answer. */
  readonly read: (drain: Drain) => V | undefined;
  readonly withinMs: number;
  /** What somebody who deletes it takes away, in a sentence. */
  readonly onDeleted: string;
  /** What does not come within that time, in a sentence. */
  readonly onLate: string;
}

/** What the dry run of that name says once it has an answer. Throws CommandFailure when nobody answers. */
export async function awaitAnswer<V extends object>(
  hub: ConnectedHub,
  name: string,
  { read, withinMs, onDeleted, onLate }: DryRunAnswer<V>,
  signal: AbortSignal,
): Promise<V> {
  const look = (found: KubeObject | null): V | 'gone' | 'drain' | undefined => {
    if (found === null) return 'gone';
    const drain = found as Drain;
    return drain.spec.dryRun ? read(drain) : 'drain';
  };
  const found = await follow(hub, { resource: DRAIN, namespace: null, name }, look, { withinMs, signal });
  if (found === 'gone') throw new CommandFailure('failed', onDeleted);
  if (found === 'drain') throw becameDrain(name);
  if (found === null && signal.aborted)
    throw new CommandFailure('interrupted', 'Interrupted. Nothing was changed.');
  if (found === null) throw new CommandFailure('notSo', onLate);
  return found;
}

export function underWay(site: string): CommandFailure {
  return new CommandFailure(
    'failed',
    `There is a Drain ${site}, and a dry run would end it. See how far it is: kubectl capp drain ${site}.`,
  );
}

/** Somebody has made a drain of the dry run that is awaited. */
function becameDrain(site: string): CommandFailure {
  return new CommandFailure(
    'failed',
    `Somebody has begun to drain ${site} meanwhile, and that goes on. See how far it is: kubectl capp drain ${site}.`,
  );
}
