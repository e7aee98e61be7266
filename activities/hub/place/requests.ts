// Requests by annotation, and which of them the status says were answered. What was answered once does
// nothing twice, so nothing that a state says makes a request new again.
import type { Capp } from '../../../crds/capp/capp.ts';
import { parseMoveRequest, type MoveRequest } from '../../../crds/capp/requests.ts';
import { FORCE, MIGRATE } from '../../../crds/labels.ts';
import type { State } from '../../../workflows/capp/state.ts';
import type { Annotated } from '../../../workflows/types/moves.ts';

const ANNOTATIONS = { migrate: MIGRATE, force: FORCE } as const;

type Source = keyof Annotated;

/** Null if nothing is asked by that annotation. */
export function requestIn({ metadata }: Pick<Capp, 'metadata'>, source: Source): MoveRequest | null {
  return parseMoveRequest(metadata.annotations?.[ANNOTATIONS[source]]);
}

/** The ids of those that were answered last, by the status. */
export function handledIn({ status }: Pick<Capp, 'status'>): Annotated {
  const { handledRequest, handledForce } = status?.migration ?? {};
  return { migrate: handledRequest ?? null, force: handledForce ?? null };
}

/**
 * What the status may say of a state's answers, by the Capp as it was read. `told` is the state as it may be
 * published. A request counts as answered once its move is shown, or there is none: until then it is what
 * allows the move.
 */
export function answersTold(capp: Capp, state: State, told: State): Annotated {
  const handled = handledIn(capp);
  const pending = [state.request, state.leave?.request, told.move === null ? state.move?.request : null];
  const idOf = (source: Source): string | null => {
    const [known, id] = [handled[source], state.annotated[source]];
    const isStanding = known !== null && requestIn(capp, source)?.id === known;
    const isPending = pending.some((one) => one?.source === source && one.id === id);
    return isStanding || isPending ? known : id;
  };
  return { migrate: idOf('migrate'), force: idOf('force') };
}
