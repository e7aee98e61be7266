// Whoever may speak to Temporal starts a Capp's workflow with a state that leads to a site of their own: the
// Capp stays where Kubernetes says, and neither it nor its Secret goes there.
import { CAPP } from '../../../crds/capp/capp.ts';
import { SECRET } from '../../../crds/kubernetes/core.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { newNamespace, readCapp, readyCapp, untilCondition } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { otherSite } from '../../../testbed/sites.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';
import { initialState, type State } from '../../../workflows/capp/state.ts';
import { NEW_COPY } from '../../../workflows/capp/after/copies.ts';
import { CAPP_WORKFLOW, cappWorkflowId, HUB_QUEUE } from '../../../workflows/names.ts';

const CANARY = `canary-${Math.random().toString(36).slice(2)}-value`;

let stack: TestbedStack;
let namespace: string;
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'forged');
  await stack.hub.create(SECRET, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: 'jewels' },
    data: { token: btoa(CANARY) },
  } as never);
});
afterAll(() => stack.close());

/** As if the Capp had served there for long. */
function forged(capp: State['capp'], cluster: string, plain: Partial<State> = {}): State {
  const copy = {
    ...NEW_COPY,
    wanted: true,
    stamp: `${capp.uid}/1/forged/one`,
    generation: 1,
    wasHealthy: true,
  };
  return {
    ...initialState(capp),
    serving: cluster,
    pin: cluster,
    placedFor: '',
    generation: 1,
    placing: { reason: 'Chosen', message: 'chosen' },
    copies: { [cluster]: copy },
    ...plain,
  };
}

test.each<[string, (capp: State['capp'], home: string, away: string) => State]>([
  ['that it serves there', (capp, _home, away) => forged(capp, away)],
  [
    'that it is on its way there',
    (capp, home, away) => ({
      ...forged(capp, home),
      pin: null,
      move: {
        from: home,
        to: away,
        reason: 'Asked',
        message: 'somebody asked',
        since: Date.now(),
        deadline: Date.now() + 600_000,
        strategy: 'MakeBeforeBreak',
        request: null,
        confirmation: 'Due',
      },
    }),
  ],
])('a forged start that says %s sends nothing there', async (what, forge) => {
  const name = what.includes('serves') ? 'served' : 'underway';
  const key = { namespace, name };
  const home = stack.sites[0] ?? '';
  const away = otherSite(stack, home);
  const container = { envFrom: [{ secretRef: { name: 'jewels' } }] };
  const found = await readyCapp(stack.hub, { ...key, container, spec: { site: home } });
  expect(found.home).toBe(home);
  const { uid = '' } = (await readCapp(stack.hub, key)).metadata;
  const before = await stack.hub.get<ManifestWork>(MANIFEST_WORK, workOn(home, name));
  const started = await stack.temporal.workflow.start(CAPP_WORKFLOW, {
    workflowId: cappWorkflowId(namespace, name),
    taskQueue: HUB_QUEUE,
    workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    args: [forge({ ...key, uid }, home, away)],
  });
  // It acts on an edit, which it could not if it still held to what it was told.
  await stack.hub.patch(CAPP, key, { spec: { scaleMetric: 'rps' } });
  await eventually(
    async () => {
      const { status, metadata } = await readCapp(stack.hub, key);
      expect(status?.observedGeneration).toBe(metadata.generation);
      const work = await stack.hub.get<ManifestWork>(MANIFEST_WORK, workOn(home, name));
      expect(work?.metadata.generation).toBeGreaterThan(before?.metadata.generation ?? 0);
      return true;
    },
    { withinMs: 180_000, everyMs: 200 },
  );
  await untilCondition(stack.hub, key, { type: 'Ready', status: 'True' });
  const { status, metadata } = await readCapp(stack.hub, key);
  expect([status?.applicationLinks?.site, status?.migration?.serving]).toEqual([home, home]);
  expect(JSON.stringify([status?.sites, metadata.annotations])).not.toContain(away);
  const { items } = await stack.hub.list<ManifestWork>(MANIFEST_WORK, { namespace: away });
  expect(JSON.stringify(items)).not.toContain(btoa(CANARY));
  expect(items.filter((work) => work.metadata.name === workOn(away, name).name)).toEqual([]);
  expect(await stack.site(away).get(CAPP, key)).toBeNull();
  const { runId } = await stack.temporal.workflow.getHandle(started.workflowId).describe();
  expect(runId).toBe(started.firstExecutionRunId);
});

function workOn(cluster: string, name: string): { namespace: string; name: string } {
  return { namespace: cluster, name: `mw-create-${namespace}-${name}` };
}
