// Which works of the Go operator may stay as they are where Secrets are to be sealed.
import { adopted } from '../../../../activities/hub/ship/adopt.ts';
import type { Shipment } from '../../../../activities/hub/ship/render/manifests.ts';
import { renderWork } from '../../../../activities/hub/ship/render/work.ts';
import type { Manifest, ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { IDENTITY, shipment } from '../../../support/builders/hub/shipments.ts';

const BARE = shipment({ configMaps: [], secrets: [] });
const SEALED = [{ name: 'pull', keyId: '0123456789abcdef', sealed: 'bytes' }];

/** As the Go operator leaves it: nothing of our marks, and besides the Capp what is given. */
function goWork(...besides: readonly Manifest[]): ManifestWork {
  const { work, manifests } = renderWork(BARE, IDENTITY);
  const own = manifests.map(({ metadata: { annotations: _ours, ...metadata }, ...one }) => ({
    ...one,
    metadata,
  }));
  return {
    ...work,
    metadata: { name: 'old' },
    spec: { workload: { manifests: [...own, ...besides] as Manifest[] } },
  };
}

const pull = (data: object): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'pull', namespace: 'apps' },
  ...data,
});

test.each<[string, boolean, ManifestWork, Pick<Shipment, 'sealed'>]>([
  ['nothing is sealed', true, goWork(pull({ data: { a: 'b' } })), {}],
  ['it holds no Secret', true, goWork(), { sealed: [] }],
  [
    'it holds a Secret that the Capp no longer has',
    false,
    goWork(pull({ data: { a: 'b' } })),
    { sealed: [] },
  ],
  ['it holds a Secret by name alone', true, goWork(pull({})), { sealed: [] }],
  ['the Capp has a Secret', false, goWork(), { sealed: SEALED }],
])('where %s, the work is adopted as it is: %s', (_where, isAdopted, live, { sealed }) => {
  const wanted = { ...BARE, ...(sealed === undefined ? {} : { sealed }) };
  expect(adopted(live, wanted, renderWork(BARE, IDENTITY)) !== null).toBe(isAdopted);
});
