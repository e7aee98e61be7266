// The Pods of a Capp, or of all Capps of a CappSet, as the hub's reader gives them (reach/answer/pods.ts).
import { pathTo } from '../../../reach/names.ts';
import { ApiError } from '../../../kube/failure.ts';
import { keyText, type Key } from '../../../kube/resource.ts';
import type { ReachedPod } from '../../../reach/pods.ts';
import { READER_TIMES } from '../../../reach/times.ts';
import { CommandFailure } from '../../exit.ts';
import { printable } from '../../show/printable.ts';
import type { Terminal } from '../../terminal.ts';
import type { OpenedHub } from '../connection/hub.ts';
import { isOfOneCapp, reachFailure } from './failures.ts';
import { membersOf, noneThere, readWithLogs } from './members.ts';

export interface PodsOfSites {
  readonly pods: readonly ReachedPod[];
  /** Why nothing is known of a site, or not all. */
  readonly missing: readonly { readonly site: string; readonly why: string }[];
}

interface PodsWanted {
  readonly site?: string | undefined;
  readonly withUsage?: boolean;
}

/** Of a set, so many Capps are asked at the same time. */
const AT_ONCE = 8;

/**
 * Of a set, a Capp that cannot be told of is a row of what is missing. Throws CommandFailure where there is
 * nothing of that name, or on that site, or no reader, and what the hub does not answer.
 */
export async function readPods(
  hub: OpenedHub,
  name: string,
  { site, withUsage = false }: PodsWanted,
): Promise<PodsOfSites> {
  const asked = [
    ...(site === undefined ? [] : [`site=${encodeURIComponent(site)}`]),
    ...(withUsage ? ['usage=true'] : []),
  ];
  const query = asked.length === 0 ? '' : `?${asked.join('&')}`;
  const found = await readWithLogs(hub, name);
  const members = await membersOf(hub, found, site ?? null);
  if (members.length === 0 && site !== undefined)
    throw new CommandFailure('notFound', noneThere(found.object, site));
  const isOfSet = found.is === 'CappSet';
  const lists = await eachOf(members, (capp) => podsOfOne(hub, capp, { query, isOfSet }));
  return {
    pods: lists.flatMap(({ items }) => items),
    missing: lists.flatMap(({ missing }) => missing),
  };
}

async function eachOf<T>(capps: readonly Key[], work: (capp: Key) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let at = 0; at < capps.length; at += AT_ONCE)
    done.push(...(await Promise.all(capps.slice(at, at + AT_ONCE).map(work))));
  return done;
}

/** Longer than the reader waits for a site that does not answer: it says which, and tells of the others. */
const TREE_WITHIN_MS = READER_TIMES.site.ms + 2_000;

/** Its site is every one. */
const LATE: PodList = {
  items: [],
  missing: [{ site: '', why: `no answer of the hub's reader within ${TREE_WITHIN_MS / 1_000} seconds` }],
};

/**
 * The Pods of these Capps, by `namespace/name`, for whom it is an extra: without an entry where the person
 * may not know them, where there is no reader, and once the signal aborts. A reader that does not answer in
 * time is what is missing.
 */
export async function podsIfTold(
  { kube }: Pick<OpenedHub, 'kube'>,
  capps: readonly Key[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, PodsOfSites>> {
  const all = await eachOf(capps, async (capp): Promise<[string, PodsOfSites][]> => {
    const path = pathTo(capp, 'pods');
    const found = await kube
      .raw('GET', path, { deadlineMs: TREE_WITHIN_MS, signal })
      .catch((error: unknown) => (isLate(error) ? LATE : null));
    if (found === null) return [];
    const { items, missing } = found as PodList;
    return [[keyText(capp), { pods: items, missing }]];
  });
  return new Map(all.flat());
}

function isLate(error: unknown): boolean {
  return error instanceof ApiError && error.code === 0 && error.reason === 'Timeout';
}

interface PodList {
  readonly items: readonly ReachedPod[];
  readonly missing: PodsOfSites['missing'];
}

async function podsOfOne(
  hub: OpenedHub,
  capp: Key,
  { query, isOfSet }: { readonly query: string; readonly isOfSet: boolean },
): Promise<PodList> {
  try {
    return (await hub.kube.raw('GET', `${pathTo(capp, 'pods')}${query}`)) as PodList;
  } catch (error) {
    const failure = reachFailure(error, capp, hub);
    if (failure === null || !isOfSet || !isOfOneCapp(error)) throw failure ?? error;
    // Its site is in the sentence, where it has one.
    return { items: [], missing: [{ site: '', why: failure.message.replace(/\.$/, '') }] };
  }
}

/** A sentence on standard error for each site of which something is missing. */
export function noteMissing({ note }: Pick<Terminal, 'note'>, { missing }: PodsOfSites): void {
  for (const why of new Set(missing.map((one) => one.why)))
    note(printable(`${why.charAt(0).toUpperCase()}${why.slice(1)}.`));
}
