// The works of Bundles on a hub of an activity test, and what the sites say of them.
import { bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { APPS, type HubForTests } from '../hub/hub.ts';

const AT = {
  status: 'True',
  reason: 'Test',
  message: '',
  lastTransitionTime: '2026-03-01T12:00:00Z',
};

export const workKey = (name: string, cluster = 'site-1') => ({
  namespace: cluster,
  name: bundleWorkName({ namespace: APPS, name }),
});

export const bundleWork = ({ kube }: HubForTests, name: string, cluster?: string) =>
  kube.get<ManifestWork>(MANIFEST_WORK, workKey(name, cluster));

/** The caches have this work as it is now. */
export async function seen(stage: HubForTests, name: string, cluster?: string): Promise<void> {
  const live = await bundleWork(stage, name, cluster);
  await eventually(() =>
    stage.caches.bundleWorks.get(workKey(name, cluster))?.metadata.resourceVersion ===
    live?.metadata.resourceVersion
      ? true
      : undefined,
  );
}

/** The site says that it has applied the work as it is now, and the caches have heard it. */
export async function applied(stage: HubForTests, name: string, cluster = 'site-1'): Promise<void> {
  const { generation = 1 } = (await bundleWork(stage, name, cluster))?.metadata ?? {};
  const conditions = [{ ...AT, type: 'Applied', observedGeneration: generation }];
  await stage.kube.patch(
    MANIFEST_WORK,
    workKey(name, cluster),
    { status: { conditions } },
    { subresource: 'status' },
  );
  await seen(stage, name, cluster);
}
