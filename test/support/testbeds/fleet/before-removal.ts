// A hub on whose API server somebody does something just before the hub's first deletion of a kind arrives.
import type { Kube } from '../../../../kube/client.ts';
import type { Resource } from '../../../../kube/resource.ts';
import type { HubForTests } from '../hub/hub.ts';

export function beforeRemoval(
  stage: HubForTests,
  { kind }: Resource,
  act: () => Promise<unknown>,
): HubForTests {
  let isDone = false;
  const around = (kube: Kube): Kube => ({
    ...kube,
    within: (bounds) => around(kube.within(bounds)),
    remove: async (resource, key, options) => {
      if (!isDone && resource.kind === kind) {
        isDone = true;
        await act();
      }
      return kube.remove(resource, key, options);
    },
  });
  return { ...stage, kube: around(stage.kube) };
}
