// Creates Bundles for end-to-end tests, and waits for their conditions.
import { BUNDLE, type Bundle, type BundleSpec } from '../crds/bundle/bundle.ts';
import type { Manifest } from '../crds/ocm/ocm.ts';
import type { Kube } from '../kube/client.ts';
import { eventually } from './eventually.ts';

const TIMEOUT = { withinMs: 180_000, everyMs: 200 };

interface Name {
  readonly namespace: string;
  readonly name: string;
}

export function createBundle(
  hub: Kube,
  { namespace, name }: Name,
  spec: Omit<Partial<BundleSpec>, 'manifests'> & { readonly manifests?: readonly Manifest[] },
): Promise<Bundle> {
  return hub.create<Bundle>(BUNDLE, {
    apiVersion: BUNDLE.apiVersion,
    kind: BUNDLE.kind,
    metadata: { namespace, name },
    spec: spec as unknown as BundleSpec,
  });
}

/** Waits until condition Ready of its newest generation has that reason. */
export function untilBundle(hub: Kube, key: Name, reason: string): Promise<Bundle> {
  return eventually(async () => {
    const found = await hub.get<Bundle>(BUNDLE, key);
    const ready = found?.status?.conditions?.find(({ type }) => type === 'Ready');
    const isNewest = ready?.observedGeneration === found?.metadata.generation;
    if (found !== null && isNewest && ready?.reason === reason) return found;
    throw new Error(`Bundle ${key.name} does not say ${reason}: ${JSON.stringify(found?.status)}`);
  }, TIMEOUT);
}

export function untilBundleGone(hub: Kube, key: Name): Promise<true> {
  return eventually(async () => ((await hub.get(BUNDLE, key)) === null ? true : undefined), TIMEOUT);
}
