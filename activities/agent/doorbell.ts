// How an agent speaks first: one audit when it starts, and a ring when a Capp that nobody asks about has changed. It never starts a workflow.
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { keyedQueue } from '../../kube/queue.ts';
import { audit, ring } from '../../workflows/messages.ts';
import { cappWorkflowId, siteWorkflowId } from '../../workflows/names.ts';
import { rungFor, type AuditEntry } from '../../workflows/ring.ts';
import type { Feed } from './feed.ts';
import type { SiteCapps } from './site-capps.ts';
import type { Told } from './told.ts';
import { sightOf, uidOf } from './verdict.ts';

/** A change is told when it has had this many milliseconds to become another, so a Capp rings no more often than that. */
const CALM_MS = 5_000;
/** Entries of one audit: it must stay far below Temporal's 2 MiB. */
const PAGE = 2_000;
const AUDIT = '';

export interface DoorbellOptions {
  readonly client: Pick<Client, 'workflow'>;
  readonly cluster: string;
  readonly capps: SiteCapps;
  readonly feed: Feed;
  readonly told: Told;
  readonly onError: (key: string, error: unknown) => void;
}

export interface Doorbell {
  stop(): Promise<void>;
}

/** Takes a synced cache. What cannot be said now is said as soon as Temporal hears it. */
export function doorbell({ client, cluster, capps, feed, told, onError }: DoorbellOptions): Doorbell {
  let entries = auditEntries(capps, told);
  const queue = keyedQueue({
    onError,
    concurrency: 8,
    work: async (key) => {
      if (key === AUDIT) {
        while (entries.length > 0) {
          await client.workflow.getHandle(siteWorkflowId(cluster)).signal(audit, { entries: entries.slice(0, PAGE) });
          entries = entries.slice(PAGE);
        }
        return;
      }
      const [namespace = '', name = ''] = key.split('/');
      const sight = feed.look({ namespace, name });
      if (sight === null || feed.isAwaited({ namespace, name }) || !told.isNews({ namespace, name }, sight)) return;
      await client.workflow.getHandle(cappWorkflowId(namespace, name)).signal(ring, rungFor('site')).catch(ignoreEnded);
      told.note({ namespace, name }, sight);
    },
  });
  const unsubscribe = capps.subscribe(({ type, object }) => {
    const { namespace = '', name } = object.metadata;
    const key = `${namespace}/${name}`;
    if (type === 'Deleted') {
      told.forget({ namespace, name });
      return;
    }
    const sight = sightOf(object);
    if (sight === null || !told.isNews({ namespace, name }, sight)) return;
    queue.add(key, CALM_MS);
  });
  const unabandon = feed.onAbandoned(({ namespace, name }) => queue.add(`${namespace}/${name}`, CALM_MS));
  queue.add(AUDIT);
  return {
    stop: () => {
      unsubscribe();
      unabandon();
      return queue.stop();
    },
  };
}

/** Everything that was shipped here, as it is; all of it counts as told. */
function auditEntries(capps: SiteCapps, told: Told): AuditEntry[] {
  const entries: AuditEntry[] = [];
  for (const capp of capps.list()) {
    const { namespace = '', name } = capp.metadata;
    const sight = sightOf(capp);
    if (sight === null) continue;
    told.note({ namespace, name }, sight);
    entries.push({ namespace, name, uid: uidOf(sight.stamp), statusHash: sight.finding.statusHash });
  }
  return entries;
}

/** The Capp's workflow has ended: there is nobody to tell. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
