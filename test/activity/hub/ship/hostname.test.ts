// Two Capps that were admitted with the same hostname: the older gets it and the other waits; on a real API
// server without a webhook.
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { FINALIZER } from '../../../../crds/labels.ts';
import { initialState, type CappRef, type State } from '../../../../workflows/capp/state.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { aCopy, aPlacing } from '../../../support/builders/states.ts';
import { warranted } from '../../../support/testbeds/hub/warranted.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
}, 300_000);
afterAll(() => stage?.stop());

function apply(ref: CappRef, plain: Partial<State> = {}) {
  const state: State = {
    ...initialState(ref),
    serving: 'site-1',
    copies: { 'site-1': aCopy({ stamp: null, finding: null }) },
    ...plain,
  };
  return stage.hub.apply(ref, 'site-1', state, null);
}

/** Nobody rings here, so an apply does not wait for the cache by itself. */
const cached = (ref: CappRef): Promise<unknown> => eventually(() => stage.caches.capps.get(ref));

/**
 * Creates these Capps and returns them, the oldest first. Creation times have seconds, so several may be
 * equal.
 */
async function contenders(hostname: string, ...names: string[]): Promise<CappRef[]> {
  const made: { ref: CappRef; at: number }[] = [];
  for (const name of names) {
    const ref = await stage.make({ name, spec: { routeSpec: { hostname } } });
    await cached(ref);
    made.push({ ref, at: Date.parse((await stage.read(ref)).metadata.creationTimestamp ?? '') });
  }
  return made.toSorted((a, b) => a.at - b.at || (a.ref.uid < b.ref.uid ? -1 : 1)).map(({ ref }) => ref);
}

/**
 * Creates a Capp that is younger than the owner. Creation times have seconds, so it may take several
 * attempts.
 */
function youngerThan(owner: CappRef, name: string, hostname: string): Promise<CappRef> {
  return eventually(async () => {
    const ref = await stage.make({ name, spec: { routeSpec: { hostname } } });
    const [a = '', b = ''] = [await stage.read(owner), await stage.read(ref)].map(
      ({ metadata }) => metadata.creationTimestamp,
    );
    if (a < b) return cached(ref).then(() => ref);
    await stage.kube.remove(CAPP, ref);
    throw new Error(`${name} is as old as ${owner.name}`);
  });
}

const taken = (by: CappRef) => ({
  outcome: 'Refused',
  reason: 'HostnameTaken',
  message: expect.stringContaining(`Capp apps/${by.name},`),
});

async function mark(ref: CappRef): Promise<Partial<State>> {
  return { minimumVersions: { Capp: (await stage.read(ref)).metadata.resourceVersion ?? '' } };
}

test('the older Capp is applied, and the other is refused with the name of the older, whichever comes first', async () => {
  const [older, younger] = await contenders('one.example.com', 'one-a', 'one-b');
  if (older === undefined || younger === undefined) throw new Error('two were made');
  expect(await apply(younger)).toMatchObject(taken(older));
  expect(await apply(older)).toMatchObject({ outcome: 'Applied' });
  expect(await apply(younger)).toMatchObject(taken(older));
  expect(await stage.work(younger)).toBeNull();
  const ready = (await stage.read(younger)).status?.conditions?.find(({ type }) => type === 'Ready');
  expect(ready).toMatchObject({ status: 'False', reason: 'HostnameTaken' });
});

test('a hostname without the zone that the sites add, and its whole name, are one, whichever is older', async () => {
  const { caches, config } = warranted(stage.caches);
  const known = caches.configs.get(config);
  const dns = { zone: 'Zone.example.', provider: 'p', ttlSeconds: 60, allowedTargets: ['gate.example.org'] };
  const configs = { ...caches.configs, get: () => known && { ...known, spec: { ...known.spec, dns } } };
  const zoned = hubApply({ ...stage, ...warranted(stage.caches), caches: { ...caches, configs } });
  const bank = await stage.make({
    name: 'bank',
    spec: { routeSpec: { hostname: 'shop.bank.zone.example' } },
  });
  await cached(bank);
  const thief = await youngerThan(bank, 'thief', 'Shop.Bank');
  expect(await zoned.apply(thief, 'site-1', aPlacing(thief), null)).toMatchObject(taken(bank));
  expect(await zoned.apply(bank, 'site-1', aPlacing(bank), null)).toMatchObject({ outcome: 'Applied' });
  const late = await youngerThan(bank, 'late', 'shop.bank.zone.example.');
  expect(await zoned.apply(late, 'site-1', aPlacing(late), null)).toMatchObject(taken(bank));
}, 120_000);

test('a hostname in a domain of another namespace is not shipped, and what ran before the rule goes on', async () => {
  const { caches, config } = warranted(stage.caches);
  const known = caches.configs.get(config);
  const domains = [{ domain: 'bank.example', namespaces: ['bank'] }];
  const configs = { ...caches.configs, get: () => known && { ...known, spec: { ...known.spec, domains } } };
  const strict = hubApply({ ...stage, ...warranted(stage.caches), caches: { ...caches, configs } });
  const ref = await stage.make({ name: 'closed', spec: { routeSpec: { hostname: 'shop.bank.example' } } });
  const refused = {
    outcome: 'Refused',
    reason: 'HostnameClosed',
    message: expect.stringContaining('not open to namespace apps'),
  };
  expect(await strict.apply(ref, 'site-1', aPlacing(ref), null)).toMatchObject(refused);
  expect(await stage.work(ref)).toBeNull();
  expect(await apply(ref)).toMatchObject({ outcome: 'Applied' });
  expect(await strict.apply(ref, 'site-1', aPlacing(ref), null)).toMatchObject({ outcome: 'Applied' });
  await stage.kube.patch(CAPP, ref, { spec: { scaleMetric: 'rps' } });
  expect(await strict.apply(ref, 'site-1', aPlacing(ref), null)).toMatchObject(refused);
});

test('the other Capp is applied when the older asks for another hostname or is gone', async () => {
  const [first, second, third] = await contenders('two.example.com', 'two-a', 'two-b', 'two-c');
  if (first === undefined || second === undefined || third === undefined) throw new Error('three were made');
  expect(await apply(second)).toMatchObject(taken(first));
  await stage.kube.patch(CAPP, first, { spec: { routeSpec: { hostname: 'other.example.com' } } });
  expect(await apply(second, await mark(first))).toMatchObject({ outcome: 'Applied' });
  expect(await apply(third)).toMatchObject(taken(second));
  await stage.kube.patch(CAPP, second, { metadata: { finalizers: null } });
  await stage.kube.remove(CAPP, second);
  // A bridge would carry the version of the deletion; the version of a later Capp is as new.
  const later = await stage.make({ name: 'two-later' });
  expect(await apply(third, await mark(later))).toMatchObject({ outcome: 'Applied' });
});

test('a Capp that is being deleted and has lost our finalizer does not keep its hostname', async () => {
  const [older, younger] = await contenders('five.example.com', 'five-a', 'five-b');
  if (older === undefined || younger === undefined) throw new Error('two were made');
  await stage.kube.patch(CAPP, older, { metadata: { finalizers: ['test/hold', FINALIZER] } });
  await stage.kube.remove(CAPP, older);
  expect(await apply(younger, await mark(older))).toMatchObject(taken(older));
  await stage.kube.patch(CAPP, older, { metadata: { finalizers: ['test/hold'] } });
  expect(await apply(younger, await mark(older))).toMatchObject({ outcome: 'Applied' });
  const other = await stage.make({
    name: 'five-c',
    spec: { routeSpec: { hostname: 'other-five.example.com' } },
  });
  await stage.kube.patch(CAPP, older, { spec: { routeSpec: { hostname: 'other-five.example.com' } } });
  expect(await apply(other, await mark(older))).toMatchObject({ outcome: 'Applied' });
  await stage.kube.patch(CAPP, older, { metadata: { finalizers: null } });
});

test('a serving Capp keeps its work while its new hostname is taken', async () => {
  const owner = await stage.make({ name: 'three-a', spec: { routeSpec: { hostname: 'three.example.com' } } });
  await cached(owner);
  await apply(owner);
  const ref = await youngerThan(owner, 'three-b', 'old.example.com');
  expect(await apply(ref)).toMatchObject({ outcome: 'Applied' });
  const before = (await stage.work(ref))?.metadata.resourceVersion;
  await stage.kube.patch(CAPP, ref, { spec: { routeSpec: { hostname: 'THREE.example.com' } } });
  expect(await apply(ref)).toMatchObject(taken(owner));
  expect((await stage.work(ref))?.metadata.resourceVersion).toBe(before);
});

test('a Capp without a hostname does not wait for a cache', async () => {
  const ref = await stage.make({ name: 'four' });
  expect(await apply(ref, { minimumVersions: { Capp: '99999999999' } })).toMatchObject({
    outcome: 'Applied',
  });
});

test('a Capp does not wait for a resource version that was never written', async () => {
  const asking = await stage.make({ name: 'four-b', spec: { routeSpec: { hostname: 'four.example.com' } } });
  expect(await apply(asking, { minimumVersions: { Capp: '9'.repeat(20) } })).toMatchObject({
    outcome: 'Applied',
  });
});
