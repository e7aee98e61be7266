// The Go operator's cases P-1 to P-3, U-1 and U-2: the choice of a site, and where it is recorded.
import { PLACEMENT } from '../../../crds/ocm/placements.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import {
  conditionOf,
  createCapp,
  newNamespace,
  siteOf,
  untilCondition,
  untilReady,
} from '../../../testbed/capps.ts';
import { configOf, configure } from '../../../testbed/rcs-config.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const HAS_PLACEMENT = 'rcs.dana.io/has-placement';

let stack: TestbedStack;
let namespace: string;
let first: string;
let second: string;
let placements: Readonly<Record<'one' | 'none' | 'all', string>>;
let putBack: () => Promise<void>;

beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'conformance-placement');
  [first = '', second = ''] = stack.sites;
  placements = { one: `${namespace}-one`, none: `${namespace}-none`, all: `${namespace}-all` };
  const config = await configOf(stack.hub);
  const only = (cluster: string) => [
    { requiredClusterSelector: { celSelector: { celExpressions: [nameIs(cluster)] } } },
  ];
  const specs = { one: { predicates: only(second) }, none: { predicates: only('nobody') }, all: {} };
  for (const which of ['one', 'none', 'all'] as const) {
    const metadata = { namespace: config.placementsNamespace, name: placements[which] };
    await stack.hub.create(PLACEMENT, { metadata, spec: specs[which] } as KubeObject);
  }
  putBack = await configure(stack.hub, { placements: [...config.placements, ...Object.values(placements)] });
  const wishes = {
    anywhere: '',
    placed: placements.one,
    pinned: first,
    waiting: placements.none,
    chosen: placements.all,
  };
  for (const [name, site] of Object.entries(wishes))
    await createCapp(stack.hub, { namespace, name, spec: site === '' ? {} : { site } });
});
afterAll(async () => {
  await putBack();
  const { placementsNamespace } = await configOf(stack.hub);
  for (const name of Object.values(placements))
    await stack.hub.remove(PLACEMENT, { namespace: placementsNamespace, name });
  await stack.close();
});

const nameIs = (cluster: string): string => `managedCluster.metadata.name == "${cluster}"`;
const ready = (name: string): Promise<Capp> => untilReady(stack.hub, { namespace, name });
const written = (capp: Capp): unknown => [siteOf(capp), capp.metadata.annotations?.[HAS_PLACEMENT]];

test('P-1 a Capp without spec.site gets a site of the first placement’s decision, recorded in its status and in has-placement', async () => {
  const capp = await ready('anywhere');
  const [decision] = capp.status?.decisions ?? [];
  expect(stack.sites).toContain(siteOf(capp));
  expect(written(capp)).toEqual([decision?.cluster, decision?.cluster]);
  expect(decision?.placement).toBe((await configOf(stack.hub)).placements[0]);
});

test('P-2 a Capp that names a placement gets a site of its decision', async () => {
  const capp = await ready('placed');
  expect(written(capp)).toEqual([second, second]);
  expect(capp.status?.decisions?.[0]).toMatchObject({ placement: placements.one, cluster: second });
});

test('P-3 a Capp that names a cluster gets that cluster', async () => {
  const capp = await ready('pinned');
  expect(written(capp)).toEqual([first, first]);
  expect(conditionOf(capp, 'Placed')?.reason).toBe('Pinned');
});

test('U-1 a placement without decisions is no error, and the Capp reports NoDecision', async () => {
  const waiting = await untilCondition(
    stack.hub,
    { namespace, name: 'waiting' },
    { type: 'Placed', status: 'False', reason: 'NoDecision' },
  );
  expect(conditionOf(waiting, 'Placed')?.message).toContain(placements.none);
  expect(waiting.metadata.annotations?.[HAS_PLACEMENT]).toBeUndefined();
});

test('U-2 among several decided clusters the Capp gets the best: by score, then by fewest Capps, then by name', async () => {
  const [decision] = (await ready('chosen')).status?.decisions ?? [];
  const candidates = decision?.candidates ?? [];
  expect(candidates.map(({ cluster }) => cluster).toSorted()).toEqual([...stack.sites]);
  const best = candidates.toSorted(
    (a, b) => b.score - a.score || a.capps - b.capps || (a.cluster < b.cluster ? -1 : 1),
  );
  expect(decision?.cluster).toBe(best[0]?.cluster);
});
