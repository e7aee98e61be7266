// What a Capp of a set says of itself: which revision it has, how it runs as it was written, and from when on
// its status counts. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import { knownAs } from '../../../crds/rollout/revision.ts';
import { writtenOf } from '../../../crds/set/child.ts';
import type { Target } from '../../../workflows/stages/types.ts';
import { againFor, givenAt, isAhead } from '../rollout/ahead.ts';
import type { Judging } from '../rollout/look.ts';
import { HUB_TIMES } from '../times.ts';
import type { SelectedSite } from './selected.ts';
import { verificationOf } from './verification.ts';
import type { WantedContent } from './wanted.ts';

/** Waiting does not help: the revision itself must change, or what it refers to. */
const FAULTS: ReadonlySet<string> = new Set([
  'HostnameClosed',
  'HostnameTaken',
  'ImageNeverReady',
  'MissingReference',
  'NamespaceClosed',
  'NamespaceReserved',
  'NotOurs',
  'OtherHub',
  'PinRefused',
  'Refused',
  'Rejected',
  'RolloutFailed',
  'TooLarge',
  'TooManyReferences',
]);

/** Nobody can say how the Capp is. */
const UNSEEN: ReadonlySet<string> = new Set(['SiteUnreachable', 'AgentSilent']);

/** The names of revisions that a rollout knows. */
type Named = Pick<Judging, 'revision' | 'others'>;

/** What a look knows beside the Capp. */
export interface About extends Pick<Judging, 'revision' | 'others' | 'now'> {
  readonly site: Pick<SelectedSite, 'reachable' | 'lostSince'>;
}

/** What the rollout calls the revision that a Capp was written with. */
export function nameIn({ revision, others = [] }: Named, written: string): string {
  return knownAs(written, [revision, ...others]);
}

type Observed = Pick<
  Target,
  | 'revision'
  | 'verdict'
  | 'since'
  | 'writtenAt'
  | 'isStale'
  | 'isMisdated'
  | 'isDisabled'
  | 'isUnseen'
  | 'leavingSince'
  | 'verification'
>;

/**
 * A Capp whose content no longer fits its site runs on, and is to be written again, stage by stage. So is one
 * that says that it was written at a time that is yet to come; but where only its time is wrong, that changes
 * nothing on its site, and asks nobody.
 */
export function observed(child: Capp | null, wanted: WantedContent, about: About): Observed {
  const nothing = { revision: null, verdict: 'Progressing', since: 0 } as const;
  if (child === null) return nothing;
  const { deletionTimestamp } = child.metadata;
  if (deletionTimestamp !== undefined) return { ...nothing, leavingSince: Date.parse(deletionTimestamp) };
  const written = writtenOf(child.metadata);
  if (written === null) return nothing;
  const has = nameIn(about, written.revision);
  const at = writtenAt(written.at, about);
  const isFit = has !== about.revision || wanted.content === written.content;
  const found = {
    revision: has,
    writtenAt: at,
    ...againFor(!isFit, written.at, about.now),
    ...checkedIn(about, child, at),
  };
  const ready = readyOf(child);
  const changed = Date.parse(ready?.lastTransitionTime ?? '');
  // Also if it is yet to come: any other time would pass by itself, and so prove or fail what it must not.
  const since = Math.max(at, Number.isNaN(changed) ? 0 : changed);
  const isAbout = ready !== null && ready.observedGeneration === child.metadata.generation;
  if (!isAbout) return { ...found, verdict: 'Progressing', since: at };
  if (ready.status === 'True') return { ...found, verdict: 'Ready', since };
  const verdict = FAULTS.has(ready.reason) ? 'Failed' : 'Progressing';
  const isUnseen = ready.status === 'Unknown' && UNSEEN.has(ready.reason);
  return { ...found, verdict, since, ...(isUnseen ? { isUnseen } : {}) };
}

/** When a Capp was written that says so, in milliseconds since the epoch. */
export function writtenAt(at: number, { now, site: { reachable, lostSince } }: About): number {
  return givenAt(at, now, { isReachable: reachable, lostSince });
}

/** What is known of its checks, and whether there is an app that could be asked. */
function checkedIn(about: About, child: Capp, at: number): Pick<Target, 'isDisabled' | 'verification'> {
  const given = verificationOf(child, { writtenAt: at, now: about.now });
  return {
    ...(child.spec.state === 'disabled' ? { isDisabled: true } : {}),
    ...(given === undefined ? {} : { verification: { ...given, revision: nameIn(about, given.revision) } }),
  };
}

/**
 * A change of labels or annotations alone makes no new generation, so nothing says that a status is about it.
 * If it travels, the Capp is not Ready for a moment; if it does not, nothing comes, and the status counts
 * after a while; but never while it is paused, since nothing is shipped then. Null where nothing is waited
 * for; so it is of a Capp that is to be written again, since its time is yet to come.
 */
export function settlingAt(child: Capp, now: number): number | null {
  const written = writtenOf(child.metadata);
  const changed = Date.parse(readyOf(child)?.lastTransitionTime ?? '');
  // Conditions have whole seconds.
  if (written === null || isAhead(written.at, now) || changed + 1_000 > written.at) return null;
  return written.at + HUB_TIMES.setCounts.ms;
}

/** Whether the Capp is Ready as it is now, whatever revision it has. */
export function isReady(child: Capp): boolean {
  const ready = readyOf(child);
  return ready?.status === 'True' && ready.observedGeneration === child.metadata.generation;
}

export function readyOf({ status }: Capp) {
  return status?.conditions?.find(({ type }) => type === 'Ready') ?? null;
}
