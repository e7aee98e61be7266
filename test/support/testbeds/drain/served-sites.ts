// A hub with two sites on which Capps serve, and caches of its API server, for activity tests of what a drain
// or a loss of a site would do.
import { hubCaches, type HubCaches } from '../../../../activities/hub/caches.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { allSynced, stopAll } from '../../../../kube/watch/cache.ts';
import { prepareTwoSites } from '../activities/two-sites.ts';
import { startHub, type HubForTests } from '../hub/hub.ts';

export interface ServedSites {
  readonly stage: HubForTests;
  readonly caches: HubCaches;
  /** A Capp with this status: it serves from `site`. */
  serve(
    name: string,
    site: string,
    wish?: { readonly annotations?: object; readonly spec?: Record<string, unknown> },
  ): Promise<void>;
  stop(): Promise<void>;
}

export async function startServedSites(): Promise<ServedSites> {
  const stage = await startHub();
  const caches = hubCaches(stage.kube, () => undefined);
  await allSynced(caches);
  await prepareTwoSites(stage.kube);
  return {
    stage,
    caches,
    serve: async (name, site, wish = {}) => {
      const ref = await stage.make({ name, ...(wish.spec === undefined ? {} : { spec: wish.spec }) });
      if (wish.annotations !== undefined)
        await stage.kube.patch(CAPP, ref, { metadata: { annotations: wish.annotations } });
      await stage.kube.patch(
        CAPP,
        ref,
        { status: { applicationLinks: { site } } },
        { subresource: 'status' },
      );
    },
    stop: async () => {
      await stopAll(caches);
      await stage.stop();
    },
  };
}
