// What keeps the Secrets of a Bundle out of works where Secrets may go to sites only sealed.
import { jest } from '@jest/globals';
import { heldBackOf } from '../../../../activities/hub/bundle/manifests/sealed-only.ts';
import { restore } from '../../../../activities/hub/bundle/revisions.ts';
import { patternOf } from '../../../../crds/bundle/bundle-revision.ts';
import { RETRY } from '../../../../crds/labels.ts';
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

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

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
  const revision = () => world.bundle.status?.rollout?.revision;
  const running = revision();
  world.secrets = { sealing: 'Required' };
  world.edit({ manifests: [aConfigMap({ color: 'blue' }), SECRET] });
  await world.turn();
  expect([world.works.get('a'), revision()]).toEqual([before, running]);
  expect(world.bundle.status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Stalled', status: 'True', reason: 'SecretNotSealed' }),
  );
  world.edit({ manifests: [aConfigMap({ color: 'blue' })] });
  await world.turn();
  expect(JSON.stringify(world.works.get('a'))).toContain('blue');
  expect(JSON.stringify(world.works.get('a'))).not.toContain(btoa('canary'));
});

test.each([
  ['goes on where only the newest content is held back', [aConfigMap({ color: 'red' })], true],
  ['stops where what it goes back to is held back', [aConfigMap({ color: 'red' }), SECRET], false],
])('a way back %s', async (_, former, goesOn) => {
  const strategy = { maxConcurrent: '100%', deadlineSeconds: 60, onFailure: 'RollBack' };
  const sites = ['a', 'b'];
  const world = bundleWorld(sites, { manifests: former, strategy });
  const isBack = () => sites.every((site) => JSON.stringify(world.works.get(site)).includes('"red"'));
  const turns = async (many: number) => {
    for (let done = 0; done < many; done += 1) await world.turn();
  };
  await turns(2);
  for (const site of sites) world.apply(site);
  await turns(2);
  world.edit({ manifests: [aConfigMap({ color: 'blue' }), SECRET] });
  await world.turn();
  expect(isBack()).toBe(false);
  // Nobody hears that it is there. The rollout turns round, and no work is written back yet.
  jest.setSystemTime(Date.now() + 61_000);
  for (const site of sites) world.codes[site] = 503;
  await world.turn();
  expect(world.bundle.status?.rollout?.direction).toBe('Back');
  for (const site of sites) delete world.codes[site];
  world.secrets = { sealing: 'Required' };
  jest.setSystemTime(Date.now() + 10_000);
  await turns(2);
  expect(isBack()).toBe(goesOn);
  // What is held back comes to no site either when a person has it tried again.
  const before = sites.map((site) => world.works.get(site)?.spec);
  world.annotate({ [RETRY]: '#again' });
  await turns(2);
  expect(sites.map((site) => world.works.get(site)?.spec)).toEqual(before);
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
