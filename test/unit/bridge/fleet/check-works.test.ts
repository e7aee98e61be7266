// The works with the Jobs that check Bundles, as the bridge hears of them.
import { openingsOf } from '../../../../bridge/changes/openings.ts';
import { keptBundles, type BundlesWatched } from '../../../../bridge/fleet/bundles.ts';
import { CHECKS_OF } from '../../../../crds/labels.ts';
import { checkWorkName } from '../../../../crds/ocm/check-work.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { fakeCache } from '../../../support/builders/process/fake-cache.ts';

const BASE = { namespace: 'platform', name: 'base' };
const jobs = (labels: Readonly<Record<string, string>> = { [CHECKS_OF]: 'x' }): KubeObject => ({
  metadata: { namespace: 'site-1', name: checkWorkName(BASE), labels },
});

function watching(...held: KubeObject[]) {
  const none = fakeCache().cache;
  const works = fakeCache(...held);
  const watched = {
    bundles: none,
    works: works.cache,
    secrets: none,
    configMaps: none,
    clusters: none,
    configs: none,
    placements: none,
    decisions: none,
    clusterSets: none,
    setBindings: none,
  } as unknown as BundlesWatched;
  return { kept: keptBundles(watched, openingsOf(watched)), works };
}

test('a change of one rings the Bundle that it checks', () => {
  const { kept, works } = watching();
  const rung: unknown[] = [];
  const stop = kept.listen(({ metadata }) => void rung.push(metadata));
  works.put(jobs());
  works.put(jobs({}));
  stop();
  expect(rung).toEqual([BASE]);
});

test('one whose Bundle is gone has a workflow that removes it', () => {
  expect([...watching(jobs()).kept.leftBy()]).toEqual(['platform/base']);
  expect([...watching(jobs({})).kept.leftBy()]).toEqual([]);
});
