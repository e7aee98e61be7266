// What the site operator does not open: Secrets that are somebody else's, and Namespaces in which no Capp may
// be.
import { SECRET } from '../../../crds/kubernetes/core.ts';
import { HUB, MANAGED_BY, MANAGED_BY_HUB } from '../../../crds/labels.ts';
import { CAPP_SECRET, OPENED, sealedFor, type CappSecret } from '../../../crds/sealing/capp-secret.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { at } from '../../support/testbeds/site/site.ts';
import { holding, sealedSite } from '../../support/testbeds/site/sealed-site.ts';

const { testbed, hubKey, claimed, bring, secretNow, says } = sealedSite();

test('what comes for a Namespace in which no Capp may be is not opened', async () => {
  const place = { namespace: 'kube-system', name: 'stray' };
  const { apiVersion, kind } = CAPP_SECRET;
  const spec = sealedFor(await claimed(), place, holding('v'), hubKey);
  const metadata = { ...place, labels: { [MANAGED_BY]: MANAGED_BY_HUB } };
  await testbed.kube.create(CAPP_SECRET, { apiVersion, kind, metadata, spec });
  const said = await eventually(async () => {
    const { status } = (await testbed.kube.get<CappSecret & KubeObject>(CAPP_SECRET, place)) ?? {};
    return status?.conditions?.find(({ type }) => type === OPENED);
  });
  expect(said).toMatchObject({ status: 'False', reason: 'NamespaceClosed' });
  expect(await testbed.kube.get(SECRET, place)).toBeNull();
});

test('a Secret that a work of another hub carries is left as it is, and taken over when nobody holds it', async () => {
  const ownerReferences = [
    {
      apiVersion: 'work.open-cluster-management.io/v1',
      kind: 'AppliedManifestWork',
      name: 'theirs',
      uid: 'uid-9',
    },
  ];
  const labels = { [MANAGED_BY]: MANAGED_BY_HUB, [HUB]: 'another-hub' };
  await testbed.kube.create(SECRET, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...at('theirs'), labels, ownerReferences },
    data: { a: btoa('b') },
  });
  const before = await secretNow('theirs');
  await bring('theirs', holding('ours'));
  expect(await says('theirs', 'NameTaken')).toContain('hub another-hub');
  expect(await secretNow('theirs')).toEqual(before);

  await testbed.kube.patch(SECRET, at('theirs'), { metadata: { ownerReferences: null } });
  await testbed.restart();
  await says('theirs', 'Opened');
  expect((await secretNow('theirs'))?.data).toEqual({ password: btoa('ours') });
});

test("somebody else's Secret of that name is neither shown nor changed, and taken when it is handed over", async () => {
  const metadata = { ...at('foreign'), labels: { app: 'x' } };
  await testbed.kube.create(SECRET, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    data: { a: btoa('b') },
  });
  const before = await secretNow('foreign');
  await bring('foreign', holding('ours'));
  expect(await says('foreign', 'NameTaken')).toContain('does not belong to Cappstan');
  expect(await secretNow('foreign')).toEqual(before);

  await testbed.kube.patch(SECRET, at('foreign'), { metadata: { labels: { [MANAGED_BY]: MANAGED_BY_HUB } } });
  await testbed.restart();
  await says('foreign', 'Opened');
  expect((await secretNow('foreign'))?.data).toEqual({ password: btoa('ours') });
});
