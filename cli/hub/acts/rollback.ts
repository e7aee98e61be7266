// A person's edit back to an earlier spec of a Capp: which revision it would be, what that changes, and the
// request for it.
import { randomUUID } from 'node:crypto';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { numberOf, type CappRevision } from '../../../crds/capp-revision.ts';
import { ROLLBACK } from '../../../crds/labels.ts';
import { retryOnConflict } from '../../../kube/failure.ts';
import { containsAll } from '../../../kube/resource.ts';
import { changesBetween } from '../../explain/changes.ts';
import { CommandFailure } from '../../exit.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { annotateAsRead } from '../write/annotate.ts';
import { revisionsOf } from '../objects/revisions.ts';

export interface WantedRollback {
  /** The number of the revision. */
  readonly to: number;
  /** Fields that would change, as a person would write their paths; empty where the Capp is so already. */
  readonly changes: readonly string[];
  readonly spec: unknown;
}

/**
 * `to` is the number of a revision; null for the last one with another spec. Throws CommandFailure if there
 * is none, and ApiError.
 */
export async function rollbackOf(hub: ConnectedHub, capp: Capp, to: number | null): Promise<WantedRollback> {
  const target = targetOf(capp, await revisionsOf(hub, capp), to);
  const spec = target.spec?.cappTemplate.cappSpec;
  return { to: numberOf(target), changes: changesBetween(capp.spec, spec), spec };
}

/**
 * Asks exactly the Capp that was read, with the spec that it had, and gives it as it is after that. Each call
 * asks anew. Throws a Conflict where it was edited since; CommandFailure for a reason that is no line, and
 * where the hub's webhook did not act; and ApiError.
 */
export async function askToRollBack(
  hub: ConnectedHub,
  capp: Capp,
  { to, spec }: WantedRollback,
  reason: string | undefined,
): Promise<Capp> {
  const request = { [ROLLBACK]: requestFor(to, reason) };
  // The webhook puts in the whole spec: an edit that came since would be lost, and nobody has seen it.
  const after = await retryOnConflict(async (tries) => {
    const same = tries === 1 ? capp : await sameSpec(hub, capp);
    return annotateAsRead(hub, CAPP, same, request);
  });
  if (containsAll(after.spec, spec)) return after;
  throw new CommandFailure(
    'failed',
    "Nothing was rolled back: the hub's webhook did not act on the request. Whoever runs the hub should look at it: kubectl capp doctor.",
  );
}

/** With a status that has changed since it was read; as it was read where more has, which is a Conflict. */
async function sameSpec({ kube }: ConnectedHub, capp: Capp): Promise<Capp> {
  const { namespace = null, name, uid, generation } = capp.metadata;
  const now = await kube.get<Capp>(CAPP, { namespace, name });
  const isSame = now?.metadata.uid === uid && now?.metadata.generation === generation;
  return isSame && now !== null ? now : capp;
}

function targetOf(
  { spec, metadata: { name, namespace, generation = 0 } }: Capp,
  revisions: readonly CappRevision[],
  to: number | null,
): CappRevision {
  const earlier = revisions.filter((one) => numberOf(one) < generation);
  const found =
    to === null
      ? earlier.find((one) => changesBetween(spec, one.spec?.cappTemplate.cappSpec).length > 0)
      : revisions.find((one) => numberOf(one) === to);
  if (found !== undefined) return found;
  const numbers = revisions.map(numberOf).join(', ');
  const what = to === null ? 'no earlier revision with another spec' : `no revision ${to}`;
  const noun = revisions.length > 1 ? 'revisions' : 'revision';
  const kept = numbers === '' ? 'The hub keeps none of it' : `The hub keeps ${noun} ${numbers}`;
  throw new CommandFailure(
    'notFound',
    `There is ${what} of ${namespace}/${name}. ${kept}: kubectl capp history ${name} -n ${namespace}.`,
  );
}

/** Throws CommandFailure for a reason that cannot be written into an annotation's line. */
function requestFor(to: number, reason: string | undefined): string {
  const id = randomUUID().slice(0, 8);
  if (reason === undefined || reason === '') return `${to}#${id}`;
  if (reason.length > 256 || /[\r\n]/.test(reason))
    throw new CommandFailure('usage', 'A reason is one line of at most 256 characters: shorten it.');
  return `${to}#${id} ${reason}`;
}
