// What is to be published of Temporal, from what was looked at and what is published already. Pure: the same
// answers give the same report, whatever the time.
import type { HubStatusReport, PublishedAgent } from '../../crds/hub/hub-status.ts';
import { BRIDGE_TIMES } from '../times.ts';
import type { PublishedLook } from './look.ts';

export interface HubSight {
  readonly look: PublishedLook;
  /**
   * By site: whether its agent is silent, and when it last began to poll; without those of which nothing is
   * known.
   */
  readonly agents: Readonly<Record<string, SeenAgent>>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface SeenAgent {
  readonly isSilent: boolean;
  /** Milliseconds since the epoch, or null. */
  readonly polledAt: number | null;
}

export interface Own {
  readonly namespace: string;
  readonly ui: string | null;
  /** The version of this bridge. */
  readonly version: string;
}

/** While Temporal does not answer, all else stays as it was last known. */
export function reportOf(
  before: HubStatusReport,
  { look, agents, now }: HubSight,
  own: Own,
): HubStatusReport {
  const temporal = temporalIn(before, look, own, now);
  if (!look.reachable) return { ...before, temporal, bridge: own.version };
  const { missingSearchAttributes: missing, polled, currentBuild } = look;
  const polling = Object.keys(polled).filter((build) => now - (polled[build] ?? 0) <= BRIDGE_TIMES.polled.ms);
  const others = polling.filter((build) => build !== '' && build !== currentBuild).toSorted();
  return {
    temporal,
    ...attributesIn(before, missing),
    hubWorkers: {
      polling: polling.length > 0,
      ...(currentBuild === null ? {} : { current: currentBuild }),
      ...(others.length === 0 ? {} : { others }),
    },
    bridge: own.version,
    agents: Object.entries(agents)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([site, agent]) => agentIn(before, site, agent)),
  };
}

/** What Temporal does not say now is as it was. */
function attributesIn(
  { missingSearchAttributes: before }: HubStatusReport,
  missing: readonly string[] | null,
): Pick<HubStatusReport, 'missingSearchAttributes'> {
  const found = missing?.toSorted() ?? before;
  return found === undefined ? {} : { missingSearchAttributes: found };
}

function temporalIn(
  { temporal: before }: HubStatusReport,
  look: PublishedLook,
  { namespace, ui }: Own,
  now: number,
): NonNullable<HubStatusReport['temporal']> {
  const isSame = before?.reachable === look.reachable;
  return {
    reachable: look.reachable,
    since: isSame ? before.since : new Date(now).toISOString(),
    ...(look.reachable ? {} : { problem: look.problem }),
    namespace,
    ...(ui === null ? {} : { ui }),
  };
}

/** Of two bridges that saw it poll last at different times, the later one counts. */
function agentIn(before: HubStatusReport, site: string, { isSilent, polledAt }: SeenAgent): PublishedAgent {
  if (!isSilent) return { site, state: 'Polling' };
  const known = before.agents?.find((agent) => agent.site === site)?.lastSeen;
  const seen = Math.max(polledAt ?? 0, known === undefined ? 0 : Date.parse(known));
  return { site, state: 'Silent', ...(seen === 0 ? {} : { lastSeen: new Date(seen).toISOString() }) };
}
