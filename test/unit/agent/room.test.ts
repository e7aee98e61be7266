import { isLive, requestOf, roomOf, takesPods } from '../../../activities/agent/score/room.ts';
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

describe('what a pod takes', () => {
  const sidecar = (cpu: string): PodContainer => asks(cpu, { restartPolicy: 'Always' });

  it.each<{ title: string; spec: Omit<NonNullable<Pod['spec']>, 'nodeName'>; cpu: number }>([
    { title: 'nothing, if it asks for nothing', spec: { containers: [{ name: 'c' }] }, cpu: 0 },
    { title: 'the sum of its containers', spec: { containers: [asks('1'), asks('500m')] }, cpu: 1.5 },
    {
      title: 'the greediest step of its start, if that is more',
      spec: { containers: [asks('1')], initContainers: [asks('3'), asks('2')] },
      cpu: 3,
    },
    {
      title: 'no more than its containers, if its start is modest',
      spec: { containers: [asks('4')], initContainers: [asks('3')] },
      cpu: 4,
    },
    { title: 'its sidecars too', spec: { containers: [asks('1')], initContainers: [sidecar('2')] }, cpu: 3 },
    {
      title: 'an init container together with the sidecars begun before it, not with later ones',
      spec: { containers: [asks('1')], initContainers: [sidecar('1'), asks('5'), sidecar('1')] },
      cpu: 6,
    },
    {
      title: 'what it asks for as a whole, over its containers',
      spec: { containers: [asks('1')], resources: { requests: { cpu: '7' } } },
      cpu: 7,
    },
    {
      title: 'its overhead besides',
      spec: { containers: [asks('1')], overhead: { cpu: '250m' } },
      cpu: 1.25,
    },
  ])('is $title', ({ spec, cpu }) => expect(requestOf(aPod('a', spec)).cpu).toBeCloseTo(cpu));

  it('is reckoned for each resource by itself', () => {
    const containers = [{ name: 'c', resources: { requests: { cpu: '1', memory: '1Gi' } } }];
    const initContainers = [{ name: 'i', resources: { requests: { memory: '2Gi' } } }];
    expect(requestOf(aPod('a', { containers, initContainers }))).toEqual({ cpu: 1, memory: 2 * 2 ** 30 });
  });
});

describe('a node takes pods', () => {
  it.each<[boolean, string, Node]>([
    [true, 'that is ready', aNode('a', '1')],
    [
      true,
      'with a taint that only asks',
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
    [false, 'that says nothing', { metadata: { name: 'a' } }],
  ])('%s: one %s', (expected, _, node) => expect(takesPods(node)).toBe(expected));
});

describe('a pod counts', () => {
  it.each<[boolean, string, Pod]>([
    [true, 'that runs', aPod('a', {})],
    [true, 'that is on its node and not yet running', aPod('a', {}, 'Pending')],
    [false, 'without a node', aPod('', {}, 'Pending')],
    [false, 'that has succeeded', aPod('a', {}, 'Succeeded')],
    [false, 'that has failed', aPod('a', {}, 'Failed')],
  ])('%s: one %s', (expected, _, pod) => expect(isLive(pod)).toBe(expected));
});

describe('the room of a site', () => {
  it('is what its nodes give, less what their pods take', () => {
    const room = roomOf(
      [aNode('a', '4'), aNode('b', '2')],
      [aPod('a', { containers: [asks('1')] }), aPod('b', { containers: [asks('500m')] })],
    );
    expect(room.allocatable.cpu).toBe(6);
    expect(room.available.cpu).toBeCloseTo(4.5);
  });

  it('is not less for pods of a node that takes no more, and has nothing of that node', () => {
    const nodes = [aNode('a', '4'), aNode('b', '4', { spec: { unschedulable: true } })];
    const room = roomOf(nodes, [aPod('b', { containers: [asks('3')] })]);
    expect([room.allocatable.cpu, room.available.cpu]).toEqual([4, 4]);
  });

  it('does not lose on one node what another has too little of', () => {
    const room = roomOf([aNode('a', '1'), aNode('b', '4')], [aPod('a', { containers: [asks('3')] })]);
    expect(room.available.cpu).toBe(4);
  });

  it('is nothing without a node', () => expect(roomOf([], []).available).toEqual({ cpu: 0, memory: 0 }));
});
