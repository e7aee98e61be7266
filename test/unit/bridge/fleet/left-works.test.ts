// For which works of Bundles that are gone the bridge starts a workflow.
import type { Client } from '@temporalio/client';
import { openingsOf } from '../../../../bridge/changes/openings.ts';
import { keptBundles, type BundlesWatched } from '../../../../bridge/fleet/bundles.ts';
import { keepFleets } from '../../../../bridge/fleet/keep.ts';
import { BUNDLE_KEY, BUNDLE_REVISION } from '../../../../crds/labels.ts';
import { bundleKey, bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { fakeCache } from '../../../support/builders/process/fake-cache.ts';

const BASE = { namespace: 'platform', name: 'base' };

function workWith(marks: Partial<KubeObject['metadata']>): KubeObject {
  return { metadata: { namespace: 'site-1', name: bundleWorkName(BASE), ...marks } };
}

async function startedFor(...works: readonly KubeObject[]): Promise<string[]> {
  const started: string[] = [];
  const workflow = {
    list: async function* list() {},
    signalWithStart: async (_type: string, { workflowId }: { workflowId: string }) =>
      void started.push(workflowId),
    getHandle: () => ({ signal: async () => undefined }),
  };
  const none = fakeCache().cache;
  const watched = {
    bundles: none,
    works: fakeCache(...(works as never[])).cache,
    secrets: none,
    configMaps: none,
    clusters: none,
    configs: none,
    placements: none,
    decisions: none,
    clusterSets: none,
    setBindings: none,
  } as unknown as BundlesWatched;
  const kept = keepFleets(
    { workflow } as unknown as Client,
    [keptBundles(watched, openingsOf(watched))],
    () => undefined,
  );
  await kept.compare();
  await new Promise((resolve) => void setImmediate(resolve));
  await kept.stop();
  return started;
}

test.each([
  { labels: { [BUNDLE_KEY]: bundleKey(BASE) } },
  { annotations: { [BUNDLE_REVISION]: 'r1/c1/2026-03-01T12:00:00Z' } },
])(
  'a work of a Bundle that is gone has a workflow that deletes it, whichever of our marks it bears',
  async (marks) => {
    expect(await startedFor(workWith(marks))).toEqual(['bundle/platform/base']);
  },
);

test('a work that only has the name of a Bundle starts nothing, minute after minute', async () => {
  expect(await startedFor(workWith({ labels: { team: 'sea' } }))).toEqual([]);
});
