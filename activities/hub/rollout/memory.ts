// What a workflow remembers of a rollout, as the object's status has it: enough to go on after a loss of
// Temporal's data.
import { digestOf } from '../../../crds/digest.ts';
import type { RemovalStatus, RolloutFields } from '../../../crds/rollout/status.ts';
import { isShort, knownAs } from '../../../crds/rollout/revision.ts';
import type { ObjectMeta } from '../../../kube/resource.ts';
import type { RemovalMemory, RolloutMemory } from '../../../workflows/stages/memory.ts';
import type { Rollout } from '../../../workflows/stages/types.ts';
import { countIn } from './removing/removal-count.ts';

export interface Remembering {
  readonly metadata: Pick<ObjectMeta, 'uid'>;
  readonly status?: RolloutFields;
}

/**
 * The status is what counts: each turn writes it, what is about to be removed is in it before it goes
 * (`noteRemovals`), and nobody but the hub writes it. Of what the workflow says, which somebody else may have
 * written, only that counts which frees nothing: since when sites have been unselected, what was refused, and
 * which removals come last.
 * What it remembers of another object of the same name does not count.
 */
export function memoryOf({ metadata, status }: Remembering, given: RolloutMemory | null): RolloutMemory {
  const { uid = '' } = metadata;
  const { rollout, removal = {}, handled = {} } = status ?? {};
  const own = given?.uid === uid ? given : null;
  return {
    uid,
    rollout: rollout === undefined ? null : rolloutFrom(rollout),
    leaving: own?.leaving ?? null,
    ...(own?.stuck === undefined ? {} : { stuck: own.stuck }),
    removal: removalFrom(removal),
    refused: own?.refused ?? {},
    handled: { ...NOTHING_HANDLED, ...handled },
  };
}

/**
 * Earlier versions counted in one sum, and did not note which sites were approved: such an approval counts no
 * more.
 */
function removalFrom({ since = 0, count = 0, ...known }: Partial<RemovalStatus>): RemovalMemory {
  const { recent, approved = null, number = null, placement = null, lowered = 0 } = known;
  return {
    recent: recent ?? (count === 0 ? [] : [{ minute: since, count }]),
    allowed: approved === null ? 0 : (known.allowed ?? 0),
    approved,
    number,
    placement,
    lowered,
  };
}

const NOTHING_HANDLED = { approve: '', abort: '', retry: '', removal: '' } as const;

type Kept = Required<Pick<RolloutFields, 'rollout'>>['rollout'];

function rolloutFrom({ settled, before, cause, retries = {}, ...kept }: Kept): Rollout {
  return { ...kept, retries, settled: settled ?? null, before: before ?? null, cause: cause ?? null };
}

/** The parts of the status that `memoryOf` reads. `before`: the status as it was read. */
export function rememberedIn(
  memory: RolloutMemory,
  before: Pick<RolloutFields, 'rollout'> = {},
): Pick<RolloutFields, 'rollout' | 'removal' | 'handled'> {
  const { rollout, removal, handled } = memory;
  const said = Object.entries(handled).filter(([, value]) => value !== '');
  const kept = removalTo(removal);
  return {
    ...(rollout === null ? {} : { rollout: rolloutTo(rollout, before.rollout?.retries ?? {}) }),
    ...(kept === null ? {} : { removal: kept }),
    ...(said.length === 0 ? {} : { handled: Object.fromEntries(said) }),
  };
}

/** Null if there is nothing to remember. */
function removalTo({
  recent,
  allowed,
  approved,
  number,
  placement,
  lowered,
}: RemovalMemory): RemovalStatus | null {
  const count = countIn(recent);
  if (count === 0 && approved === null && number === null) return null;
  return {
    since: recent.at(-1)?.minute ?? 0,
    count,
    ...(recent.length === 0 ? {} : { recent: recent.map((one) => ({ ...one })) }),
    ...(allowed === 0 ? {} : { allowed }),
    ...(approved === null ? {} : { approved }),
    ...(number === null ? {} : { number }),
    ...(placement === null ? {} : { placement }),
    ...(lowered === 0 ? {} : { lowered }),
  };
}

/**
 * The write that ends retries says nothing of them: an API server makes null of a map that an applier
 * empties, and refuses the status for that (kube/http/emptied.ts). The next one has the empty map again,
 * which earlier hubs need: they read no status without it (docs/decisions/0121).
 */
function rolloutTo({ settled, before, cause, retries, ...kept }: Rollout, read: Rollout['retries']): Kept {
  const isEnding = Object.keys(retries).length === 0 && Object.keys(read).length > 0;
  return {
    ...(kept as Omit<Kept, 'settled' | 'before' | 'cause' | 'retries'>),
    ...(isEnding ? {} : { retries }),
    ...(settled === null ? {} : { settled }),
    ...(before === null ? {} : { before }),
    ...(cause === null ? {} : { cause }),
  };
}

/**
 * How a person names the sites that are to go now, of exactly this object: what was allowed of one, and
 * stands in its manifest, lets nothing of another go. Empty if none is to go.
 */
export function heldSetOf({ uid, leaving }: Pick<RolloutMemory, 'uid' | 'leaving'>): string {
  return leaving === null ? '' : digestOf(`${uid} ${leaving.digest}`, 10);
}

/** Those of its revisions that have a short name, as an earlier version gave them. */
export function shortIn(rollout: Rollout | null): string[] {
  return rollout === null ? [] : namesIn(rollout).filter(isShort);
}

/** All revisions that it names. */
export function namesIn({ revision, settled, before, halfway }: Rollout): string[] {
  return [revision, settled, before, ...halfway].filter((one) => one !== null);
}

/** The same rollout with whole names, where they are known; the same object if nothing has another name. */
export function withWholeNames(rollout: Rollout | null, known: readonly string[]): Rollout | null {
  if (rollout === null || shortIn(rollout).every((one) => knownAs(one, known) === one)) return rollout;
  const { revision, settled, before, halfway } = rollout;
  const whole = (one: string): string => knownAs(one, known);
  return {
    ...rollout,
    revision: whole(revision),
    settled: settled === null ? null : whole(settled),
    before: before === null ? null : whole(before),
    halfway: halfway.map(whole),
  };
}
