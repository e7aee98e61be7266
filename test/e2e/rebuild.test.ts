// What is in progress can be found again: a workflow that is wiped is started anew, adopts what is there, and changes nothing on any site.
import { CAPP } from '../../crds/capp.ts';
import { CAPP_KEY, CAPP_UID, INCARNATION, SALT } from '../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../crds/ocm.ts';
import { conditionOf, createCapp, newNamespace, readCapp, siteOf, untilCondition, untilGone, untilReady } from '../support/apps.ts';
import { eventually } from '../support/eventually.ts';
import { openStack, type Stack } from '../support/stack.ts';

let stack: Stack;
let namespace: string;
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'rebuild');
});
afterAll(() => stack.close());

test('a workflow that was wiped is started again and writes nothing', async () => {
  const key = { namespace, name: 'amnesiac' };
  await createCapp(stack.hub, key);
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
  const before = await versions();
  const handle = stack.temporal.workflow.getHandle(`capp/${namespace}/amnesiac`);
  const { runId } = await handle.describe();
  await handle.terminate('a test wipes it');
  await eventually(
    async () => {
      const now = await handle.describe();
      return now.runId !== runId && now.searchAttributes['CappPhase']?.[0] === 'Ready' ? true : undefined;
    },
    { withinMs: 150_000, everyMs: 500 },
  );
  expect(await versions()).toEqual(before);
});

test('a work that the Go operator left is adopted by its name and annotations', async () => {
  const key = { namespace, name: 'heirloom' };
  await createCapp(stack.hub, { ...key, spec: { site: 'site-1' } });
  await untilReady(stack.hub, key);
  const work = { namespace: 'site-1', name: `mw-create-${namespace}-heirloom` };
  const before = await stack.hub.get<ManifestWork>(MANIFEST_WORK, work);
  const nothing = Object.fromEntries([CAPP_KEY, CAPP_UID].map((label) => [label, null]));
  await stack.hub.patch(MANIFEST_WORK, work, { metadata: { labels: nothing, annotations: { [SALT]: null, [INCARNATION]: null } } });
  await stack.hub.patch(CAPP, key, { metadata: { annotations: { nudge: 'now' } } });
  await eventually(
    async () => {
      const adopted = await stack.hub.get<ManifestWork>(MANIFEST_WORK, work);
      expect(adopted?.metadata.uid).toBe(before?.metadata.uid);
      expect(adopted?.metadata.labels?.[CAPP_KEY]).toBe(before?.metadata.labels?.[CAPP_KEY]);
      expect(adopted?.metadata.annotations?.[INCARNATION]).toBeDefined();
      return true;
    },
    { withinMs: 60_000 },
  );
  await untilReady(stack.hub, key);
});

test('a work that somebody deletes or edits is made whole again', async () => {
  const key = { namespace, name: 'mended' };
  await createCapp(stack.hub, { ...key, spec: { site: 'site-1' } });
  await untilReady(stack.hub, key);
  const work = { namespace: 'site-1', name: `mw-create-${namespace}-mended` };
  await stack.hub.patch(MANIFEST_WORK, work, { spec: { workload: { manifests: [] } } }).catch(() => undefined);
  await stack.hub.patch(MANIFEST_WORK, work, { spec: { deleteOption: { propagationPolicy: 'Orphan', selectivelyOrphans: null } } });
  await eventually(
    async () => {
      const now = await stack.hub.get<ManifestWork>(MANIFEST_WORK, work);
      expect(now?.spec?.deleteOption?.propagationPolicy).toBe('SelectivelyOrphan');
      return true;
    },
    { withinMs: 60_000 },
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
    { withinMs: 90_000 },
  );
  await untilReady(stack.hub, key);
});

test('a work whose Capp is gone is removed', async () => {
  const key = { namespace, name: 'orphaned' };
  await createCapp(stack.hub, { ...key, spec: { site: 'site-1' } });
  await untilReady(stack.hub, key);
  await stack.temporal.workflow.getHandle(`capp/${namespace}/orphaned`).terminate('a test wipes it');
  await stack.hub.patch(CAPP, key, { metadata: { finalizers: null } });
  await stack.hub.remove(CAPP, key);
  await untilGone(stack.site('site-1'), key);
  const work = { namespace: 'site-1', name: `mw-create-${namespace}-orphaned` };
  await eventually(async () => ((await stack.hub.get(MANIFEST_WORK, work)) === null ? true : undefined), { withinMs: 60_000 });
});

test('a site whose operator does nothing is no false Ready', async () => {
  const key = { namespace, name: 'unattended' };
  await stack.freeze('site-1-operator', async () => {
    await createCapp(stack.hub, { ...key, spec: { site: 'site-1' } });
    const waiting = await untilCondition(stack.hub, key, { type: 'Available', status: 'Unknown', reason: 'NoSiteOperator' });
    expect(conditionOf(waiting, 'Ready')?.status).not.toBe('True');
  });
  await untilReady(stack.hub, key);
});

test('an agent that is away is said to be, and heard again when it is back', async () => {
  const key = { namespace, name: 'unheard' };
  await stack.freeze('site-1-agent', async () => {
    await createCapp(stack.hub, { ...key, spec: { site: 'site-1' } });
    await untilCondition(stack.hub, key, { type: 'Available', status: 'Unknown', reason: 'AgentSilent' });
  });
  await untilReady(stack.hub, key);
});
