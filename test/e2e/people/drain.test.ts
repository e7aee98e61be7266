// A person empties a site with kubectl alone: a Drain object moves the Capps, says how far it is, keeps new
// ones away, and is deleted.
import { DRAIN, type Drain, type DrainSpec } from '../../../crds/drain/drain.ts';
import {
  conditionOf,
  createCapp,
  newNamespace,
  readCapp,
  siteOf,
  untilCondition,
  untilReady,
} from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { otherSite } from '../../../testbed/sites.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const TIMEOUT = { withinMs: 180_000, everyMs: 200 };

let stack: TestbedStack;
let namespace: string;
let drained: string | null = null;

beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'drained');
});
afterAll(async () => {
  if (drained !== null) await stack.hub.remove(DRAIN, { namespace: null, name: drained });
  await stack.close();
});

const other = (site: string): string => otherSite(stack, site);
const read = async (site: string): Promise<Drain | null> =>
  stack.hub.get<Drain>(DRAIN, { namespace: null, name: site });
const untilPhase = (site: string, phase: string): Promise<Drain> =>
  eventually(async () => {
    const drain = await read(site);
    if (drain?.status?.phase === phase) return drain;
    throw new Error(`Drain ${site} says ${JSON.stringify(drain?.status)}`);
  }, TIMEOUT);
const workflowOf = (site: string) =>
  stack.temporal.workflow
    .getHandle(`turns/${site}`)
    .describe()
    .then(({ status }) => status.name);

test('a Drain empties its site, keeps new Capps away while it exists, and leaves every Capp whole when it is deleted', async () => {
  const names = ['one', 'two', 'three'];
  for (const name of names) await createCapp(stack.hub, { namespace, name });
  const homes = await Promise.all(
    names.map(async (name) => [name, siteOf(await untilReady(stack.hub, { namespace, name }))] as const),
  );
  const site = homes[0]?.[1] ?? '';
  const mine = homes.filter(([, home]) => home === site).map(([name]) => name);
  drained = site;
  const spec = { dryRun: true, reason: 'new kernels' } as DrainSpec;
  await stack.hub.create<Drain>(DRAIN, {
    apiVersion: DRAIN.apiVersion,
    kind: DRAIN.kind,
    metadata: { name: site },
    spec,
  });

  const planned = await untilPhase(site, 'Planned');
  expect(planned.status?.waiting).toBeGreaterThanOrEqual(mine.length);
  expect(planned.status?.requestedBy).toBeTruthy();
  for (const name of mine) expect(siteOf(await readCapp(stack.hub, { namespace, name }))).toBe(site);

  await stack.hub.patch(DRAIN, { namespace: null, name: site }, { spec: { dryRun: false } });
  const done = await untilPhase(site, 'Done');
  expect(done.status?.moved).toBeGreaterThanOrEqual(mine.length);
  expect(done.status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Complete', status: 'True' }),
  );
  for (const name of mine) {
    const capp = await untilReady(stack.hub, { namespace, name });
    expect(siteOf(capp)).toBe(other(site));
    expect(conditionOf(capp, 'Available')?.status).toBe('True');
  }

  await createCapp(stack.hub, { namespace, name: 'late', spec: { site } });
  const kept = await untilCondition(
    stack.hub,
    { namespace, name: 'late' },
    { type: 'Placed', reason: 'Draining' },
  );
  expect(kept.status?.applicationLinks?.site).toBeUndefined();

  await stack.hub.remove(DRAIN, { namespace: null, name: site });
  drained = null;
  expect(siteOf(await untilReady(stack.hub, { namespace, name: 'late' }))).toBe(site);
  for (const name of mine) expect(siteOf(await readCapp(stack.hub, { namespace, name }))).toBe(other(site));
  expect(await workflowOf(site)).toBe('COMPLETED');
});
