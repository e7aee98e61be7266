// What a receiver of notifications was told, and what happens on the hub that is told: an app is stuck, a
// site is lost, a Drain ends.
import { DRAIN } from '../../../../crds/drain/drain.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { condition, type NotifierTestbed } from './notifier.ts';

export interface Event {
  readonly id: string;
  readonly data: { readonly topic: string; readonly text: string; readonly name?: string };
}

/** `bed` is asked when a test runs. */
export function toldTo(bed: () => NotifierTestbed) {
  const eventsAt = (path: string): Event[] =>
    bed()
      .at(path)
      .map(({ body }) => JSON.parse(body) as Event);
  const named = (path: string, name: string): Event[] =>
    eventsAt(path).filter(({ data }) => data.name === name);
  const heard = (path: string, name: string): Promise<Event> => eventually(() => named(path, name)[0]);
  const begun = (path: string): Promise<Event> => eventually(() => eventsAt(path)[0]);
  /** Nothing is on its way any more. */
  const hasRest = (namespace: string): Promise<true> =>
    eventually(async () => ((await bed().read(namespace, 'chat')).status?.waiting === 0 ? true : undefined));
  return { eventsAt, named, heard, begun, hasRest };
}

export const stuck = () => ({ conditions: [condition('Stalled', 'True', 'DeadlinePassed')] });

/** From site-1 to site-2, with a message that Slack would take for markup. */
export const aMove = () => ({
  from: 'site-1',
  to: 'site-2',
  reason: 'Unfit',
  message: '<b>',
  endedAt: new Date().toISOString(),
  result: 'Moved',
});

export async function loseSite(bed: NotifierTestbed, name: string): Promise<void> {
  const site: KubeObject & { spec: object } = {
    metadata: { name },
    spec: { hubAcceptsClient: true },
  };
  await bed.kube.create(MANAGED_CLUSTER, site);
  const lost = { ...condition('ManagedClusterConditionAvailable', 'Unknown', 'LeaseExpired') };
  await bed.status(MANAGED_CLUSTER, { namespace: null, name }, { conditions: [lost] });
}

/** With three that were moved. */
export async function endDrain(bed: NotifierTestbed, name: string): Promise<void> {
  const drain: KubeObject & { spec: object } = { metadata: { name }, spec: {} };
  const made = await bed.kube.create(DRAIN, drain);
  const status = {
    phase: 'Done',
    endedAt: new Date().toISOString(),
    observedGeneration: made.metadata.generation,
    moved: 3,
  };
  await bed.status(DRAIN, { namespace: null, name }, status);
}
