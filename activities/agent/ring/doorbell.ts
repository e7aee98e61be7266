// What an agent sends unasked: an inventory at its start and every ten minutes, and a ring when a Capp has
// changed for which no activity waits. It never starts a workflow.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { keyedQueue } from '../../../kube/queue.ts';
import { inventory, ring } from '../../../workflows/messages.ts';
import { cappWorkflowId, siteWorkflowId } from '../../../workflows/names.ts';
import { rungFor, stretches, type InventoryEntry } from '../../../workflows/types/ring.ts';
import { uidOf } from '../../../workflows/types/stamp.ts';
import type { ReportFeed } from '../report/feed.ts';
import type { SiteCapps } from '../report/site-capps.ts';
import type { ReportedSights } from './told.ts';
import { sightOf, type CappSight } from '../report/verdict.ts';
import { AGENT_TIMES } from '../times.ts';

/** Entries of one signal: the hub compares them at once, and they are far below Temporal's 2 MiB. */
const PAGE = 500;
const INVENTORY = '';

export interface DoorbellOptions {
  readonly client: Pick<Client, 'workflow'>;
  readonly cluster: string;
  readonly capps: SiteCapps;
  readonly feed: ReportFeed;
  readonly told: ReportedSights;
  readonly onError: (key: string, error: unknown) => void;
  /** Milliseconds between two inventories; ten minutes if not given. */
  readonly inventoryMs?: number;
  /** Milliseconds until an inventory that cannot be made is tried again; five seconds if not given. */
  readonly blindMs?: number;
}

interface Name {
  readonly namespace: string;
  readonly name: string;
}

export interface Doorbell {
  stop(): Promise<void>;
}

/** Takes a synced cache. A ring that fails is repeated until Temporal accepts it. */
export function doorbell({
  client,
  cluster,
  capps,
  feed,
  told,
  onError,
  inventoryMs = AGENT_TIMES.inventory.ms,
  blindMs = AGENT_TIMES.ring.ms,
}: DoorbellOptions): Doorbell {
  const sendInventory = async (): Promise<void> => {
    const { entries, sights } = inventoryOf(capps);
    for (const stretch of stretches({ entries, after: null, upTo: null }, PAGE)) {
      await client.workflow.getHandle(siteWorkflowId(cluster)).signal(inventory, stretch);
    }
    for (const [name, sight] of sights) told.note(name, sight);
  };
  const queue = keyedQueue({
    onError,
    concurrency: 8,
    work: async (key) => {
      if (key === INVENTORY) {
        // An agent that cannot see everything sends no inventory, because an inventory also says what is
        // missing.
        const isOpen = capps.access() === 'Open';
        if (isOpen) await sendInventory();
        queue.add(INVENTORY, isOpen ? inventoryMs * (0.8 + Math.random() * 0.4) : blindMs);
        return;
      }
      const [namespace = '', name = ''] = key.split('/');
      const sight = feed.look({ namespace, name });
      if (sight === null || feed.isAwaited({ namespace, name }) || !told.isNews({ namespace, name }, sight))
        return;
      await client.workflow
        .getHandle(cappWorkflowId(namespace, name))
        .signal(ring, rungFor('site'))
        .catch(ignoreEnded);
      told.note({ namespace, name }, sight);
    },
  });
  const unsubscribe = capps.subscribe(({ type, object }) => {
    const { namespace = '', name } = object.metadata;
    if (type === 'Deleted') return told.forget({ namespace, name });
    const sight = sightOf(object);
    const isNews = sight !== null && told.isNews({ namespace, name }, sight);
    if (isNews) queue.add(`${namespace}/${name}`, AGENT_TIMES.ring.ms);
  });
  const unabandon = feed.onAbandoned(({ namespace, name }) =>
    queue.add(`${namespace}/${name}`, AGENT_TIMES.ring.ms),
  );
  queue.add(INVENTORY);
  return {
    stop: () => {
      unsubscribe();
      unabandon();
      return queue.stop();
    },
  };
}

interface Seen {
  readonly entries: readonly InventoryEntry[];
  readonly sights: readonly (readonly [Name, CappSight])[];
}

/** Everything that was shipped here, with its present status. */
/** All that is on the site, as the hub is told, and what was seen of it. */
export function inventoryOf(capps: Pick<SiteCapps, 'list'>): Seen {
  const sights = capps.list().flatMap((capp) => {
    const { namespace = '', name } = capp.metadata;
    const sight = sightOf(capp);
    return sight === null ? [] : [[{ namespace, name }, sight] as const];
  });
  const entries = sights.map(([name, { stamp, finding }]) => ({
    ...name,
    uid: uidOf(stamp),
    stamp,
    statusHash: finding.statusHash,
  }));
  return { entries, sights };
}

/** The Capp's workflow has ended and needs no ring. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
