// What a person had before their eyes when they opened a sheet, and what of it is not so any more. What they
// decide by is in it: what they ask for was right for that, and may be wrong for what is there now.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Drain } from '../../../crds/drain/drain.ts';
import { FORCE, MIGRATE, PAUSED } from '../../../crds/labels.ts';
import { isPaused } from '../../explain/capp/phase.ts';
import { approvableIn } from '../../explain/set/approval.ts';
import { rolloutView, type ExplainedFleet } from '../../explain/set/rollout.ts';
import { shownRevision } from '../../../crds/rollout/revision.ts';

/** By what it is; each says in words what has become of it. */
const SAYS = {
  uid: () => 'what had this name was deleted, and something else has it now',
  spec: (before, now) => `its spec was edited: generation ${now}, and ${before} then`,
  site: (before, now) => `it is ${on(now)}, and was ${on(before)} then`,
  moved: (_before, now) => (now === '' ? 'its last move is forgotten' : `a move of it ended at ${now}`),
  asked: (_before, now) =>
    now === '' ? 'a request to move it was taken back' : 'somebody has asked for a move',
  paused: (_before, now) => (now === 'true' ? 'it was paused' : 'it was resumed'),
  revision: (before, now) => `its revision is ${now}, and was ${before} then`,
  reason: (before, now) => `it stands at ${now}, and stood at ${before} then`,
  waits: (before, now) => `${stages(now)} for approval, and ${stages(before)} then`,
} as const satisfies Readonly<Record<string, (before: string, now: string) => string>>;

type Fact = keyof typeof SAYS;
type Seen = Readonly<Partial<Record<Fact, string>>>;

function on(site: string): string {
  return site === '' ? 'on no site' : `on ${site}`;
}

function stages(names: string): string {
  return names === '' ? 'no stage waits' : `stage ${names} waits`;
}

/** Neither its phase nor how Ready it is: a person who wants to move an app sees that change all the time. */
export function seenOf(capp: Capp): string {
  const { metadata, status } = capp;
  const { migration, sites = [] } = status ?? {};
  return written({
    uid: metadata.uid ?? '',
    spec: String(metadata.generation ?? 0),
    site: sites.map(({ clusterName }) => clusterName).join(' and '),
    moved: migration?.lastMove?.endedAt ?? '',
    asked: [MIGRATE, FORCE]
      .map((key) => metadata.annotations?.[key] ?? '')
      .join(' ')
      .trim(),
    paused: String(isPaused(capp, PAUSED)),
  });
}

/** What a person decides about: the object, what is asked for, the revision, and why and where it waits. */
export function seenOfRollout(one: ExplainedFleet): string {
  const { uid = '', generation = 0 } = one.object.metadata;
  const { revision, reason } = rolloutView(one);
  return written({
    uid,
    spec: String(generation),
    revision: shownRevision(revision),
    reason,
    waits: approvableIn(one).waiting[0] ?? '',
  });
}

/** Pausing and lanes are in its spec; how far it is may change while a person reads. */
export function seenOfDrain({ metadata: { uid = '', generation = 0 } }: Drain): string {
  return written({ uid, spec: String(generation) });
}

function written(seen: Seen): string {
  return JSON.stringify(seen);
}

/** What is not as it was, in words; empty where nothing is. Each is text of `seenOf` and those beside it. */
export function changesSince(before: string, now: string): string[] {
  if (before === now) return [];
  const [then, present] = [read(before), read(now)];
  if (then === null || present === null) return ['the page did not say what was seen of it'];
  return (Object.keys(SAYS) as Fact[]).flatMap((fact) => {
    const [was, is] = [then[fact] ?? '', present[fact] ?? ''];
    return was === is ? [] : [SAYS[fact](was, is)];
  });
}

function read(text: string): Seen | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return Object.fromEntries(Object.entries(value).map(([fact, what]) => [fact, String(what)]));
  } catch {
    return null;
  }
}
