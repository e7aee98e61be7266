// Publishes in one object on the hub what only Temporal knows. It is written only when something has changed.
import { isDeepStrictEqual } from 'node:util';
import {
  HUB_STATUS,
  HUB_STATUS_NAME,
  type HubStatus,
  type HubStatusReport,
} from '../../crds/hub/hub-status.ts';
import { applyStatus } from '../../kube/apply-status.ts';
import type { Kube } from '../../kube/client.ts';
import { isAlreadyExists } from '../../kube/failure.ts';
import type { PublishedLook } from './look.ts';
import { nextLookAmissMs, nextLookMs } from './again.ts';
import { reportOf, type Own, type SeenAgent } from './report.ts';

const FIELD_MANAGER = 'cappstan-bridge';
const KEY = { namespace: null, name: HUB_STATUS_NAME };
/** One look that fails may be a moment's; the second in a row counts. */
const FAILURES = 2;

export interface PublishOptions {
  readonly kube: Pick<Kube, 'get' | 'create' | 'apply'>;
  readonly look: () => Promise<PublishedLook>;
  readonly agents: (
    published: ReadonlyMap<string, SeenAgent>,
    now: number,
  ) => Promise<Readonly<Record<string, SeenAgent>>>;
  readonly own: Own;
  readonly now?: () => number;
}

/**
 * Looks, and writes what has changed since it was last written, by whichever bridge. Gives after how many
 * milliseconds to look again. Throws ApiError.
 */
export function publisher({
  kube,
  look,
  agents,
  own,
  now = Date.now,
}: PublishOptions): () => Promise<number> {
  let failures = 0;
  const began = now();
  return async () => {
    const seen = await look();
    failures = seen.reachable ? 0 : failures + 1;
    if (failures > 0 && failures < FAILURES) return nextLookAmissMs(now() - began);
    const found = await kube.get<HubStatus>(HUB_STATUS, KEY);
    const before = found?.status ?? {};
    const known = seen.reachable ? await agents(agentsIn(before), now()) : {};
    const report = reportOf(before, { look: seen, agents: known, now: now() }, own);
    if (!isDeepStrictEqual(report, before)) await write(kube, found, report);
    return nextLookMs(report, now() - began);
  };
}

async function write(
  kube: PublishOptions['kube'],
  found: HubStatus | null,
  status: HubStatusReport,
): Promise<void> {
  const object = found ?? (await made(kube));
  if (object === null) return;
  await applyStatus(kube, HUB_STATUS, object, { status, fieldManager: FIELD_MANAGER, asRead: true });
}

/** Null if another bridge was faster: it publishes the same. */
async function made(kube: Pick<Kube, 'create'>): Promise<HubStatus | null> {
  const { apiVersion, kind } = HUB_STATUS;
  const object: HubStatus = { apiVersion, kind, metadata: { name: HUB_STATUS_NAME }, spec: {} };
  try {
    return await kube.create<HubStatus>(HUB_STATUS, object, { fieldManager: FIELD_MANAGER });
  } catch (error) {
    if (isAlreadyExists(error)) return null;
    throw error;
  }
}

function agentsIn({ agents = [] }: HubStatusReport): Map<string, SeenAgent> {
  return new Map(
    agents.map(({ site, state, lastSeen }) => [
      site,
      { isSilent: state === 'Silent', polledAt: lastSeen === undefined ? null : Date.parse(lastSeen) },
    ]),
  );
}
