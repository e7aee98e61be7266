// The site operator opens Secrets that come sealed, on a real API server: its key, its claim, the Secret and
// what is said when it cannot be.
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE } from '../../../crds/kubernetes/knative.ts';
import { MANAGED_BY, MANAGED_BY_HUB, SEALED, SEEN_BY_INGRESS } from '../../../crds/labels.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { CLUSTER_CLAIM } from '../../../crds/ocm/cluster-claim.ts';
import { SITE_KEYS } from '../../../crds/sealing/site-key.ts';
import { SITE_TIMES } from '../../../site/times.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { at, NS, PLACE } from '../../support/testbeds/site/site.ts';
import { CLAIM, holding, sealedSite } from '../../support/testbeds/site/sealed-site.ts';

const { testbed, claimed, bring, sealedNow, secretNow, says } = sealedSite();
const KEYS = { namespace: PLACE, name: SITE_KEYS };

test('the site claims a key that it has made once, and keeps it over a restart', async () => {
  const key = await claimed();
  const kept = await testbed.kube.get<Secret>(SECRET, KEYS);
  await testbed.restart();
  await bring('first', holding('v'));
  await says('first', 'Opened');
  expect(await claimed()).toEqual(key);
  expect((await testbed.kube.get<Secret>(SECRET, KEYS))?.metadata.resourceVersion).toBe(
    kept?.metadata.resourceVersion,
  );
});

test('it opens a Secret with type, labels and values, owned by what brought it', async () => {
  const sealed = await bring('tls', holding('one', { type: 'example.com/tls' }), 'tls', {
    [SEEN_BY_INGRESS]: '',
  });
  await says('tls', 'Opened');
  const secret = await secretNow('tls');
  expect(secret).toMatchObject({ type: 'example.com/tls', data: { password: btoa('one') } });
  expect(secret?.metadata.labels).toEqual({ [MANAGED_BY]: MANAGED_BY_HUB, [SEEN_BY_INGRESS]: '' });
  expect(secret?.metadata.ownerReferences).toMatchObject([
    { kind: 'CappSecret', name: 'tls', uid: sealed.metadata.uid },
  ]);
});

test('it follows each change, also of the type and of what is immutable, and writes nothing twice', async () => {
  await bring('moving', holding('one', { data: { old: btoa('x'), password: btoa('one') } }));
  await says('moving', 'Opened');
  await bring('moving', holding('two'));
  await says('moving', 'Opened');
  expect((await secretNow('moving'))?.data).toEqual({ password: btoa('two') });

  await bring('moving', holding('two', { type: 'example.com/other', immutable: true }));
  await says('moving', 'Opened');
  expect(await secretNow('moving')).toMatchObject({ type: 'example.com/other', immutable: true });
  await bring('moving', holding('three', { type: 'example.com/other', immutable: true }));
  await says('moving', 'Opened');
  const before = [await secretNow('moving'), await sealedNow('moving')];
  expect(before[0]).toMatchObject({ data: { password: btoa('three') } });

  await testbed.restart();
  await bring('later', holding('v'));
  await says('later', 'Opened');
  expect([await secretNow('moving'), await sealedNow('moving')]).toEqual(before);
});

test('an opened Secret that somebody edits or deletes is put right at the next look, five minutes later at most', async () => {
  await bring('edited', holding('good'));
  await bring('deleted', holding('good'));
  await Promise.all([says('edited', 'Opened'), says('deleted', 'Opened')]);
  await testbed.kube.patch(SECRET, at('edited'), { data: { password: btoa('bad'), more: btoa('x') } });
  await testbed.kube.remove(SECRET, at('deleted'));
  // A start is such a look, too.
  await testbed.restart();
  for (const name of ['edited', 'deleted'])
    await eventually(async () => {
      const { data } = (await secretNow(name)) ?? {};
      return data?.['password'] === btoa('good') ? true : undefined;
    });
  expect(SITE_TIMES.sealedAgain.ms).toBeLessThanOrEqual(300_000);
});

test('what was sealed for another name does not open, and what was there stays', async () => {
  await bring('mine', holding('good'));
  await says('mine', 'Opened');
  await bring('mine', holding('stolen'), 'yours');
  expect(await says('mine', 'Unreadable')).toContain('sealed for another name');
  expect((await secretNow('mine'))?.data).toEqual({ password: btoa('good') });
});

test('a Secret that a work still owns keeps that owner, so that no switch back deletes it', async () => {
  const work = {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'AppliedManifestWork',
    name: 'w',
    uid: 'w-1',
  };
  const metadata = { ...at('shared'), labels: { [MANAGED_BY]: MANAGED_BY_HUB }, ownerReferences: [work] };
  await testbed.kube.create(SECRET, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    type: 'Opaque',
    data: { password: btoa('plain') },
  });
  const { uid } = (await secretNow('shared'))?.metadata ?? {};
  await bring('shared', holding('sealed', { type: 'Opaque' }));
  await says('shared', 'Opened');
  const secret = await secretNow('shared');
  expect(secret?.metadata.uid).toBe(uid);
  expect(secret?.metadata.ownerReferences?.map(({ kind }) => kind)).toEqual([
    'AppliedManifestWork',
    'CappSecret',
  ]);
  expect(secret?.data).toEqual({ password: btoa('sealed') });
});

test('a Capp waits for the Secrets that come sealed for it, and says which cannot be opened', async () => {
  const template = { spec: { containers: [{ name: 'app', image: 'i:1' }] } };
  await testbed.kube.raw('POST', `/apis/${CAPP.apiVersion}/namespaces/${NS}/capps`, {
    body: {
      apiVersion: CAPP.apiVersion,
      kind: CAPP.kind,
      metadata: { ...at('waits'), annotations: { [SEALED]: 'needed' } },
      spec: { configurationSpec: { template } },
    },
  });
  await testbed.says('waits', 'Ready', 'Deploying');
  expect(await testbed.kube.get(KNATIVE_SERVICE, at('waits'))).toBeNull();
  await bring('needed', holding('v'), 'other');
  const failed = await testbed.says('waits', 'Ready', 'SecretSealed');
  expect(JSON.stringify(failed.status)).toContain('Secret needed came sealed and is not open');
  expect(await testbed.kube.get(KNATIVE_SERVICE, at('waits'))).toBeNull();
  await bring('needed', holding('v'));
  await eventually(async () => (await testbed.kube.get(KNATIVE_SERVICE, at('waits'))) ?? undefined);
});

test('a new key is claimed when the key of now is taken away, and the old one goes on opening', async () => {
  const before = await claimed();
  const old = await bring('rotated', holding('old'));
  await says('rotated', 'Opened');
  await testbed.kube.patch(SECRET, KEYS, { data: { current: null } });
  await testbed.restart();
  const now = await claimed(before);
  await testbed.kube.remove(SECRET, at('rotated'));
  await testbed.restart();
  await eventually(async () => (await secretNow('rotated')) ?? undefined);
  expect((await sealedNow('rotated'))?.spec).toEqual(old.spec);
  expect(await claimed()).toEqual(now);
});

test('without its keys a site says so, leaves what it has, and opens what is sealed to its new key', async () => {
  const before = await claimed();
  await bring('lost', holding('old'));
  await says('lost', 'Opened');
  await testbed.kube.remove(SECRET, KEYS);
  await testbed.restart();
  expect(await says('lost', 'UnknownKey')).toContain(`${PLACE}/${SITE_KEYS}`);
  expect((await secretNow('lost'))?.data).toEqual({ password: btoa('old') });
  await claimed(before);
  await bring('lost', holding('new'));
  await says('lost', 'Opened');
  expect((await secretNow('lost'))?.data).toEqual({ password: btoa('new') });
});

test('what somebody else claims as its key is replaced', async () => {
  const key = await claimed();
  await testbed.kube.patch(CLUSTER_CLAIM, CLAIM, { spec: { value: 'x25519.AAAA' } });
  await testbed.restart();
  expect(await claimed()).toEqual(key);
});
