// What a drill reads of a real hub, and what it writes there: one part of the status of one Drain.
import { hubDrainObject } from '../../../activities/hub/drain/drain-object.ts';
import { hubDrill } from '../../../activities/hub/drill/drill.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { DRAIN, type Drain } from '../../../crds/drain/drain.ts';
import { ENDS_AFTER } from '../../../crds/labels.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY, type RcsConfig } from '../../../crds/hub/rcs-config.ts';
import { SECRET } from '../../../crds/kubernetes/core.ts';
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { DrillPage, Drills } from '../../../workflows/drill/port.ts';
import { aPlannedReport, aRehearsal } from '../../support/builders/drill/drills.ts';
import { make, prepareTwoSites } from '../../support/testbeds/activities/two-sites.ts';
import { startHub, type HubForTests } from '../../support/testbeds/hub/hub.ts';

let stage: HubForTests;
let drills: Drills;
let config: RcsConfig | undefined;

const PASSWORD = 'aHVudGVyMg==';
const key = (name: string) => ({ namespace: null, name });

beforeAll(async () => {
  stage = await startHub();
  const { kube, caches } = stage;
  await prepareTwoSites(kube);
  const sealing = { config: () => config, namespace: 'rcs-deployer-system' };
  drills = hubDrill({ ...stage, caches, hubUid: 'hub-uid', config: RCS_CONFIG_KEY, sealing });
}, 300_000);
afterAll(() => stage?.stop());

/** A Capp that serves from site-1. */
async function settled(name: string, spec: object = {}, env: object[] = []): Promise<void> {
  const container = { name: 'app', image: 'ghcr.io/shop/app:v1', env };
  const template = { spec: { containers: [container] } };
  const metadata = { namespace: 'apps', name };
  await stage.kube.create(CAPP, make(CAPP, metadata, { spec: { configurationSpec: { template }, ...spec } }));
  const applicationLinks = { site: 'site-1', consoleLink: '' };
  await stage.kube.patch(CAPP, metadata, { status: { applicationLinks } }, { subresource: 'status' });
}

const fromSecret = (name: string) => [
  { name: 'PASSWORD', valueFrom: { secretKeyRef: { name, key: 'password' } } },
];

async function pageOf(count: number, ...given: [Parameters<Drills['drillPage']>[1]?]): Promise<DrillPage> {
  return eventually(async () => {
    const found = await drills.drillPage('site-1', given[0] ?? null, []);
    const placed = found.capps.filter(({ to }) => to !== null).length;
    return found.all === count && placed > 0 ? found : undefined;
  });
}

/** Everything on the hub that a drill could write, with its version. */
async function written(): Promise<string[]> {
  const { kube } = stage;
  const lists = await Promise.all([CAPP, MANIFEST_WORK, SECRET, RCS_CONFIG].map((one) => kube.list(one, {})));
  return lists.flatMap(({ items }) =>
    items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}/${metadata.resourceVersion}`),
  );
}

test('each Capp has where it would go, what it needs there, and what is missing; nothing is written, no value told', async () => {
  const { kube } = stage;
  await kube.create(
    SECRET,
    make(SECRET, { namespace: 'apps', name: 'there' }, { data: { password: PASSWORD } }),
  );
  await settled('a-fine', {}, fromSecret('there'));
  await settled('b-lacks', {}, fromSecret('absent'));
  await settled('c-pinned', { site: 'site-1' });
  const before = await eventually(async () => ((await pageOf(3)).capps.length === 3 ? written() : undefined));
  const page = await pageOf(3);
  expect(page).toMatchObject({ isLast: true, all: 3 });
  expect(page.capps).toMatchObject([
    { name: 'a-fine', to: 'site-2', objection: null, lacks: null, needs: { pods: 1 } },
    { name: 'b-lacks', to: 'site-2', objection: { reason: 'MissingReference' } },
    { name: 'c-pinned', to: null, why: { reason: 'Pinned' }, needs: null, objection: null },
  ]);
  expect(JSON.stringify(page)).not.toContain(PASSWORD);
  expect(JSON.stringify(page)).not.toContain('hunter2');
  expect(await written()).toEqual(before);
});

test('a page begins behind the last Capp of the one before', async () => {
  const page = await pageOf(3);
  const [first] = page.capps;
  if (first === undefined) throw new Error('no Capp');
  const { namespace, name, priority } = first;
  const next = await drills.drillPage('site-1', { namespace, name, priority }, [
    { capp: 'apps/a-fine', to: 'site-2' },
  ]);
  expect(next.capps.map((one) => one.name)).toEqual(['b-lacks', 'c-pinned']);
  expect(await drills.drillPage('no-such-site', null, [])).toEqual({ capps: [], isLast: true, all: 0 });
});

test('where Secrets go only sealed, a site without a key is an objection, and no key is made', async () => {
  config = { spec: { secrets: { sealing: 'Required' } } } as unknown as RcsConfig;
  try {
    const { capps } = await pageOf(3);
    expect(capps[0]).toMatchObject({ name: 'a-fine', objection: { reason: 'NoSealingKey' } });
    const secrets = await stage.kube.list(SECRET, { namespace: 'rcs-deployer-system' });
    expect(secrets.items).toEqual([]);
  } finally {
    config = undefined;
  }
});

const create = (name: string, spec: object) =>
  stage.kube.create<Drain>(DRAIN, make(DRAIN, { name }, { spec }));
const read = async (name: string): Promise<Drain> => (await stage.kube.get<Drain>(DRAIN, key(name))) as Drain;

test('a drill is read while it is asked for and not carried out', async () => {
  await create('asked', { dryRun: true, rehearse: true });
  const { metadata } = await read('asked');
  const drill = { uid: metadata.uid ?? '', generation: 1 };
  expect(await drills.readDrill('asked')).toEqual({ drill });
  await create('plain', { dryRun: true });
  await create('real', { rehearse: true });
  for (const name of ['plain', 'real', 'absent'])
    expect(await drills.readDrill(name)).toEqual({ drill: null });
  await drills.reportDrill('asked', { ...drill, rehearsal: aRehearsal() });
  expect(await drills.readDrill('asked')).toEqual({ drill: null });
});

test('a dry run that a killed command has left is deleted once its time is over, and no other Drain is', async () => {
  const leave = (name: string, spec: object, seconds: string) =>
    stage.kube.create<Drain>(DRAIN, make(DRAIN, { name, annotations: { [ENDS_AFTER]: seconds } }, { spec }));
  await leave('left', { dryRun: true, rehearse: true }, '1');
  await leave('left-plan', { dryRun: true }, '1');
  await leave('in-time', { dryRun: true, rehearse: true }, '900');
  await leave('a-drain', { rehearse: true }, '1');
  await leave('no-number', { dryRun: true }, '1s');
  const others = ['in-time', 'a-drain', 'no-number'];
  for (const name of ['left', 'left-plan'])
    await eventually(async () => {
      for (const other of [name, ...others]) await drills.readDrill(other);
      return (await stage.kube.get<Drain>(DRAIN, key(name))) === null || undefined;
    });
  for (const name of others) expect(await read(name)).not.toBeNull();
});

test('a report stays beside what the drain says, is written once, and reaches no other Drain', async () => {
  await create('told', { dryRun: true, rehearse: true });
  const { metadata } = await read('told');
  const drill = { uid: metadata.uid ?? '', generation: 1 };
  await drills.reportDrill('told', { ...drill, uid: 'another', rehearsal: aRehearsal() });
  await drills.reportDrill('told', {
    ...drill,
    generation: 7,
    rehearsal: aRehearsal({ observedGeneration: 7 }),
  });
  expect((await read('told')).status?.rehearsal).toBeUndefined();
  const drain = hubDrainObject(stage);
  const report = aPlannedReport(drill);
  await drills.reportDrill('told', { ...drill, rehearsal: aRehearsal() });
  await drain.reportDrain('told', report);
  const first = await read('told');
  expect(first.status).toMatchObject({ phase: 'Planned', waiting: 1, rehearsal: aRehearsal() });
  await drills.reportDrill('told', { ...drill, rehearsal: aRehearsal({ ready: 0 }) });
  await drain.reportDrain('told', { ...report, at: Date.now() + 1_000 });
  expect(await read('told')).toEqual(first);
});
