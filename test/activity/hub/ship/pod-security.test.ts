// The Pod Security level of a namespace on the hub is carried by its Capps' works, on a real API server.
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import { capp } from '../../../../testbed/capps.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { aPlacing } from '../../../support/builders/states.ts';
import { warranted } from '../../../support/testbeds/hub/warranted.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
}, 300_000);
afterAll(() => stage?.stop());

const ENFORCE = 'pod-security.kubernetes.io/enforce';

async function open(name: string, labels: Record<string, string>): Promise<CappRef> {
  await stage.kube.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  const { metadata } = await stage.kube.create<Capp>(CAPP, capp({ namespace: name, name: 'app' }));
  return { namespace: name, name: 'app', uid: metadata.uid ?? '' };
}

async function asked(ref: CappRef): Promise<string | undefined> {
  const [namespace] = (await stage.work(ref))?.spec?.workload.manifests ?? [];
  expect(namespace?.kind).toBe('Namespace');
  return namespace?.metadata.labels?.[ENFORCE];
}

test('a work carries the Pod Security level of its namespace, even if no cache shows the namespace yet', async () => {
  const ref = await open('strict', { [ENFORCE]: 'restricted', team: 'one' });
  const behind = { get: () => undefined };
  const caches = { ...stage.caches, namespaces: behind } as unknown as HubForTests['caches'];
  await hubApply({ kube: stage.kube, ...warranted(caches), events: stage.events, audit: stage.audit }).apply(
    ref,
    'site-1',
    aPlacing(ref),
    null,
  );
  expect(await asked(ref)).toBe('restricted');
});

test('a changed Pod Security level is carried without a new stamp, so that it starts no rollout', async () => {
  const ref = await open('later', {});
  const { applied, state } = await stage.ship(ref);
  expect(await asked(ref)).toBeUndefined();
  await stage.kube.patch(
    NAMESPACE,
    { namespace: null, name: 'later' },
    { metadata: { labels: { [ENFORCE]: 'baseline' } } },
  );
  await eventually(
    () => stage.caches.namespaces.get({ namespace: null, name: 'later' })?.metadata.labels?.[ENFORCE],
  );
  expect((await stage.ship(ref, state)).applied).toMatchObject({
    stamp: (applied as { stamp: string }).stamp,
  });
  expect(await asked(ref)).toBe('baseline');
});
