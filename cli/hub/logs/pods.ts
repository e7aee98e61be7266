// The Pods of a Capp, or of all Capps of a CappSet, as the hub's reader gives them (reach/answer/pods.ts).
import { pathTo } from '../../../reach/names.ts';
import type { ReachedPod } from '../../../reach/pods.ts';
import { printable } from '../../show/printable.ts';
import type { Terminal } from '../../terminal.ts';
import type { OpenedHub } from '../connection/hub.ts';
import { reachFailure } from './failures.ts';
import { membersOf, readWithLogs } from './members.ts';

export interface PodsOfSites {
  readonly pods: readonly ReachedPod[];
  /** Why nothing is known of a site, or not all. */
  readonly missing: readonly { readonly site: string; readonly why: string }[];
}

interface PodsWanted {
  readonly site?: string | undefined;
  readonly withUsage?: boolean;
}

/**
 * Throws CommandFailure where there is nothing of that name or no reader, and what the hub does not answer.
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
  const lists: { readonly items: readonly ReachedPod[]; readonly missing: PodsOfSites['missing'] }[] = [];
  for (const capp of await membersOf(hub, await readWithLogs(hub, name))) {
    const answer = await hub.kube.raw('GET', `${pathTo(capp, 'pods')}${query}`).catch((error: unknown) => {
      throw reachFailure(error, capp, hub) ?? error;
    });
    lists.push(answer as (typeof lists)[number]);
  }
  return {
    pods: lists.flatMap(({ items }) => items),
    missing: lists.flatMap(({ missing }) => missing),
  };
}

/** A sentence on standard error for each site of which something is missing. */
export function noteMissing({ note }: Pick<Terminal, 'note'>, { missing }: PodsOfSites): void {
  for (const why of new Set(missing.map((one) => one.why)))
    note(printable(`${why.charAt(0).toUpperCase()}${why.slice(1)}.`));
}
