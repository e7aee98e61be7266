// What the census finds and rings for, whatever was missed while no bridge or no Temporal was there.
import type { Client } from '@temporalio/client';
import { ringForStale, ringForUnready, workflowCensus } from '../../bridge/census.ts';
import type { Call, Ringer } from '../../bridge/ringer.ts';
import type { Watched } from '../../bridge/watched.ts';
import { cappOfWork } from '../../crds/capp-key.ts';
import type { Capp } from '../../crds/capp.ts';
import { CAPP_NAME, CAPP_NAMESPACE, CAPP_UID } from '../../crds/labels.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { aCapp } from '../support/capps.ts';

const OLD = '2026-03-01T12:00:00Z';

function aged(name: string, meta: Partial<Capp['metadata']> = {}): Capp {
  const capp = aCapp({ name, uid: `uid-${name}` });
  return { ...capp, metadata: { ...capp.metadata, creationTimestamp: OLD, ...meta } };
}

function ready(capp: Capp): Capp {
  const condition = {
    type: 'Ready',
    status: 'True' as const,
    reason: 'Ready',
    message: '',
    lastTransitionTime: OLD,
    observedGeneration: 1,
  };
  return { ...capp, status: { observedGeneration: 1, conditions: [condition], applicationLinks: { site: 'site-1' } } };
}

function workOf(name: string): KubeObject {
  const annotations = { [CAPP_NAMESPACE]: 'apps', [CAPP_NAME]: name };
  return { metadata: { name: `mw-${name}`, namespace: 'site-1', annotations, labels: { [CAPP_UID]: `uid-${name}` } } };
}

/** The bridge's caches, workflows that run, and who was rung for: name, cause, uid. */
function hub(capps: readonly Capp[], works: readonly KubeObject[] = [], running: readonly string[] = []) {
  const calls: string[] = [];
  const ringer: Pick<Ringer, 'ring'> = { ring: ({ name, cause, uid }: Call) => void calls.push(`${name} ${cause} ${uid}`) };
  const list = (objects: readonly KubeObject[]) => ({
    list: () => objects,
    get: ({ name }: { name: string }) => objects.find(({ metadata }) => metadata.name === name),
    by: (_index: string, key: string) => objects.filter((object) => cappOfWork(object).includes(key)),
  });
  const watched = { capps: list(capps), works: list(works), secrets: list([]), configMaps: list([]) } as unknown as Watched;
  async function* workflows() {
    for (const workflowId of running) yield await Promise.resolve({ workflowId });
  }
  const client = { workflow: { list: workflows } } as unknown as Pick<Client, 'workflow'>;
  const told = (): string[] => calls.splice(0);
  return { watched, ringer: ringer as Ringer, census: workflowCensus(client, watched, ringer as Ringer), told };
}

const going = aged('going', { deletionTimestamp: OLD });

test('a Capp without a workflow gets one, also when it is being deleted: that may have begun while Temporal was away', async () => {
  const { census, told } = hub([ready(aged('kept')), going, aged('missed')], [], ['capp/apps/kept']);
  await census();
  expect(told()).toEqual(['going spec uid-going', 'missed spec uid-missed']);
});

test('a Capp that was made just now may have a workflow that is not shown yet', async () => {
  const { census, told } = hub([aged('newborn', { creationTimestamp: new Date().toISOString() })]);
  await census();
  expect(told()).toEqual([]);
});

test('a workflow whose Capp is gone is rung for once in a while', async () => {
  const { census, told } = hub([], [], ['capp/apps/widow', 'capp/apps/widow/of-another-form', 'site/site-1']);
  await census();
  await census();
  expect(told()).toEqual(['widow meta null']);
});

test('a bridge that starts rings for what is going, was never looked at or is not Ready, and for works without a Capp', () => {
  const { watched, ringer, told } = hub([going, aged('missed')], [workOf('going'), workOf('orphan')]);
  ringForUnready(watched, ringer);
  expect(told()).toEqual(['going spec uid-going', 'missed spec uid-missed']);
  ringForStale(watched, ringer);
  expect(told()).toEqual(['going spec uid-going', 'missed spec uid-missed', 'orphan work uid-orphan']);
});
