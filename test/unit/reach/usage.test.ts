// What Pods use, as the metrics API of a site says: only of the Capp's Pods, and whatever a site answers.
import { answerPods } from '../../../reach/answer/pods.ts';
import {
  aPod,
  aQuestion,
  aReachWorld,
  aSite,
  refusal,
  type SiteAnswers,
} from '../../support/builders/reach.ts';

const usage = (name: string, namespace = 'apps', cpu = '12500000n', memory = '20Mi'): object => ({
  metadata: { namespace, name },
  timestamp: '2026-01-02T03:04:05Z',
  containers: [
    { name: 'app', usage: { cpu, memory } },
    { name: 'queue-proxy', usage: { cpu: '1m', memory: '512Ki' } },
  ],
});

const podsOn = (sites: Record<string, SiteAnswers>, query = '?usage=true') =>
  answerPods(aReachWorld(sites).context, aQuestion('pods', query), new AbortController().signal);

test('each Pod has what its containers use, and one that the site does not know yet has null', async () => {
  const pods = { items: [aPod('shop-1'), aPod('shop-2')] };
  const site = aSite({
    pods,
    usage: { items: [usage('shop-1'), usage('other'), usage('shop-2', 'others')] },
  });
  const { items, missing } = await podsOn({ 'site-1': site });
  expect(items.map((pod) => [pod.name, pod.usage])).toEqual([
    [
      'shop-1',
      [
        { name: 'app', cpuMillis: 13, memoryBytes: 20 * 1024 * 1024 },
        { name: 'queue-proxy', cpuMillis: 1, memoryBytes: 512 * 1024 },
      ],
    ],
    ['shop-2', null],
  ]);
  expect(missing).toEqual([]);
});

test('who does not ask for it gets Pods as before, and the site is not asked', async () => {
  const site = aSite({ usage: { items: [usage('shop-1')] } });
  const { items } = await podsOn({ 'site-1': site }, '');
  expect(items[0]).not.toHaveProperty('usage');
  expect(site.asked.join()).not.toContain('metrics.k8s.io');
});

test.each([
  ['no API', refusal(404), 'it has no metrics API (metrics.k8s.io)'],
  ['no right', refusal(403), 'may not read metrics there'],
  ['an API whose server is gone', refusal(503), 'its metrics API does not answer'],
  ['a fault of the site', refusal(500), 'does not answer as one does'],
  ['what is no list', { items: 'x' }, 'does not answer as one does'],
  ['text for a quantity', { items: [usage('shop-1', 'apps', '\u001b[2J')] }, 'does not answer as one does'],
  ['more than there is', { items: [usage('shop-1', 'apps', '1e300')] }, 'does not answer as one does'],
])('%s is one sentence, and the Pods and the other site are told of', async (_what, answer, sentence) => {
  const { items, missing } = await podsOn({
    'site-1': aSite({ usage: answer }),
    'site-2': aSite({ usage: { items: [usage('shop-1')] } }),
  });
  expect(items.map((pod) => [pod.site, pod.usage?.length ?? null])).toEqual([
    ['site-1', null],
    ['site-2', 2],
  ]);
  expect(missing).toEqual([{ site: 'site-1', why: expect.stringContaining(sentence) as string }]);
});

test('a site without a Pod of the Capp is not asked what it uses', async () => {
  const site = aSite({ pods: { items: [] }, usage: refusal(404) });
  expect((await podsOn({ 'site-1': site })).missing).toEqual([]);
  expect(site.asked.join()).not.toContain('metrics.k8s.io');
});
