// A revision of which no Deployment can be made is noticed after a while, and only then.
import type { KnativeRevision } from '../../../../crds/kubernetes/knative.ts';
import { undeployed, undeployedMessage } from '../../../../site/workload/undeployed.ts';
import { aRevision, is } from '../../../support/builders/site/knative.ts';

/** As Knative 0.50 leaves it. */
const BEGUN = [
  is('ContainerHealthy', 'Unknown', 'Deploying'),
  is('Ready', 'Unknown', 'Deploying'),
  is('ResourcesAvailable', 'Unknown', 'Deploying'),
];
const alone = aRevision('r1', ...BEGUN);

function world() {
  let now = 1_000;
  const woken: number[] = [];
  const found = undeployed(
    (_key, delayMs) => woken.push(delayMs),
    () => now,
  );
  return { found, woken, after: (ms: number) => (now += ms) };
}

test('nothing is said at first, and the Capp is looked at again when it is time', () => {
  const { found, woken, after } = world();
  expect(found.of('apps/app', alone)).toBe(false);
  after(10_000);
  expect(found.of('apps/app', alone)).toBe(true);
  expect(woken).toEqual([10_000]);
});

test.each<[string, KnativeRevision | undefined]>([
  ['its Pods start', aRevision('r1', ...BEGUN, is('Active', 'Unknown', 'Deploying'))],
  ['it is Ready', aRevision('r1', is('ResourcesAvailable', 'True'))],
  ['its image is looked up', aRevision('r1', is('ResourcesAvailable', 'Unknown', 'ResolvingDigests'))],
  ['it says itself what is wrong', aRevision('r1', is('ResourcesAvailable', 'False', 'NotOwned'))],
  ['there is none', undefined],
])('nothing is said of a revision when %s, and the time begins again after that', (_why, other) => {
  const { found, after } = world();
  found.of('apps/app', alone);
  after(60_000);
  expect(found.of('apps/app', other)).toBe(false);
  expect(found.of('apps/app', alone)).toBe(false);
});

test('the message names the revision and the remedy, and fits into a condition of the hub', () => {
  const message = undeployedMessage('r'.repeat(63));
  expect(message).toContain(
    'Correct the Capp, or that: the events of the Revision on the site have the words.',
  );
  expect(message.length).toBeLessThanOrEqual(256);
});
