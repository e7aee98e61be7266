// What the deletion of a Capp asks of the API server: many may be deleted at once.
import { hubRetire } from '../../../../activities/hub/retire/retire.ts';
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { MANIFEST_WORK, WORK_FINALIZER } from '../../../../crds/ocm/ocm.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import { aPlacing } from '../../../support/builders/states.ts';
import { countingRequests } from '../../../support/testbeds/hub/counting.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { warranted } from '../../../support/testbeds/hub/warranted.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
}, 300_000);
afterAll(() => stage?.stop());

/** Its work is held by its work agent. */
async function deleted(name: string): Promise<CappRef> {
  const ref = await stage.make({ name });
  await stage.ship(ref);
  await stage.taken(ref);
  await eventually(() => stage.caches.works.by('name', `mw-create-${APPS}-${name}`)[0]);
  await stage.kube.remove(CAPP, ref);
  await eventually(() => stage.caches.capps.get(ref)?.metadata.deletionTimestamp);
  return ref;
}

test('an apply that knows of the deletion asks for nothing', async () => {
  const ref = await deleted('known');
  const { asked, kube } = countingRequests(stage.kube);
  const { apply } = hubApply({ kube, ...warranted(stage.caches), events: stage.events, audit: stage.audit });
  expect(await apply(ref, 'site-1', aPlacing(ref), null)).toEqual({ outcome: 'Deleted' });
  expect(asked).toEqual([]);
});

test('the works of a deleted Capp are listed once: before its finalizer goes', async () => {
  const ref = await deleted('listed');
  const { asked, kube } = countingRequests(stage.kube);
  const { retire } = hubRetire({ kube, caches: stage.caches, audit: stage.audit });
  expect(await retire(ref)).toMatchObject({ outcome: 'Leaving', clusters: ['site-1'] });
  // No cluster of that name has joined this hub, which is looked at last.
  expect(asked.slice(0, 4)).toEqual([
    'get Capp',
    'get ManifestWork',
    'remove ManifestWork',
    'get ManagedCluster',
  ]);
  const key = { namespace: 'site-1', name: `mw-create-${APPS}-listed` };
  await stage.kube.patch(MANIFEST_WORK, key, { metadata: { finalizers: null } });
  await eventually(() => (stage.caches.works.get(key) === undefined ? true : undefined));
  expect(await retire(ref)).toEqual({ outcome: 'Retired' });
  const listed = asked.filter((request) => request === 'list ManifestWork');
  expect([listed.length, asked.at(-1)]).toEqual([1, 'patch Capp']);
});

test('a work that no cache has yet is found before the finalizer goes', async () => {
  const ref = await deleted('unseen');
  const { works, ...caches } = stage.caches;
  const { retire } = hubRetire({
    kube: stage.kube,
    caches: { ...caches, works: { ...works, by: () => [] } },
    audit: stage.audit,
  });
  const key = { namespace: 'site-1', name: `mw-create-${APPS}-unseen` };
  expect((await stage.work(ref))?.metadata.finalizers).toContain(WORK_FINALIZER);
  expect(await retire(ref)).toMatchObject({ outcome: 'Leaving', clusters: ['site-1'] });
  await stage.kube.patch(MANIFEST_WORK, key, { metadata: { finalizers: null } });
  expect(await retire(ref)).toEqual({ outcome: 'Retired' });
});
