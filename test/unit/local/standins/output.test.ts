// What the stand-ins of a site answer for logs and usage: as a kubelet and a metrics-server would.
import { chosen, logAsked, textOf } from '../../../../deploy/local/standins/output/asked.ts';
import { newPodLogs } from '../../../../deploy/local/standins/output/pod-logs.ts';
import { usageAsked, usageList } from '../../../../deploy/local/standins/output/usage.ts';
import type { StandInPod } from '../../../../deploy/local/standins/pods/pod.ts';

const APP = { namespace: 'team', pod: 'shop-1', container: 'app' };
const NOW = Date.parse('2026-01-02T03:04:05Z');

test('lines of the same millisecond have different times, in their order', () => {
  const logs = newPodLogs(() => NOW);
  logs.begin(APP, 0, 'begins');
  logs.write(APP, 'GET /');
  expect(logs.lines(APP)).toEqual([
    { at: '2026-01-02T03:04:05.000000000Z', text: 'begins' },
    { at: '2026-01-02T03:04:05.000000001Z', text: 'GET /' },
  ]);
});

test('a container begins once for each run, and ends who follows the run before', () => {
  const logs = newPodLogs(() => NOW);
  const heard: string[] = [];
  logs.write(APP, 'before it began');
  expect(logs.lines(APP)).toBeNull();
  logs.begin(APP, 0, 'first');
  logs.begin(APP, 0, 'first again');
  const leave = logs.follow(APP, {
    line: ({ text }) => heard.push(text),
    end: () => heard.push('(end)'),
  });
  logs.write(APP, 'one');
  logs.begin(APP, 1, 'second');
  logs.write(APP, 'two');
  expect(heard).toEqual(['one', '(end)']);
  expect(logs.lines(APP)?.map(({ text }) => text)).toEqual(['second', 'two']);
  leave();
  logs.forget(APP);
  expect(logs.lines(APP)).toBeNull();
});

test.each([
  ['', ['a', 'b', 'c']],
  ['tailLines=2', ['b', 'c']],
  ['tailLines=0', []],
  ['sinceSeconds=3', ['b', 'c']],
  ['sinceTime=2026-01-02T03:04:05Z', ['c']],
  ['sinceTime=2026-01-02T03:04:05Z&tailLines=9', ['c']],
])('what is asked for by "%s" is chosen', (query, texts) => {
  const lines = [1, 3, 5].map((second, index) => ({
    at: `2026-01-02T03:04:0${second}.000000000Z`,
    text: ['a', 'b', 'c'][index] ?? '',
  }));
  const asked = logAsked(`/containerLogs/team/shop-1/app?${query}`, NOW);
  expect(asked?.container).toEqual(APP);
  expect(chosen(lines, asked as NonNullable<typeof asked>).map(({ text }) => text)).toEqual(texts);
});

test('times and following are asked for, and other paths are no logs', () => {
  const asked = logAsked('/containerLogs/team/shop-1/app?follow=true&timestamps=true', NOW);
  expect(asked).toMatchObject({ isFollowed: true, isTimed: true });
  expect([true, false].map((isTimed) => textOf({ at: 'T', text: 'x' }, { isTimed }))).toEqual([
    'T x\n',
    'x\n',
  ]);
  expect(logAsked('/run/team/shop-1/app', NOW)).toBeNull();
});

test('what Pods use is told of those that run and are asked for, by their names', () => {
  const pod = (name: string, app: string, phase: 'Running' | 'Pending'): StandInPod => ({
    metadata: { namespace: 'team', name, labels: { app } },
    spec: { containers: [{ name: 'app' }] },
    status: { phase },
  });
  const asked = usageAsked(
    '/apis/metrics.k8s.io/v1beta1/namespaces/team/pods?labelSelector=app%3Dshop&limit=200',
  );
  expect(asked).toEqual({ namespace: 'team', selector: 'app=shop' });
  const pods = [
    pod('one', 'shop', 'Running'),
    pod('two', 'shop', 'Pending'),
    pod('three', 'other', 'Running'),
  ];
  const { items } = usageList(pods, asked as NonNullable<typeof asked>, NOW) as { items: object[] };
  expect(items).toEqual([
    expect.objectContaining({
      metadata: { namespace: 'team', name: 'one', labels: { app: 'shop' } },
      containers: [{ name: 'app', usage: { cpu: expect.stringMatching(/^\d+m$/), memory: '19Mi' } }],
    }),
  ]);
  expect(usageAsked('/apis/metrics.k8s.io/v1beta1/nodes')).toBeNull();
});

test('what Pods use is told of one namespace, and of all', () => {
  const root = '/apis/metrics.k8s.io/v1beta1';
  expect([
    usageAsked(`${root}/namespaces/apps/pods`),
    usageAsked(`${root}/pods`),
    usageAsked(`${root}/nodes`),
  ]).toEqual([{ namespace: 'apps', selector: '' }, { namespace: null, selector: '' }, null]);
});
