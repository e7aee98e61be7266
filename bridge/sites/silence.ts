// Notices when a site's agent falls silent or comes back, and rings the site's Capps once for each.
import type { Capp } from '../../crds/capp/capp.ts';
import { isSaidSilent } from '../../crds/capp/status.ts';
import { keyTextOf } from '../../kube/resource.ts';
import { siteOf } from '../changes/causes.ts';
import type { LastPoll } from './pollers.ts';
import type { Ringer } from '../ringer.ts';
import type { BridgeWatched } from '../changes/watched.ts';

export interface SilenceOptions {
  readonly watched: Pick<BridgeWatched, 'capps'>;
  readonly ringer: Pick<Ringer, 'ring'>;
  readonly lastPoll: LastPoll;
  /** After how long without a poll of the agent its Capps are rung, in milliseconds. */
  readonly silentAfterMs: number;
  readonly onError: (cluster: string, error: unknown) => void;
  readonly now?: () => number;
}

export interface Silence {
  /**
   * Looks at each site that serves a Capp, unless a look is under way. Takes a synced cache. Never throws.
   */
  look(): Promise<void>;
  /**
   * Of the sites that serve Capps, as of the last look: how many agents poll, how many are silent, and for
   * how long.
   */
  agents(): { readonly answering: number; readonly silent: number; readonly longestMs: number };
  stop(): void;
}

export interface AgentHeard {
  /** When the agent last polled, or null if that is not known. */
  readonly polledAt: number | null;
  /** Silence counts from here: the last poll, or when we could begin to look. */
  readonly from: number;
  readonly isSilent: boolean;
}

export function listenForSilence(options: SilenceOptions): Silence {
  const { watched, ringer, lastPoll, silentAfterMs, onError, now = Date.now } = options;
  const heard = new Map<string, AgentHeard>();
  /**
   * Capps whose status reports a silent agent, and since when the bridge knows. Each is rung when the agent
   * has polled after that.
   */
  const said = new Map<string, number>();
  const note = (capp: Capp): void => {
    if (!isSaidSilent(capp.status)) said.delete(keyTextOf(capp));
    else if (!said.has(keyTextOf(capp))) said.set(keyTextOf(capp), now());
  };
  const unsubscribe = watched.capps.subscribe(({ type, object, previous }) => {
    const isNews = type !== 'Modified' || isSaidSilent(previous.status) !== isSaidSilent(object.status);
    if (type === 'Deleted') said.delete(keyTextOf(object));
    else if (isNews) note(object);
  });
  for (const capp of watched.capps.list()) note(capp);

  const look = async (cluster: string, capps: readonly Capp[]): Promise<void> => {
    const before = heard.get(cluster);
    const polledAt = await lastPoll(cluster);
    const after = heardOf(before, polledAt, { now: now(), silentAfterMs });
    heard.set(cluster, after);
    const isFallen = after.isSilent && before?.isSilent !== true;
    for (const capp of capps) {
      const saidAt = said.get(keyTextOf(capp));
      const isBack = saidAt !== undefined && polledAt !== null && polledAt > saidAt;
      if (isBack) said.set(keyTextOf(capp), Infinity);
      if (isBack || (isFallen && saidAt === undefined))
        ringFor(ringer, capp, after.isSilent ? after.polledAt : null);
    }
  };
  let isLooking = false;
  return {
    look: async () => {
      if (isLooking) return;
      isLooking = true;
      try {
        const byCluster = Map.groupBy(watched.capps.list(), siteOf);
        for (const [cluster, capps] of byCluster) {
          if (cluster !== null)
            await look(cluster, capps).catch((error: unknown) =>
              blind(heard, cluster, () => onError(cluster, error)),
            );
        }
        for (const cluster of heard.keys()) if (!byCluster.has(cluster)) heard.delete(cluster);
      } finally {
        isLooking = false;
      }
    },
    agents: () => {
      const all = [...heard.values()];
      const silent = all.filter(({ isSilent }) => isSilent).length;
      const longestMs = Math.max(0, ...all.map(({ from }) => now() - from));
      return { answering: all.length - silent, silent, longestMs };
    },
    stop: unsubscribe,
  };
}

/**
 * While Temporal does not answer the bridge, it may not answer agents either: their silence is counted from
 * when it answers again.
 */
function blind(heard: Map<string, AgentHeard>, cluster: string, tell: () => void): void {
  const before = heard.get(cluster);
  if (before !== undefined) heard.set(cluster, blinded(before));
  tell();
}

/** Nothing could be heard: silence counts from when it can be again. */
export function blinded(before: AgentHeard): AgentHeard {
  return { ...before, from: Infinity };
}

/**
 * What is known of an agent after a look; `poll` is when it last began to poll, or null if that is not known.
 */
export function heardOf(
  before: AgentHeard | undefined,
  poll: number | null,
  { now, silentAfterMs }: { now: number; silentAfterMs: number },
): AgentHeard {
  const polledAt = poll ?? before?.polledAt ?? null;
  const from =
    before === undefined ? (poll ?? now) : before.from === Infinity ? now : Math.max(before.from, poll ?? 0);
  return { polledAt, from, isSilent: now - from > silentAfterMs };
}

function ringFor(ringer: Pick<Ringer, 'ring'>, capp: Capp, lastSeen: number | null): void {
  const { namespace = '', name, uid = '' } = capp.metadata;
  const site = siteOf(capp);
  const seen = lastSeen === null || site === null ? {} : { [site]: lastSeen };
  ringer.ring({ namespace, name, cause: 'site', changed: null, uid, seen, yields: true });
}
