// Which works belong to a Capp, by their metadata: nothing that a site may write changes the answer.
import { isOursByName } from '../../../activities/hub/claim.ts';
import { cappKey } from '../../../crds/ocm/work-identity.ts';
import { CAPP_KEY, MANAGED_BY, MANAGED_BY_HUB } from '../../../crds/labels.ts';
import type { KubeObject } from '../../../kube/resource.ts';

const CLAIM = { namespace: 'apps', name: 'app', site: null, rivals: [] };

/** A work on site-1 with the labels that works of apps/app bear. */
function aWork(name: string): KubeObject {
  const labels = { [CAPP_KEY]: cappKey('apps', 'app'), [MANAGED_BY]: MANAGED_BY_HUB };
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: { namespace: 'site-1', name, labels },
  };
}

test('a work belongs to a Capp by its name, and a label that a site may write does not change that', () => {
  expect(isOursByName(aWork('mw-create-apps-other'), CLAIM)).toBe(false);
  expect(isOursByName(aWork('mw-create-apps-app'), CLAIM)).toBe(true);
});
