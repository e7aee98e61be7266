// Signals, Updates and queries of a Capp's workflow. Handlers only record; the loop acts.
import { ApplicationFailure } from '@temporalio/common';
import { withRing, afterRing } from './after/rings.ts';
import { permitted, requested } from './after/moving/moved.ts';
import { toldToLeave } from './after/drains.ts';
import { Failure } from '../failures.ts';
import { readRing } from '../parse/ring.ts';
import { readLeave, readPermit } from '../parse/turns.ts';
import { noteChanges } from './changes.ts';
import type { CappLife } from './life.ts';
import * as messages from '../messages.ts';
import type { Request } from '../types/moves.ts';
import { rungFor, type Ring } from '../types/ring.ts';
import type { State } from './state.ts';
import { takeReadable } from './unreadable.ts';
import { readMoveRequest, type ReadMoveRequest, type ParsedMoveRequest } from '../parse/move-request.ts';

export function handle(life: CappLife): void {
  const { handle: on, now } = life.runtime;
  on(messages.ring, (given) => takeReadable(life, readRing(given), (ring) => rung(life, ring)), {
    description: 'Look at the Capp again: {"causes":["spec"],"minimumVersions":{}}',
  });
  on(
    messages.permit,
    (given) =>
      takeReadable(
        life,
        readPermit(given),
        (permit) => void (life.state = permitted(life.state, permit, now())),
      ),
    {
      description:
        'A drain gives or withholds the turn to leave its cluster: {"cluster":"site-1","answer":"Go"}',
    },
  );
  on(
    messages.leave,
    (given) =>
      takeReadable(
        life,
        readLeave(given),
        (order) => void (life.state = toldToLeave(life.state, order, now())),
      ),
    {
      description: 'A drain that a person began tells the Capp to leave its cluster',
    },
  );
  on(
    messages.migrate,
    (given) => takeReadable(life, readable(given), (read) => void ask(life, read, 'signal')),
    {
      description: 'Move: {"to":"site-2","by":"you","why":"…"}; without "to" to the best other site',
    },
  );
  on(messages.move, (given) => untilMoved(life, given), {
    description: 'Move, and answer when it is done or say why not: {"to":"site-2","by":"you"}',
    validator: (given) => void readMoveRequest(given),
  });
  on(messages.view, () => life.state, { description: 'The whole state of the workflow' });
}

function rung(life: CappLife, ring: Ring): void {
  life.state = afterRing(life.state, ring);
  noteChanges(life, life.state);
}

function ask(life: CappLife, read: ReadMoveRequest, source: Request['source']): Request {
  const request: Request = { ...read, source, id: `${source}-${life.state.ringsHeard + 1}`, force: false };
  life.state = withRing(requested(life.state, request), rungFor('request'));
  return request;
}

function readable(given: ParsedMoveRequest): ReadMoveRequest | null {
  try {
    return readMoveRequest(given);
  } catch {
    return null;
  }
}

/** Returns the outcome of the move. Throws when the request is refused, or the move has failed. */
async function untilMoved(life: CappLife, given: ParsedMoveRequest): Promise<messages.Moved> {
  const read = readable(given);
  if (read === null) throw refused('the request cannot be read');
  const request = ask(life, read, 'update');
  await life.runtime.until(() => isOver(life, request) || life.isContinuing);
  if (!isOver(life, request))
    throw refused(
      'the request goes on in the next run of the workflow: condition Migrating shows its progress',
    );
  return outcomeOf(life, request);
}

function isOver({ state, ended }: CappLife, { id }: Request): boolean {
  const isRefused = state.handled?.id === id && state.handled.outcome === 'Refused';
  return ended || state.retiring || isRefused || state.lastMove?.request === id || !isUnderWay(state, id);
}

/** The request was neither refused nor carried out, and no other request replaced it. */
function isUnderWay({ request, leave, move }: State, id: string): boolean {
  return [request, leave?.request, move?.request].some((one) => one?.id === id);
}

function outcomeOf({ state }: CappLife, { id }: Request): messages.Moved {
  const { handled, lastMove } = state;
  if (handled?.id === id && handled.outcome === 'Refused')
    throw refused(`${handled.reason}: ${handled.message}`);
  if (lastMove?.request === id && lastMove.result === 'Moved')
    return { from: lastMove.from, to: lastMove.to };
  if (lastMove?.request === id)
    throw refused(
      `${lastMove.to} was not Ready in time, or was given up; the Capp stays on ${state.serving ?? 'no site'}`,
    );
  throw refused(state.retiring ? 'the Capp is being deleted' : 'another request replaced it');
}

function refused(message: string): ApplicationFailure {
  return ApplicationFailure.create({ type: Failure.Invalid, message, nonRetryable: true });
}
