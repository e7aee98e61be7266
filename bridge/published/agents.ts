// Which agents poll, of all sites that have one: those without Capps too.
import { ADD_ON } from '../../crds/ocm/add-on.ts';
import type { BridgeWatched } from '../changes/watched.ts';
import type { LastPoll } from '../sites/pollers.ts';
import { blinded, heardOf, type AgentHeard } from '../sites/silence.ts';
import type { SeenAgent } from './report.ts';

export interface AgentsOptions {
  readonly watched: Pick<BridgeWatched, 'agents'>;
  readonly lastPoll: LastPoll;
  readonly silentAfterMs: number;
}

/** Asks for so many sites at once. */
const AT_ONCE = 10;

/**
 * Looks at each site; `published` are the states that are known from before this process began. Never throws:
 * a site whose pollers cannot be read is as it was.
 */
export function agentsOf({ watched, lastPoll, silentAfterMs }: AgentsOptions) {
  const heard = new Map<string, AgentHeard>();
  return async (
    published: ReadonlyMap<string, SeenAgent>,
    now: number,
  ): Promise<Record<string, SeenAgent>> => {
    const sites = watched.agents
      .list()
      .filter(({ metadata }) => metadata.name === ADD_ON && metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata.namespace ?? '');
    const left = sites.values();
    const work = async (): Promise<void> => {
      for (const site of left) {
        const before = heard.get(site);
        const after = await lastPoll(site).then(
          (polledAt) => heardOf(before, polledAt, { now, silentAfterMs }),
          () => (before === undefined ? undefined : blinded(before)),
        );
        if (after !== undefined) heard.set(site, after);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    for (const site of heard.keys()) if (!sites.includes(site)) heard.delete(site);
    return Object.fromEntries(sites.flatMap((site) => stateOf(site, heard.get(site), published.get(site))));
  };
}

/** Nothing is said of an agent that has not polled since the bridge looks, until it counts as silent. */
function stateOf(
  site: string,
  known: AgentHeard | undefined,
  before: SeenAgent | undefined,
): [string, SeenAgent][] {
  if (known !== undefined && (known.isSilent || known.polledAt !== null))
    return [[site, { isSilent: known.isSilent, polledAt: known.polledAt }]];
  return before === undefined ? [] : [[site, before]];
}
