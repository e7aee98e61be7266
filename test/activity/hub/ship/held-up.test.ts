// An edit that the hub's API server does not accept is reported on the Capp, and a permanent refusal is
// explained.
import { asyncLocalStorage } from '@temporalio/activity';
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import type { CappRef, State } from '../../../../workflows/capp/state.ts';
import { conditionOf } from '../../../../testbed/capps.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { startFaultProxy, type FaultProxy } from '../../../support/servers/network/fault-proxy.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { aFinding, aPlacing } from '../../../support/builders/states.ts';
import { warranted } from '../../../support/testbeds/hub/warranted.ts';

let stage: HubForTests;
let proxy: FaultProxy;
let faulty: Kube;
beforeAll(async () => {
  stage = await startHub();
  proxy = await startFaultProxy(stage.kubeconfig);
  faulty = connect({ kubeconfig: proxy.kubeconfig });
}, 300_000);
afterEach(() => proxy.heal());
afterAll(async () => {
  await faulty?.close();
  await proxy?.stop();
  await stage?.stop();
});

/** Runs `apply` as Temporal runs this attempt of the activity. */
function applyInTry(attempt: number, ref: CappRef, state: State): Promise<unknown> {
  const info = { attempt, startToCloseTimeoutMs: 30_000 };
  const context = { info, cancellationSignal: new AbortController().signal };
  return asyncLocalStorage.run(context as never, () =>
    hubApply({ ...stage, ...warranted(stage.caches), kube: faulty }).apply(ref, 'site-1', state, null),
  );
}

/** A Capp that was applied and that its agent reports as Ready. */
async function ready(name: string): Promise<{ ref: CappRef; state: State }> {
  const ref = await stage.make({ name });
  const { state } = await stage.ship(ref);
  const copy = state.copies['site-1'];
  if (copy === undefined) throw new Error('nothing was shipped');
  return {
    ref,
    state: {
      ...state,
      statusDecidedAt: 1_000,
      copies: { 'site-1': { ...copy, finding: aFinding(), heard: true } },
    },
  };
}

async function edit({ namespace, name }: CappRef): Promise<void> {
  await stage.kube.patch(CAPP, { namespace, name }, { spec: { scaleMetric: 'cpu' } });
}

test('an edit that several attempts could not apply sets HubUnavailable on the Capp until it is applied', async () => {
  const { ref, state } = await ready('edited');
  await edit(ref);
  proxy.fault(({ path }) => (path.includes('/manifestworks') ? { answer: 500 } : undefined));
  await expect(applyInTry(1, ref, state)).rejects.toMatchObject({ type: 'Unreachable' });
  expect((await stage.read(ref)).status?.observedGeneration).toBe(1);
  await expect(applyInTry(5, ref, state)).rejects.toMatchObject({ type: 'Unreachable' });
  const told = await stage.read(ref);
  expect(told.status?.observedGeneration).toBe(2);
  expect(conditionOf(told, 'Ready')).toMatchObject({
    status: 'False',
    reason: 'HubUnavailable',
    observedGeneration: 2,
  });
  expect(conditionOf(told, 'Applied')?.message).toMatch(
    /does not accept generation 2 for site-1 .*500.*look at the hub's API server/,
  );

  proxy.heal();
  await applyInTry(6, ref, state);
  expect(conditionOf(await stage.read(ref), 'Applied')).toMatchObject({
    status: 'Unknown',
    reason: 'Applying',
  });
});

test('a Capp without an edit keeps its status while works cannot be written', async () => {
  const { ref, state } = await ready('unchanged');
  const before = await stage.read(ref);
  proxy.fault(({ path }) => (path.includes('/manifestworks') ? { answer: 500 } : undefined));
  await expect(applyInTry(9, ref, state)).rejects.toMatchObject({ type: 'Unreachable' });
  expect((await stage.read(ref)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
});

test('a site without a namespace on the hub is refused with a message that says what to check', async () => {
  const { apiVersion, kind } = MANAGED_CLUSTER;
  await stage.kube.create(MANAGED_CLUSTER, { apiVersion, kind, metadata: { name: 'nowhere' } });
  await eventually(() => stage.caches.clusters.get({ namespace: null, name: 'nowhere' }));
  const ref = await stage.make({ name: 'homeless', spec: { site: 'nowhere' } });
  const message = expect.stringContaining(
    'nowhere has no namespace on the hub, so nothing can be sent there',
  ) as string;
  const shipping = stage.hub.apply(ref, 'nowhere', aPlacing(ref, 'nowhere'), null);
  await expect(shipping).rejects.toMatchObject({ type: 'Gone', message, details: [{ generation: 1 }] });
});

test('a namespace in which the hub worker may not write is refused with a message too', async () => {
  const ref = await stage.make({ name: 'forbidden' });
  proxy.fault(({ method, path }) =>
    method === 'POST' && path.includes('/manifestworks') ? { answer: 403 } : undefined,
  );
  const message = expect.stringContaining(
    'The hub may not write ManifestWorks in namespace site-1',
  ) as string;
  await expect(applyInTry(1, ref, aPlacing(ref))).rejects.toMatchObject({ type: 'Forbidden', message });
});
