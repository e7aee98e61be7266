// What the hub worker measures beside what Temporal's SDK and the workflows count.
import type { HubCaches } from '../../activities/hub/caches.ts';
import type { EventRecorder } from '../../activities/hub/status/events.ts';
import {
  CAPP_WORKFLOW,
  HUB_QUEUE,
  MEND_WORKFLOW,
  SITE_WORKFLOW,
  TURNS_WORKFLOW,
} from '../../workflows/names.ts';
import { LEAVE_REASONS } from '../../workflows/types/leave-reasons.ts';
import { measureCaches, measureProcess, measureQueue } from '../metrics/process.ts';
import type { Labels } from '../metrics/bounds.ts';
import type { MetricName } from '../metrics/catalogue.ts';
import type { Meter, MetricSample } from '../metrics/meter.ts';

interface Parts {
  readonly caches: HubCaches;
  readonly events: EventRecorder;
  /** Of Temporal. */
  readonly namespace: string;
}

export function measureHub(meter: Meter, { caches, events, namespace }: Parts): void {
  measureProcess(meter, 'hub');
  openCounters(meter, namespace);
  measureCaches(meter, 'hub', caches);
  measureQueue(meter, 'events', events.queue);
  meter.gauge('cappstan_scores', () => {
    const ages = expiredFor(caches, Date.now());
    const expired = ages.filter((age) => age > 0).length;
    return [
      { labels: { state: 'valid' }, value: ages.length - expired },
      { labels: { state: 'expired' }, value: expired },
    ] satisfies MetricSample[];
  });
  meter.gauge('cappstan_score_expired_seconds', () => [
    { labels: {}, value: Math.max(0, ...expiredFor(caches, Date.now())) / 1000 },
  ]);
}

/** Of what workflows count, with the labels that Temporal's SDK adds. */
function openCounters(meter: Meter, namespace: string): void {
  const open = (workflowType: string, name: MetricName, labels: Labels = {}): void =>
    meter.open(name, { ...labels, namespace, taskQueue: HUB_QUEUE, workflowType });
  open(MEND_WORKFLOW, 'cappstan_workflows_failing_total');
  for (const workflow of [CAPP_WORKFLOW, SITE_WORKFLOW, TURNS_WORKFLOW])
    open(workflow, 'cappstan_messages_unreadable_total', { workflow });
  for (const result of ['Ready', 'Failed']) open(CAPP_WORKFLOW, 'cappstan_rollouts_total', { result });
  for (const reason of LEAVE_REASONS)
    for (const result of ['Moved', 'Failed', 'Cancelled'])
      open(CAPP_WORKFLOW, 'cappstan_moves_total', { reason, result });
}

/**
 * For each score that expires, since when it has been expired, in milliseconds; negative while it is valid.
 */
function expiredFor({ scores }: Pick<HubCaches, 'scores'>, now: number): number[] {
  return scores
    .list()
    .flatMap(({ status }) => (status?.validUntil === undefined ? [] : [now - Date.parse(status.validUntil)]));
}
