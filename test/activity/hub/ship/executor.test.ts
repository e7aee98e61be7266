// As whom OCM applies the works of Capps, on a real API server: a site that reports the account gets it with
// the next change of a work, and nothing is written for its sake.
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { cappsExecutor, cappsExecutorClaim } from '../../../../crds/ocm/executors.ts';
import { MANAGED_CLUSTER, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { CappRef, State } from '../../../../workflows/capp/state.ts';
import { withApplied } from '../../../../workflows/capp/after/apply.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { aPlacing } from '../../../support/builders/states.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { warranted } from '../../../support/testbeds/hub/warranted.ts';

const SITE = { namespace: null, name: 'site-1' };
const sender = { hub: 'hub-a', operator: { namespace: 'add-on', name: 'cappstan-site' } };
const EXECUTOR = { namespace: 'add-on', name: cappsExecutor('hub-a') };
const READY = `add-on/${EXECUTOR.name}`;

let stage: HubForTests;
let hub: ReturnType<typeof hubApply>;
beforeAll(async () => {
  stage = await startHub();
  const { kube, events, audit, caches } = stage;
  hub = hubApply({ kube, events, audit, ...warranted(caches), sender });
  await kube.create(MANAGED_CLUSTER, {
    apiVersion: MANAGED_CLUSTER.apiVersion,
    kind: MANAGED_CLUSTER.kind,
    metadata: { name: SITE.name },
  });
}, 300_000);
afterAll(() => stage?.stop());

/** What site-1 says; the hub's cache has it afterwards. */
async function claims(value: string | null): Promise<void> {
  const clusterClaims = value === null ? [] : [{ name: cappsExecutorClaim('hub-a'), value }];
  await stage.kube.patch(MANAGED_CLUSTER, SITE, { status: { clusterClaims } }, { subresource: 'status' });
  await eventually(() => {
    const [claim] = stage.caches.clusters.get(SITE)?.status?.clusterClaims ?? [];
    return (claim?.value ?? null) === value ? true : undefined;
  });
}

interface Shipped {
  readonly work: ManifestWork;
  readonly state: State;
}

async function ship(ref: CappRef, state: State = aPlacing(ref)): Promise<Shipped> {
  const applied = await hub.apply(ref, 'site-1', state, null);
  const work = await stage.work(ref);
  if (work === null) throw new Error(`Nothing was shipped: ${JSON.stringify(applied)}`);
  return { work, state: withApplied(state, 'site-1', applied) };
}

const accountOf = ({ spec }: ManifestWork) => spec?.executor?.subject.serviceAccount;

/** An edit of the user's that changes what is shipped. */
async function edit(ref: CappRef, text: string): Promise<void> {
  await stage.kube.patch(CAPP, ref, { metadata: { annotations: { 'example.com/note': text } } });
}

test('a work from before the account is left alone when its site reports it, and gets it with its next change', async () => {
  await claims(null);
  const ref = await stage.make({ name: 'upgraded' });
  const before = await ship(ref);
  expect(accountOf(before.work)).toBeUndefined();

  await claims(READY);
  const same = await ship(ref, before.state);
  expect(same.work.metadata).toEqual(before.work.metadata);

  await edit(ref, 'changed');
  const after = await ship(ref, same.state);
  expect(accountOf(after.work)).toEqual(EXECUTOR);
});

test('a work keeps the account while only its site stops reporting it, and loses it with its next change', async () => {
  await claims(READY);
  const ref = await stage.make({ name: 'withdrawn' });
  const before = await ship(ref);
  expect(accountOf(before.work)).toEqual(EXECUTOR);

  await claims(null);
  const same = await ship(ref, before.state);
  expect(same.work.metadata).toEqual(before.work.metadata);

  await edit(ref, 'changed');
  const after = await ship(ref, same.state);
  expect(after.work.spec).not.toHaveProperty('executor');
});

test('a site that names another account gets none, so that no site chooses with whose rights it is written to', async () => {
  for (const [index, said] of [
    'kube-system/admin',
    `kube-system/${EXECUTOR.name}`,
    `add-on/${cappsExecutor('hub-b')}`,
  ].entries()) {
    await claims(said);
    const { work } = await ship(await stage.make({ name: `misled-${index}` }));
    expect(work.spec).not.toHaveProperty('executor');
  }
});
