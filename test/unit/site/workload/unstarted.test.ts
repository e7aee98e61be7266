// A revision of which no container starts is noticed after a minute, and its Capp says for what its Pod
// waits.
import type { Pod } from '../../../../crds/kubernetes/core.ts';
import { unstarted, unstartedMessage } from '../../../../site/workload/unstarted.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { aPod, aRevision } from '../../../support/builders/site/knative.ts';

const KEY = 'apps/app';
const revision = aRevision('r1');
const stuck = aPod('r1', 'ContainerCreating');

function world() {
  let now = 1_000;
  const woken: number[] = [];
  const found = unstarted(
    (_key, delayMs) => woken.push(delayMs),
    () => now,
  );
  return { found, woken, after: (ms: number) => (now += ms) };
}

test('nothing is said at first, and the Capp is looked at again when it is time', () => {
  const { found, woken, after } = world();
  expect(found.of(KEY, revision, [stuck])).toBeNull();
  after(20_000);
  expect(found.of(KEY, revision, [stuck])).toBeNull();
  expect(woken).toEqual([60_000, 40_000]);
  after(40_000);
  expect(found.of(KEY, revision, [stuck])).toBe(stuck.metadata.name);
});

const started: Pod = {
  ...stuck,
  metadata: { ...stuck.metadata, name: 'other' },
  status: { containerStatuses: [{ name: 'app', ready: true }] },
};

test.each<[string, readonly Pod[]]>([
  ['its containers run', [started]],
  ['another of its Pods has started', [stuck, started]],
  ['it has no Pods', []],
  ['its image cannot be pulled', [aPod('r1', 'ImagePullBackOff')]],
  ['only a Pod of another revision waits', [aPod('r0', 'ContainerCreating')]],
  ['its Pod is not on a node yet', [{ ...stuck, status: {} }]],
])('nothing is said of a revision when %s, and the time begins again after that', (_why, pods) => {
  const { found, after } = world();
  found.of(KEY, revision, [stuck]);
  after(120_000);
  expect(found.of(KEY, revision, pods)).toBeNull();
  expect(found.of(KEY, revision, [stuck])).toBeNull();
});

test('the message names the volume, the server and the Pod, and fits into a condition of the hub', () => {
  const nfs = (name: string, server: string) => ({ name, server, path: '/', capacity: {} });
  const told = (name: string, server: string, pod: string): string =>
    unstartedMessage(aCapp({ spec: { volumesSpec: { nfsVolumes: [nfs(name, server)] } } }), pod);
  expect(told('data', 'nfs.example.com', 'p')).toBe(
    'No container of Pod p starts. It waits for its image, or for a volume: does nfs.example.com of spec.volumesSpec.nfsVolumes[data] answer? Its events say for which.',
  );
  expect(told('d'.repeat(63), 's'.repeat(200), 'p'.repeat(63)).length).toBeLessThanOrEqual(256);
  expect(unstartedMessage(aCapp(), 'p')).toBe(
    'No container of Pod p starts. It waits for its image, or for a volume. Its events say for which.',
  );
});
