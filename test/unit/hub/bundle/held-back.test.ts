// What keeps the Secrets of a Bundle out of works where Secrets may go to sites only sealed.
import { heldBackOf } from '../../../../activities/hub/bundle/manifests/sealed-only.ts';
import { restore } from '../../../../activities/hub/bundle/revisions.ts';
import { patternOf } from '../../../../crds/bundle/bundle-revision.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import type { Kube } from '../../../../kube/client.ts';
import { listed } from '../../../../kube/watch/listed.ts';
import { aBundle, aConfigMap } from '../../../support/builders/fleet/bundles.ts';
import { bundleWorld } from '../../../support/testbeds/fleet/bundle-world.ts';

const SECRET = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'apps', name: 'db' },
  stringData: { password: 'canary' },
};

test('no work is written while sealing is required, and one when the namespace is exempted', async () => {
  const world = bundleWorld(['a'], { manifests: [aConfigMap(), SECRET] });
  world.secrets = { sealing: 'Required' };
  await world.turn();
  expect(world.works.size).toBe(0);
  expect(world.bundle.status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Stalled', status: 'True', reason: 'SecretNotSealed' }),
  );
  world.secrets = { sealing: 'Required', unsealedBundles: ['apps'] };
  await world.turn();
  expect(world.works.size).toBe(1);
});

test('an edit is held back where the Bundle runs, whose work stays as it is', async () => {
  const world = bundleWorld(['a'], { manifests: [aConfigMap({ color: 'red' }), SECRET] });
  await world.turn();
  world.apply('a');
  await world.turn();
  const before = world.works.get('a');
  world.secrets = { sealing: 'Required' };
  world.edit({ manifests: [aConfigMap({ color: 'blue' }), SECRET] });
  await world.turn();
  expect(world.works.get('a')).toBe(before);
  world.edit({ manifests: [aConfigMap({ color: 'blue' })] });
  await world.turn();
  expect(JSON.stringify(world.works.get('a'))).toContain('blue');
  expect(JSON.stringify(world.works.get('a'))).not.toContain(btoa('canary'));
});

test('an earlier revision is not shipped with a Secret that it had, and says which', async () => {
  const former = aBundle({ manifests: [SECRET] });
  const kept = {
    metadata: { name: 'kept', ownerReferences: [{ uid: former.metadata.uid }] },
    spec: { secrets: '', pattern: patternOf(former.spec) },
  };
  const kube = { get: async () => kept } as unknown as Kube;
  const config = {
    metadata: RCS_CONFIG_KEY,
    spec: { placements: [], secrets: { sealing: 'Required' } },
  };
  const rules = { caches: { configs: listed([config]) }, config: RCS_CONFIG_KEY } as never;
  const as = { terms: { executorNamespace: 'add-on' }, heldBack: heldBackOf(rules, former) };
  const refusal = await restore(kube, aBundle(), 'f'.repeat(32), as);
  expect(refusal).toMatchObject({ reason: 'RevisionGone' });
  expect(JSON.stringify(refusal)).toContain(
    'cannot be shipped as it was: spec.manifests[0] is Secret apps/db.',
  );
});
