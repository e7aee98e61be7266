// CRDs that an API server does not serve by itself, since it ended in the middle of taking them. It is a
// stand-in that does what kube-apiserver 1.35 does: it looks again only when the CRD changes.
import { applyDefinitions, type DefinitionObject } from '../../../deploy/local/kubernetes/manifests.ts';
import type { Kube } from '../../../kube/client.ts';

const DEFINITION = { metadata: { name: 'capps.rcs.dana.io' }, spec: {} } as DefinitionObject;

function serving({ byItself }: { readonly byItself: boolean }): {
  readonly kube: Pick<Kube, 'apply' | 'get' | 'patch'>;
  readonly touched: () => number;
} {
  let touched = 0;
  const now = (): DefinitionObject => ({
    ...DEFINITION,
    status: { conditions: [{ type: 'Established', status: byItself || touched > 0 ? 'True' : 'False' }] },
  });
  const kube = {
    apply: async () => now(),
    get: async () => now(),
    patch: async () => {
      touched += 1;
      return now();
    },
  } as unknown as Pick<Kube, 'apply' | 'get' | 'patch'>;
  return { kube, touched: () => touched };
}

const TIMES = { withinMs: 60_000, touchMs: 1 };

test('a CRD whose API server was stopped in the middle of taking it is changed, and served then', async () => {
  const { kube, touched } = serving({ byItself: false });
  await applyDefinitions(kube, [DEFINITION], TIMES);
  expect(touched()).toBe(1);
});

test('one that is served is not changed', async () => {
  const { kube, touched } = serving({ byItself: true });
  await applyDefinitions(kube, [DEFINITION], TIMES);
  expect(touched()).toBe(0);
});
