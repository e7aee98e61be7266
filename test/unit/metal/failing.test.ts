// Since when a host fails, by what Metal³ says of it now and what its SIPCluster has said before.
import { failingBy, passedOver } from '../../../activities/hub/metal/failing.ts';
import type { BareMetalHost } from '../../../crds/metal/bare-metal-host.ts';
import { PROVISIONED_FOR } from '../../../crds/metal/labels.ts';
import { MOST_PASSED_OVER, type SipClusterStatus } from '../../../crds/metal/status.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const at = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();
const named = { namespace: 'metal', name: 'a', role: 'Worker' };
const status: SipClusterStatus = { hosts: [{ ...named, failedSince: at(9), failure: 'error: no' }] };
const image = { url: 'https://images.example/os.qcow2' };

function host(state: string, more: object = {}, mark: object = {}): BareMetalHost {
  const { operationalStatus = 'OK', spec = { image } } = more as Partial<{
    operationalStatus: string;
    spec: object;
  }>;
  return {
    metadata: { namespace: 'metal', name: 'a', annotations: { ...mark } },
    spec,
    status: { operationalStatus, errorMessage: 'no', provisioning: { state } },
  };
}

const none = { spec: {} };
const metadata = { namespace: 'metal', name: 'shop', uid: 'shop-uid' };
const ours = { [PROVISIONED_FOR]: 'shop-uid' };

test.each<[string, BareMetalHost, boolean]>([
  ['that Metal³ cleans', host('deprovisioning'), true],
  ['that is available, and begins once more', host('available'), true],
  ['that is provisioned once more', host('provisioning'), true],
  ['that is looked at once more', host('inspecting', none), true],
  ['whose image we have taken away, and that is clean', host('available', none, ours), true],
  [
    'that another has marked, and that is clean',
    host('available', none, { [PROVISIONED_FOR]: 'another' }),
    false,
  ],
  ['that is provisioned at last', host('provisioned'), false],
  ['that is provisioned, and says an error', host('provisioned', { operationalStatus: 'error' }), true],
  ['that is to have no image, and is available', host('available', none), false],
  ['that nobody looks after', host('', none), false],
])('a host that has failed, %s, has failed since then: %#', (_what, one, still) => {
  expect(failingBy({ metadata, status }, NOW)(one)?.since ?? null).toBe(still ? NOW - 9 * 60_000 : null);
});

test('a host that fails for the first time has failed since now, with what Metal³ says', () => {
  const bad = host('provisioning', { operationalStatus: 'error' });
  expect(failingBy({ metadata }, NOW)(bad)).toEqual({ since: NOW, says: 'error: no' });
  expect(failingBy({ metadata }, NOW)(host('provisioning'))).toBeNull();
});

test('what failed is remembered when it is given back, the last of them, and not while it is reserved', () => {
  expect(passedOver({ status }, new Set())).toEqual([{ namespace: 'metal', name: 'a', failedSince: at(9) }]);
  expect(passedOver({ status }, new Set(['metal/a']))).toEqual([]);
  const many = Array.from({ length: MOST_PASSED_OVER + 5 }, (_one, index) => ({
    namespace: 'metal',
    name: `h${index}`,
    failedSince: at(index),
  }));
  const kept = passedOver({ status: { passedOver: many } }, new Set());
  expect(kept).toHaveLength(MOST_PASSED_OVER);
  expect(kept.at(-1)?.name).toBe('h0');
});
