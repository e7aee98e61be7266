// How much room a site has for pods.
import { isLive, roomOf, takesPods } from '../../../activities/agent/score/room.ts';
import { requestOf } from '../../../crds/kubernetes/pod-requests.ts';
import type { Node, Pod, PodContainer } from '../../../crds/kubernetes/core.ts';

const READY = { type: 'Ready', status: 'True' } as const;

function aNode(
  name: string,
  cpu: string,
  rest: { spec?: Node['spec']; conditions?: NonNullable<Node['status']>['conditions'] } = {},
): Node {
  const { spec = {}, conditions = [READY] } = rest;
  return { metadata: { name }, spec, status: { allocatable: { cpu, memory: '8Gi' }, conditions } };
}

function asks(cpu: string, more: Partial<PodContainer> = {}): PodContainer {
  return { name: 'c', resources: { requests: { cpu } }, ...more };
}

function aPod(nodeName: string, spec: Omit<NonNullable<Pod['spec']>, 'nodeName'>, phase = 'Running'): Pod {
  return { metadata: { name: 'p', namespace: 'ns' }, spec: { nodeName, ...spec }, status: { phase } };
}

describe('the request of a pod', () => {
  const sidecar = (cpu: string): PodContainer => asks(cpu, { restartPolicy: 'Always' });

  it.each<{ title: string; spec: Omit<NonNullable<Pod['spec']>, 'nodeName'>; cpu: number }>([
    { title: 'zero when no container requests anything', spec: { containers: [{ name: 'c' }] }, cpu: 0 },
    { title: 'the sum of its containers', spec: { containers: [asks('1'), asks('500m')] }, cpu: 1.5 },
    {
      title: 'that of its largest init container, if that is more',
      spec: { containers: [asks('1')], initContainers: [asks('3'), asks('2')] },
      cpu: 3,
    },
    {
      title: 'that of its containers, if its init containers request less',
      spec: { containers: [asks('4')], initContainers: [asks('3')] },
      cpu: 4,
    },
    {
      title: 'that of its containers and its sidecars',
      spec: { containers: [asks('1')], initContainers: [sidecar('2')] },
      cpu: 3,
    },
    {
      title: 'that of an init container and the sidecars that started before it',
      spec: { containers: [asks('1')], initContainers: [sidecar('1'), asks('5'), sidecar('1')] },
      cpu: 6,
    },
    {
      title: 'the pod-level request rather than that of its containers',
      spec: { containers: [asks('1')], resources: { requests: { cpu: '7' } } },
      cpu: 7,
    },
    {
      title: 'that of its containers plus the overhead',
      spec: { containers: [asks('1')], overhead: { cpu: '250m' } },
      cpu: 1.25,
    },
  ])('is $title', ({ spec, cpu }) => expect(requestOf(aPod('a', spec)).cpu).toBeCloseTo(cpu));

  it('is computed for each resource separately', () => {
    const containers = [{ name: 'c', resources: { requests: { cpu: '1', memory: '1Gi' } } }];
    const initContainers = [{ name: 'i', resources: { requests: { memory: '2Gi' } } }];
    expect(requestOf(aPod('a', { containers, initContainers }))).toEqual({ cpu: 1, memory: 2 * 2 ** 30 });
  });
});

describe('whether a node takes pods', () => {
  it.each<[boolean, string, Node]>([
    [true, 'that is ready', aNode('a', '1')],
    [
      true,
      'with a taint PreferNoSchedule',
      aNode('a', '1', { spec: { taints: [{ key: 'k', effect: 'PreferNoSchedule' }] } }),
    ],
    [false, 'that is cordoned', aNode('a', '1', { spec: { unschedulable: true } })],
    [
      false,
      'with a taint NoSchedule',
      aNode('a', '1', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }),
    ],
    [
      false,
      'with a taint NoExecute',
      aNode('a', '1', { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } }),
    ],
    [false, 'that is not ready', aNode('a', '1', { conditions: [{ type: 'Ready', status: 'Unknown' }] })],
    [false, 'without a status', { metadata: { name: 'a' } }],
  ])('%s: one %s', (expected, _, node) => expect(takesPods(node)).toBe(expected));
});

describe('whether a pod counts as using room', () => {
  it.each<[boolean, string, Pod]>([
    [true, 'that runs', aPod('a', {})],
    [true, 'that is scheduled and not running yet', aPod('a', {}, 'Pending')],
    [false, 'without a node', aPod('', {}, 'Pending')],
    [false, 'that has succeeded', aPod('a', {}, 'Succeeded')],
    [false, 'that has failed', aPod('a', {}, 'Failed')],
  ])('%s: one %s', (expected, _, pod) => expect(isLive(pod)).toBe(expected));
});

describe('the room of a site', () => {
  it('is what its nodes can allocate minus what their pods request', () => {
    const room = roomOf(
      [aNode('a', '4'), aNode('b', '2')],
      [aPod('a', { containers: [asks('1')] }), aPod('b', { containers: [asks('500m')] })],
    );
    expect(room.allocatable.cpu).toBe(6);
    expect(room.available.cpu).toBeCloseTo(4.5);
  });

  it('leaves out a cordoned node together with its pods', () => {
    const nodes = [aNode('a', '4'), aNode('b', '4', { spec: { unschedulable: true } })];
    const room = roomOf(nodes, [aPod('b', { containers: [asks('3')] })]);
    expect([room.allocatable.cpu, room.available.cpu]).toEqual([4, 4]);
  });

  it('does not fall on one node because another is overcommitted', () => {
    const room = roomOf([aNode('a', '1'), aNode('b', '4')], [aPod('a', { containers: [asks('3')] })]);
    expect(room.available.cpu).toBe(4);
  });

  it('is zero without a node', () => expect(roomOf([], []).available).toEqual({ cpu: 0, memory: 0 }));
});
