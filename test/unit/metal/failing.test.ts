// Since when a host fails, by what Metal³ says of it now and what its SIPCluster has said before.
import { failingBy, passedOver } from '../../../activities/hub/metal/failing.ts';
import { NOT_ASKED } from '../../../activities/hub/metal/services/report.ts';
import { NO_HOSTS_SERVED, statusOf } from '../../../activities/hub/metal/status.ts';
import type { BareMetalHost } from '../../../crds/metal/bare-metal-host.ts';
import { PROVISIONED_FOR } from '../../../crds/metal/labels.ts';
import type { SipCluster } from '../../../crds/metal/sip-cluster.ts';
import { MOST_PASSED_OVER, type SipClusterStatus } from '../../../crds/metal/status.ts';
import type { HostPlan } from '../../../workflows/metal/plan/hosts.ts';

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
const spec = { services: {}, site: {} } as SipCluster['spec'];
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
  expect(failingBy({ metadata, spec, status }, NOW)(one)?.since ?? null).toBe(
    still ? NOW - 9 * 60_000 : null,
  );
});

test('a host that fails for the first time has failed since now, with what Metal³ says', () => {
  const bad = host('provisioning', { operationalStatus: 'error' });
  expect(failingBy({ metadata, spec }, NOW)(bad)).toEqual({ since: NOW, says: 'error: no' });
  expect(failingBy({ metadata, spec }, NOW)(host('provisioning'))).toBeNull();
});

test('of hosts that are not provisioned for a site nobody is told what Metal³ quotes', () => {
  const bad = host('inspecting', { operationalStatus: 'error' });
  const typed = { ...bad, status: { ...bad.status, errorType: 'power management error' } };
  const says = failingBy({ metadata, spec: { services: {} } }, NOW);
  expect([bad, typed].map((one) => says(one)?.says)).toEqual(['error', 'power management error']);
  expect(says(host('inspecting'))).toBeNull();
});

test('what was said of hosts stands while the hub serves none of them', () => {
  const passed = { namespace: 'metal', name: 'b', failedSince: at(20) };
  const told = (before: SipClusterStatus, plan: HostPlan | null) =>
    statusOf({ metadata, status: before }, [], {
      plan,
      standing: NO_HOSTS_SERVED,
      services: NOT_ASKED,
      at: at(0),
    });
  const before = { ...status, passedOver: [passed] };
  const unseen = told(before, null);
  expect([unseen.hosts, unseen.passedOver]).toEqual([before.hosts, before.passedOver]);
  const empty = told(before, { reserved: new Map(), add: [], remove: [], swap: null, short: null } as never);
  expect(empty.hosts).toEqual([]);
  expect(empty.passedOver?.map(({ name }) => name)).toEqual(['b', 'a']);
  expect(told({}, null)).toMatchObject({ hosts: [] });
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
