// What a workflow remembers of a rollout, as the object's status has it: enough to go on after a loss of Temporal's data.
import type { RemovalStatus, RolloutFields } from '../../../crds/rollout/status.ts';
import type { ObjectMeta } from '../../../kube/resource.ts';
import type { Removal, RolloutMemory } from '../../../workflows/stages/memory.ts';
import type { Rollout } from '../../../workflows/stages/types.ts';

export interface Remembering {
  readonly metadata: Pick<ObjectMeta, 'uid'>;
  readonly status?: RolloutFields;
}

/**
 * What the workflow remembers of another object of the same name does not count. Of removals the status may know more: they are
 * noted there before they begin (`noteRemovals`), and the turn that began them may not have ended.
 */
export function memoryOf({ metadata, status }: Remembering, given: RolloutMemory | null): RolloutMemory {
  const { uid = '' } = metadata;
  const { rollout, removal = NO_REMOVAL, handled = {} } = status ?? {};
  const noted = { allowed: 0, ...removal, number: removal.number ?? null };
  if (given?.uid === uid) return withNoted(given, noted, handled.removal ?? '');
  return {
    uid,
    rollout: rollout === undefined ? null : rolloutFrom(rollout),
    leaving: null,
    removal: noted,
    refused: {},
    handled: { ...NOTHING_HANDLED, ...handled },
  };
}

/** `request` is the last one of a person that the status says has counted. */
function withNoted(given: RolloutMemory, noted: Removal, request: string): RolloutMemory {
  const isAllowedSince = request !== '' && request !== given.handled.removal;
  if (isAllowedSince) return { ...given, removal: noted, handled: { ...given.handled, removal: request } };
  const { since, count, allowed } = given.removal;
  if (noted.since < since) return given;
  const isLater = noted.since > since;
  const removal = {
    ...given.removal,
    since: noted.since,
    count: isLater ? noted.count : Math.max(count, noted.count),
    allowed: Math.min(allowed, noted.allowed),
  };
  return { ...given, removal };
}

const NO_REMOVAL: RemovalStatus = { since: 0, count: 0 };
const NOTHING_HANDLED = { approve: '', abort: '', retry: '', removal: '' } as const;

type Kept = Required<Pick<RolloutFields, 'rollout'>>['rollout'];

function rolloutFrom({ settled, before, cause, ...kept }: Kept): Rollout {
  return { ...kept, settled: settled ?? null, before: before ?? null, cause: cause ?? null };
}

/** The parts of the status that `memoryOf` reads. */
export function rememberedIn(memory: RolloutMemory): Pick<RolloutFields, 'rollout' | 'removal' | 'handled'> {
  const { rollout, removal, handled } = memory;
  const { since, count, allowed, number } = removal;
  const isCounting = count > 0 || allowed > 0 || number !== null;
  const said = Object.entries(handled).filter(([, value]) => value !== '');
  return {
    ...(rollout === null ? {} : { rollout: rolloutTo(rollout) }),
    ...(isCounting
      ? {
          removal: {
            since,
            count,
            ...(allowed === 0 ? {} : { allowed }),
            ...(number === null ? {} : { number }),
          },
        }
      : {}),
    ...(said.length === 0 ? {} : { handled: Object.fromEntries(said) }),
  };
}

function rolloutTo({ settled, before, cause, ...kept }: Rollout): Kept {
  return {
    ...(structuredClone(kept) as Omit<Kept, 'settled' | 'before' | 'cause'>),
    ...(settled === null ? {} : { settled }),
    ...(before === null ? {} : { before }),
    ...(cause === null ? {} : { cause }),
  };
}
