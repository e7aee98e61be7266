// What is seen of our add-on on a cluster, from what OCM says of it.
import { sightOf } from '../../../crds/join/sight.ts';
import type { ManagedClusterAddOn } from '../../../crds/ocm/ocm.ts';

const condition = (type: string, status: 'True' | 'False', reason = 'R', message = 'm') => ({
  type,
  status,
  reason,
  message,
});

function seen(...conditions: ReturnType<typeof condition>[]) {
  const addOn = { metadata: { name: 'cappstan' }, status: { conditions } } as ManagedClusterAddOn;
  return sightOf({ name: 'shop-7', cluster: null, requests: [], tokens: new Map(), addOn }).addOn;
}

test('an add-on that runs is available', () => {
  expect(seen(condition('ManifestApplied', 'True'), condition('Available', 'True'))).toMatchObject({
    isAvailable: true,
    isApplied: true,
  });
});

test('what is said is why it is not applied, and then why it is not available', () => {
  const refused = condition('ManifestApplied', 'False', 'Refused', 'a policy');
  expect(seen(refused, condition('Available', 'False', 'Unknown', 'x'))).toEqual({
    isAvailable: false,
    isApplied: false,
    says: 'Refused: a policy',
  });
  const waits = condition('Available', 'False', 'Probe', 'no Pod');
  expect(seen(condition('ManifestApplied', 'True'), waits)).toEqual({
    isAvailable: false,
    isApplied: true,
    says: 'Probe: no Pod',
  });
});

test('of a long message the beginning is told, and nothing where OCM says nothing yet', () => {
  expect(seen(condition('ManifestApplied', 'False', 'R', 'm'.repeat(5_000)))?.says).toHaveLength(300);
  expect(seen()).toEqual({ isAvailable: false, isApplied: false, says: null });
});
