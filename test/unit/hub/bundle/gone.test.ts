// What comes of sites that are to get a revision of which nothing is kept any more.
import { shipAs, type BundleOrder } from '../../../../activities/hub/bundle/carry-out.ts';
import { restore } from '../../../../activities/hub/bundle/revisions.ts';
import { patternOf } from '../../../../crds/bundle/bundle-revision.ts';
import { BUNDLE_FINALIZER } from '../../../../crds/labels.ts';
import type { Kube } from '../../../../kube/client.ts';
import { aBundle, aConfigMap, rendered } from '../../../support/builders/fleet/bundles.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

/** `site-1` has another revision, `site-2` has nothing yet. */
function goingTo(direction: 'Forward' | 'Back') {
  const bundle = aBundle({}, { finalizers: [BUNDLE_FINALIZER] });
  const kube = { get: async () => null } as unknown as Kube;
  const member = (cluster: string, revision: string | null) => ({
    site: { cluster },
    work: undefined,
    target: { revision },
  });
  const order = {
    kube,
    bundle,
    newest: { bundle, loaded: { carried: [], version: '' }, rendered: rendered(bundle) },
    terms: { executorNamespace: null },
    heldBack: () => null,
    look: {
      members: [member('site-1', 'other'), member('site-2', null)],
      plan: {
        advance: ['site-1', 'site-2'].map((cluster) => ({ cluster, revision: 'gone' })),
        rollout: { direction },
      },
    },
  } as unknown as BundleOrder;
  return shipAs(order, 100, NOW);
}

test('a site keeps what it has, and says which revision is gone', async () => {
  const shipped = await goingTo('Forward');
  expect(shipped.get('site-1')).toEqual({
    is: 'refused',
    refusal: {
      reason: 'RevisionGone',
      message:
        'BundleRevision of gone is no longer kept. So the site cannot get that revision again. Edit the Bundle.',
    },
  });
});

test('a new site waits for its turn while the rollout goes forward, and fails on the way back', async () => {
  const whatIs = async (direction: 'Forward' | 'Back') =>
    [...(await goingTo(direction)).values()].map(({ is }) => is);
  expect(await whatIs('Forward')).toEqual(['refused', 'waits']);
  expect(await whatIs('Back')).toEqual(['refused', 'refused']);
});

test('what is kept of a revision is shipped only if it still comes to exactly that revision', async () => {
  const [red, blue] = [aBundle(), aBundle({ manifests: [aConfigMap({ color: 'blue' })] })];
  const kept = {
    metadata: { name: 'kept', ownerReferences: [{ uid: red.metadata.uid }] },
    spec: { secrets: '', pattern: patternOf(red.spec) },
  };
  const kube = { get: async () => kept } as unknown as Kube;
  const terms = { executorNamespace: 'add-on' };
  const as = { terms, heldBack: () => null };
  const restored = (bundle: typeof red) => restore(kube, blue, rendered(bundle, 'add-on').revision, as);
  expect(await restored(red)).toMatchObject({ rendered: { revision: rendered(red, 'add-on').revision } });
  expect(await restored(blue)).toMatchObject({ reason: 'RevisionGone' });
});
