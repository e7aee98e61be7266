// A workflow that was terminated is started again, adopts the existing works, and changes nothing on any
// site. All of it is on site-1: the agent of site-2 is silent all the while, which takes minutes to notice.
import { CAPP } from '../../../crds/capp/capp.ts';
import { CAPP_KEY, CAPP_NAME } from '../../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { hashedWorkName, workName } from '../../../crds/ocm/work-identity.ts';
import {
  conditionOf,
  createCapp,
  newNamespace,
  readCapp,
  siteOf,
  untilCondition,
  untilGone,
  untilReady,
} from '../../../testbed/capps.ts';
import { eventsAtRest } from '../../../testbed/at-rest/events.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

let stack: TestbedStack;
let namespace: string;
let unheard: Promise<void>;
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'rebuild');
  unheard = reportsSilence({ namespace, name: 'unheard' });
  // The last test waits for it.
  unheard.catch(() => undefined);
});
afterAll(async () => {
  await unheard.catch(() => undefined);
  await stack.close();
});

function reportsSilence(key: { namespace: string; name: string }): Promise<void> {
  return stack.freeze('site-2-agent', async () => {
    await createCapp(stack.hub, { ...key, spec: { site: 'site-2' } });
    // Each of up to four polls of the frozen agent may take the activity, and holds it for a heartbeat
    // timeout of 20 s. Only then does the minute begin in which nobody takes it.
    const silent = { type: 'Available', status: 'Unknown', reason: 'AgentSilent' };
    await untilCondition(stack.hub, key, silent, { withinMs: 200_000 });
  });
}

test('a terminated workflow is started again and writes nothing', async () => {
  const key = { namespace, name: 'amnesiac' };
  await createCapp(stack.hub, { ...key, spec: { site: 'site-1' } });
  const site = siteOf(await untilReady(stack.hub, key));
  const work = { namespace: site, name: `mw-create-${namespace}-amnesiac` };
  const versions = async () => ({
    work: (await stack.hub.get(MANIFEST_WORK, work))?.metadata.generation,
    shipped: (await readCapp(stack.site(site), key)).metadata.annotations,
    hub: (await readCapp(stack.hub, key)).status?.conditions?.map(({ type, status, lastTransitionTime }) => ({
      type,
      status,
      lastTransitionTime,
    })),
  });
  const handle = stack.temporal.workflow.getHandle(`capp/${namespace}/amnesiac`);
  await eventsAtRest(handle);
  const before = await versions();
  const { runId } = await handle.describe();
  await handle.terminate('terminated by the test');
  await eventually(
    async () => {
      const now = await handle.describe();
      return now.runId !== runId && now.searchAttributes['CappPhase']?.[0] === 'Ready' ? true : undefined;
    },
    { withinMs: 180_000, everyMs: 500 },
  );
  expect(await versions()).toEqual(before);
});

test('a second work of a Capp on one site is removed, and the site keeps its Capp all the time', async () => {
  const key = { namespace, name: 'twice' };
  await createCapp(stack.hub, { ...key, spec: { site: 'site-1' } });
  await untilReady(stack.hub, key);
  const plain = { namespace: 'site-1', name: workName(namespace, 'twice') };
  const second = { namespace: 'site-1', name: hashedWorkName(namespace, 'twice') };
  const ours = await stack.hub.get<ManifestWork>(MANIFEST_WORK, plain);
  const { labels = {}, annotations = {} } = ours?.metadata ?? {};
  const owners = async () => (await readCapp(stack.site('site-1'), key)).metadata.ownerReferences?.length;
  const before = (await readCapp(stack.site('site-1'), key)).metadata;
  await stack.hub.create(MANIFEST_WORK, {
    metadata: { ...second, labels, annotations },
    spec: ours?.spec,
  } as ManifestWork);
  await eventually(async () => ((await owners()) === 2 ? true : undefined), { withinMs: 180_000 });
  await stack.hub.patch(CAPP, key, { metadata: { annotations: { 'rcs.dana.io/paused': 'false' } } });
  await eventually(
    async () => {
      expect((await readCapp(stack.site('site-1'), key)).metadata.uid).toBe(before.uid);
      return (await stack.hub.get(MANIFEST_WORK, second)) === null ? true : undefined;
    },
    { withinMs: 180_000 },
  );
  await eventually(async () => ((await owners()) === 1 ? true : undefined), { withinMs: 180_000 });
  const after = (await readCapp(stack.site('site-1'), key)).metadata;
  expect([after.uid, after.generation, after.annotations]).toEqual([
    before.uid,
    before.generation,
    before.annotations,
  ]);
  await stack.hub.remove(CAPP, key);
  await untilGone(stack.hub, key);
  expect(await stack.site('site-1').get(CAPP, key)).toBeNull();
});

test('labels and annotations of a work that were changed are restored', async () => {
  const key = { namespace, name: 'unmarked' };
  await createCapp(stack.hub, { ...key, spec: { site: 'site-1' } });
  await untilReady(stack.hub, key);
  const work = { namespace: 'site-1', name: workName(namespace, 'unmarked') };
  const { labels, annotations } = (await stack.hub.get(MANIFEST_WORK, work))?.metadata ?? {};
  await stack.hub.patch(MANIFEST_WORK, work, {
    metadata: { labels: { [CAPP_KEY]: 'b'.repeat(40) }, annotations: { [CAPP_NAME]: 'victim' } },
  });
  await eventually(
    async () => {
      expect((await stack.hub.get(MANIFEST_WORK, work))?.metadata).toMatchObject({ labels, annotations });
      return true;
    },
    { withinMs: 180_000 },
  );
});

test('a work that was edited or deleted is restored', async () => {
  const key = { namespace, name: 'mended' };
  await createCapp(stack.hub, { ...key, spec: { site: 'site-1' } });
  await untilReady(stack.hub, key);
  const work = { namespace: 'site-1', name: `mw-create-${namespace}-mended` };
  await stack.hub
    .patch(MANIFEST_WORK, work, { spec: { workload: { manifests: [] } } })
    .catch(() => undefined);
  await stack.hub.patch(MANIFEST_WORK, work, {
    spec: { deleteOption: { propagationPolicy: 'Orphan', selectivelyOrphans: null } },
  });
  await eventually(
    async () => {
      const now = await stack.hub.get<ManifestWork>(MANIFEST_WORK, work);
      expect(now?.spec?.deleteOption?.propagationPolicy).toBe('SelectivelyOrphan');
      // Waits until OCM's agent has applied it: objects of a work that is deleted meanwhile are collected,
      // and OCM restores them only at its next resync.
      const applied = now?.status?.conditions?.find(({ type }) => type === 'Applied');
      expect(applied?.observedGeneration).toBe(now?.metadata.generation);
      return true;
    },
    { withinMs: 180_000 },
  );
  const { uid } = (await stack.hub.get(MANIFEST_WORK, work))?.metadata ?? {};
  await stack.hub.remove(MANIFEST_WORK, work);
  await eventually(
    async () => {
      const now = await stack.hub.get(MANIFEST_WORK, work);
      expect(now?.metadata.uid).toBeDefined();
      expect(now?.metadata.uid).not.toBe(uid);
      return true;
    },
    { withinMs: 180_000 },
  );
  await untilReady(stack.hub, key);
});

test('a work whose Capp is gone is removed', async () => {
  const key = { namespace, name: 'orphaned' };
  await createCapp(stack.hub, { ...key, spec: { site: 'site-1' } });
  await untilReady(stack.hub, key);
  await stack.temporal.workflow.getHandle(`capp/${namespace}/orphaned`).terminate('terminated by the test');
  await stack.hub.patch(CAPP, key, { metadata: { finalizers: null } });
  await stack.hub.remove(CAPP, key);
  await untilGone(stack.site('site-1'), key);
  const work = { namespace: 'site-1', name: `mw-create-${namespace}-orphaned` };
  await eventually(async () => ((await stack.hub.get(MANIFEST_WORK, work)) === null ? true : undefined), {
    withinMs: 180_000,
  });
});

test('a Capp is not Ready while its site operator does not run', async () => {
  const key = { namespace, name: 'unattended' };
  await stack.freeze('site-1-operator', async () => {
    await createCapp(stack.hub, { ...key, spec: { site: 'site-1' } });
    const waiting = await untilCondition(stack.hub, key, {
      type: 'Available',
      status: 'Unknown',
      reason: 'NoSiteOperator',
    });
    expect(conditionOf(waiting, 'Ready')?.status).not.toBe('True');
  });
  await untilReady(stack.hub, key);
});

test('a Capp reports AgentSilent while the agent of its site does not run', async () => {
  await unheard;
  await untilReady(stack.hub, { namespace, name: 'unheard' });
});
