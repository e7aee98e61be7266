// Turns of Bundles of one namespace, each with caches of its own and without a memory.
import { BUNDLE, type Bundle } from '../../../../crds/bundle/bundle.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { createBundle } from '../../../../testbed/bundles.ts';
import type { Turned } from '../../../../workflows/fleet/port.ts';
import { aConfigMap } from '../../builders/fleet/bundles.ts';
import { APPS, type HubForTests } from '../hub/hub.ts';
import { bundleWork } from './bundle-works.ts';
import { turningBundles } from './turning.ts';

/** A turn that remembers nothing. */
export const NOTHING = { memory: null, minimumVersions: {}, most: 20, isAgain: false } as const;

export interface BundleTurns {
  readonly refOf: (name: string) => {
    readonly kind: 'Bundle';
    readonly namespace: string;
    readonly name: string;
  };
  activities(kube?: Kube): ReturnType<typeof turningBundles>;
  turn(name: string, kube?: Kube): Promise<Turned>;
  work(name: string, cluster?: string): Promise<ManifestWork | null>;
  read(name: string): Promise<Bundle>;
  /** Why it is Ready, or is not. */
  reasonOf(name: string): Promise<string | undefined>;
  /** On site-1, with a ConfigMap, unless the spec says otherwise. */
  make(name: string, spec?: object): Promise<Bundle>;
}

/** `stage` is started by the time at which one of these is called. */
export function bundleTurns(stage: () => HubForTests): BundleTurns {
  const refOf = (name: string) => ({ kind: 'Bundle', namespace: APPS, name }) as const;
  const activities = (kube: Kube = stage().kube) => turningBundles({ ...stage(), kube });
  const read = async (name: string): Promise<Bundle> =>
    (await stage().kube.get<Bundle>(BUNDLE, { namespace: APPS, name })) as Bundle;
  return {
    refOf,
    activities,
    read,
    turn: (name, kube) => activities(kube).turnFleet(refOf(name), NOTHING),
    work: (name, cluster) => bundleWork(stage(), name, cluster),
    reasonOf: async (name) =>
      (await read(name)).status?.conditions?.find(({ type }) => type === 'Ready')?.reason,
    make: (name, spec = {}) =>
      createBundle(
        stage().kube,
        { namespace: APPS, name },
        { sites: { clusters: ['site-1'] }, manifests: [aConfigMap()], ...spec },
      ),
  };
}
