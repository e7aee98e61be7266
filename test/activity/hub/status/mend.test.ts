// The status of a Capp whose workflow cannot go on, on a real API server: it stays until that workflow
// publishes again, and replaces no other condition.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { hubMend } from '../../../../activities/hub/status/mend.ts';
import type { Condition } from '../../../../crds/capp/conditions.ts';
import { EVENT, type Event } from '../../../../crds/kubernetes/core.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { eventually } from '../../../../testbed/eventually.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
}, 300_000);
afterAll(() => stage?.stop());

const ended: string[] = [];
const client = {
  workflow: {
    getHandle: (id: string, runId: string) => ({
      terminate: async () => {
        if (ended.includes(`${id} ${runId}`)) throw new WorkflowNotFoundError('gone', id, runId);
        ended.push(`${id} ${runId}`);
      },
    }),
  },
} as unknown as Pick<Client, 'workflow'>;
const mending = () => hubMend({ kube: stage.kube, events: stage.events }, client);

async function stalled(ref: CappRef): Promise<Condition | undefined> {
  return (await stage.read(ref)).status?.conditions?.find(({ type }) => type === 'Stalled');
}

test('a Capp whose workflow keeps failing gets Stalled with the remedy, once, and keeps its other conditions', async () => {
  const ref = await stage.make({ name: 'failing' });
  await stage.ship(ref);
  const before = await stage.read(ref);
  await mending().sayFailing(ref, { startsOver: false });
  const after = await stage.read(ref);
  expect(await stalled(ref)).toMatchObject({ status: 'True', reason: 'WorkflowFailing' });
  expect((await stalled(ref))?.message).toContain(
    `temporal workflow terminate -w capp/${ref.namespace}/${ref.name}`,
  );
  const others = (conditions: readonly Condition[] = []) =>
    conditions.filter(({ type }) => type !== 'Stalled');
  expect(others(after.status?.conditions)).toEqual(others(before.status?.conditions));
  expect(after.status?.observedGeneration).toBe(before.status?.observedGeneration);
  await mending().sayFailing(ref, { startsOver: false });
  expect((await stage.read(ref)).metadata.resourceVersion).toBe(after.metadata.resourceVersion);
  const told = async (): Promise<true | undefined> => {
    const { items } = await stage.kube.list<Event>(EVENT, { namespace: ref.namespace });
    return items.some(({ reason, regarding }) => reason === 'WorkflowFailing' && regarding?.name === ref.name)
      ? true
      : undefined;
  };
  expect(await eventually(told)).toBe(true);
});

test('the condition is replaced when the workflow publishes again', async () => {
  const ref = await stage.make({ name: 'mended' });
  const { state } = await stage.ship(ref);
  await mending().sayFailing(ref, { startsOver: true });
  await stage.hub.publish(ref, { ...state, published: null }, { record: null, mirror: null, at: Date.now() });
  expect((await stalled(ref))?.reason).not.toBe('WorkflowFailing');
  await mending().sayFailing(ref, { startsOver: false });
  expect((await stalled(ref))?.reason).toBe('WorkflowFailing');
});

test('nothing is written for a Capp with another uid, or for one that is gone', async () => {
  const ref = await stage.make({ name: 'another' });
  const before = await stage.read(ref);
  await mending().sayFailing({ ...ref, uid: 'of-another' }, { startsOver: true });
  await mending().sayFailing({ ...ref, name: 'gone' }, { startsOver: true });
  expect(await stage.read(ref)).toEqual(before);
});

test('the failing run is terminated, and a repeat does nothing', async () => {
  const ref = await stage.make({ name: 'ended' });
  await mending().startOver(ref, 'run-1');
  await mending().startOver(ref, 'run-1');
  expect(ended).toEqual([`capp/${ref.namespace}/${ref.name} run-1`]);
});
