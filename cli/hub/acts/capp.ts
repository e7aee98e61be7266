// What a person may ask of one Capp: each act writes the annotation that asks for it.
import { randomUUID } from 'node:crypto';
import type { Capp } from '../../../crds/capp/capp.ts';
import { parseMoveRequest } from '../../../crds/capp/requests.ts';
import { FORCE, MIGRATE, PAUSED } from '../../../crds/labels.ts';
import type { MoveAsked } from '../../explain/capp/answer.ts';
import { isPaused, setNameOf } from '../../explain/capp/phase.ts';
import { CommandFailure } from '../../exit.ts';
import { annotate } from '../objects/capps.ts';
import type { ConnectedHub } from '../connection/hub.ts';

/**
 * Each call asks anew. `to` is null for the best other site. Throws CommandFailure for what cannot be written
 * as a request.
 */
export function moveRequest(capp: Capp, to: string | null, isForced: boolean): MoveAsked {
  const { metadata, spec, status } = capp;
  const set = setNameOf(capp);
  if (set !== null)
    throw new CommandFailure(
      'failed',
      `CappSet ${set} keeps ${metadata.name} on ${spec.site ?? 'its site'}, so it does not move. To run it elsewhere, change which sites the set has: kubectl -n ${metadata.namespace} edit cappset ${set}.`,
    );
  const id = randomUUID().slice(0, 8);
  if (isForced && to === null)
    throw new CommandFailure('usage', 'Name the site with --force: kubectl capp move <capp> <site> --force.');
  if (parseMoveRequest(`${to ?? ''}#${id}`) === null)
    throw new CommandFailure('usage', `"${to}" is no name of a site: kubectl capp sites lists them.`);
  const lastEndedAt = status?.migration?.lastMove?.endedAt ?? null;
  return { source: isForced ? 'force' : 'migrate', id, to, lastEndedAt };
}

/** Asks exactly the Capp that was read; a repeat changes nothing. Throws ApiError. */
export async function askToMove(hub: ConnectedHub, capp: Capp, { source, to, id }: MoveAsked): Promise<void> {
  await annotate(hub, capp, { [source === 'force' ? FORCE : MIGRATE]: `${to ?? ''}#${id}` });
}

/** False if it is so already, and then nothing is written. Throws ApiError. */
export async function setPaused(hub: ConnectedHub, capp: Capp, wanted: boolean): Promise<boolean> {
  if (isPaused(capp, PAUSED) === wanted) return false;
  await annotate(hub, capp, { [PAUSED]: wanted ? 'true' : null });
  return true;
}
