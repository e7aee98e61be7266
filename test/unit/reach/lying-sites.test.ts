// A site may answer with anything. It is then told of as one that does not answer, and what the others say is
// told as if it were not there.
import { answerLog } from '../../../reach/answer/log.ts';
import { answerPods } from '../../../reach/answer/pods.ts';
import { MOST_CONTAINERS, MOST_LOGS, MOST_PODS } from '../../../reach/bounds.ts';
import { KNATIVE_SERVICE_LABEL } from '../../../crds/kubernetes/knative.ts';
import { eventually } from '../../../testbed/eventually.ts';
import {
  aborted,
  aLine,
  aPod,
  aQuestion,
  aReachWorld,
  aSink,
  aSite,
  bytes,
  openEnded,
  refusal,
  type SiteAnswers,
} from '../../support/builders/reach.ts';

const podsOn = (sites: Record<string, SiteAnswers>) =>
  answerPods(aReachWorld(sites).context, aQuestion('pods'), new AbortController().signal);

async function told(sites: Record<string, SiteAnswers>, query = ''): Promise<string[]> {
  const { sink, ending, lines } = aSink();
  await answerLog(aReachWorld(sites).context, aQuestion('log', query), {
    signal: ending.signal,
    begin: () => sink,
  });
  return lines;
}

const named = (name: string): object => ({ ...aPod('x'), metadata: { ...metadataOf('x'), name } });
const metadataOf = (name: string): object => (aPod(name) as { metadata: object }).metadata;

const MALFORMED: readonly (readonly [string, Partial<SiteAnswers>])[] = [
  ['null for a Capp', { copy: null }],
  ['text for a Capp', { copy: 'hello' }],
  ['a Capp without metadata', { copy: {} }],
  ['a stamp that is no text', { copy: { metadata: { name: 'shop', annotations: { x: 1 } } } }],
  ['null for Pods', { pods: null }],
  ['Pods that are no list', { pods: { items: 'x' } }],
  ['a Pod that is null', { pods: { items: [null] } }],
  ['a Pod without metadata', { pods: { items: [{}] } }],
  ['containers that are no list', { pods: { items: [{ ...aPod('a'), spec: { containers: 7 } }] } }],
  ['a container without a name', { pods: { items: [{ ...aPod('a'), spec: { containers: [{}] } }] } }],
  ['statuses that are no list', { pods: { items: [{ ...aPod('a'), status: { containerStatuses: 1 } }] } }],
  ['an unknown phase', { pods: { items: [{ ...aPod('a'), status: { phase: '\u001b[2J' } }] } }],
  ['a name that leaves its place in a path', { pods: { items: [named('../../secrets')] } }],
  ['a name with a line break', { pods: { items: [named('a\nsite-2 b/c 2026-01-02T03:04:05Z x')] } }],
  ['a container that is two words', { pods: { items: [aPod('a', ['b c'])] } }],
  ['a container that is no label', { pods: { items: [aPod('a', ['b/../c'])] } }],
  ['what our client has not thought of', { pods: new TypeError('x') }],
];

test.each(MALFORMED)('%s is no answer, and the other site is told of', async (_what, plain) => {
  // Only a stamp that names this Capp is followed by a question for Pods.
  const list = await podsOn({ 'site-1': aSite(plain), 'site-2': aSite() });
  expect(list.items.map(({ site, name }) => `${site} ${name}`)).toEqual(['site-2 shop-1']);
  expect(list.missing.map(({ site }) => site)).toEqual(['site-1']);
  const [line, ...others] = await told({
    'site-1': aSite(plain),
    'site-2': aSite({ log: () => bytes(aLine('one')) }),
  });
  expect(line).toMatch(/^# No direct way to site-1: /);
  expect(others).toEqual([expect.stringMatching(/^site-2 shop-1\/app \S+ one$/)]);
});

test.each([502, 500, 429, 418, 0])('so is a refusal with %i', async (code) => {
  const list = await podsOn({ 'site-1': aSite({ pods: refusal(code) }), 'site-2': aSite() });
  expect(list.missing).toEqual([
    { site: 'site-1', why: expect.stringContaining('its tunnel does not answer') as string },
  ]);
});

test('one page of Pods is read, and a sentence says that there are more', async () => {
  const site = aSite({ pods: { metadata: { continue: 'next' }, items: [aPod('a')] } });
  const list = await podsOn({ 'site-1': site });
  expect(list.items).toHaveLength(1);
  expect(list.missing).toEqual([
    { site: 'site-1', why: `site-1 has more than ${MOST_PODS} Pods of shop: only the first are shown` },
  ]);
  expect(site.asked.filter((path) => path.includes('/pods'))).toEqual([
    expect.stringContaining(`limit=${MOST_PODS}`),
  ]);
});

test('of a page that is longer than was asked for, only the first Pods count', async () => {
  const items = Array.from({ length: MOST_PODS + 5 }, (_, index) => aPod(`shop-${index}`));
  const list = await podsOn({ 'site-1': aSite({ pods: { items } }) });
  expect(list.items).toHaveLength(MOST_PODS);
  expect(list.missing).toHaveLength(1);
});

test('of a Pod, only the first containers are looked at', async () => {
  const many = Array.from({ length: MOST_CONTAINERS + 5 }, (_, index) => `c-${index}`);
  const list = await podsOn({ 'site-1': aSite({ pods: { items: [aPod('a', many)] } }) });
  expect(list.items[0]?.containers).toHaveLength(MOST_CONTAINERS);
});

test('labels, times and statuses that are null are left out, as API servers have them', async () => {
  const metadata = { ...metadataOf('a'), creationTimestamp: null, deletionTimestamp: null };
  const pod = { ...aPod('a'), metadata, status: { conditions: null, containerStatuses: null } };
  const list = await podsOn({ 'site-1': aSite({ pods: { metadata: null, items: [pod] } }) });
  expect(list.items).toMatchObject([{ name: 'a', phase: 'Unknown', createdAt: null }]);
  expect((await podsOn({ 'site-1': aSite({ pods: { items: null } }) })).items).toEqual([]);
  const other = { ...metadata, labels: { [KNATIVE_SERVICE_LABEL]: 'other' } };
  const foreign = aSite({ pods: { items: [{ ...pod, metadata: other }] } });
  expect((await podsOn({ 'site-1': foreign })).items).toEqual([]);
});

async function* endless(text: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  while (!signal.aborted) {
    yield chunk;
    // As a connection does: others have their turn.
    await new Promise((resolve) => void setImmediate(resolve));
  }
}

test.each([
  ['without an end', 'x'],
  ['of lines without a time', `no time ${'x'.repeat(900)}\n`],
  ['of one line, again and again', `2026-01-02T03:04:05Z ${'x'.repeat(900)}\n`],
])('a log %s ends, and that of the other site is told', async (_what, text) => {
  const lines = await told({
    'site-1': aSite({ log: (_path, signal) => endless(text, signal) }),
    'site-2': aSite({ log: () => bytes(aLine('one')) }),
  });
  expect(lines).toContain('# Only the first 8 MiB of shop-1/app are told: ask for less.');
  expect(lines.filter((line) => line.startsWith('site-2'))).toHaveLength(1);
});

test('a site that tells too much ends its own part of the answer, and no other', async () => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f'];
  const lines = await told({
    'site-1': aSite({
      pods: { items: [aPod('shop-1', many)] },
      log: (_path, signal) => endless(`${new Date().toISOString()} ${'x'.repeat(16_000)}\n`, signal),
    }),
    'site-2': aSite({ log: () => slowly(aLine('one')) }),
  });
  expect(lines.findLast((line) => line.startsWith('#'))).toBe(
    '# Only the first 32 MiB of site-1 are told: ask for less.',
  );
  expect(lines.filter((line) => line.startsWith('site-2'))).toHaveLength(1);
}, 60_000);

/** After whatever the other sites have told. */
async function* slowly(text: string): AsyncGenerator<Uint8Array> {
  for (let turn = 0; turn < 5_000; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
  yield* bytes(text);
}

test('a log that is followed and has no lines is left, and asked for no more', async () => {
  const site = aSite({ log: (_path, signal) => endless(`no time ${'x'.repeat(900)}\n`, signal) });
  const { sink, ending, lines } = aSink();
  const over = answerLog(aReachWorld({ 'site-1': site }).context, aQuestion('log', '?follow=true'), {
    signal: ending.signal,
    begin: () => sink,
  });
  const looks = (): number => site.asked.filter((path) => path.includes('/pods?')).length;
  await eventually(() => (lines.some((line) => line.includes('that are no lines')) ? true : undefined));
  const before = looks();
  await eventually(() => (looks() > before + 1 ? true : undefined));
  expect(site.asked.filter((path) => path.includes('/log'))).toHaveLength(1);
  ending.abort();
  await over;
}, 30_000);

test('a site with many Pods has no more logs open than a stream may have', async () => {
  const items = Array.from({ length: MOST_LOGS.ofStream + 5 }, (_, index) => aPod(`shop-${index}`));
  const site = aSite({ pods: { items }, log: (_path, signal) => openEnded(signal) });
  const { sink, ending, lines } = aSink();
  const over = answerLog(aReachWorld({ 'site-1': site }).context, aQuestion('log', '?follow=true'), {
    signal: ending.signal,
    begin: () => sink,
  });
  await eventually(() => (lines.length > 0 ? true : undefined));
  expect(lines).toEqual([`# Only ${MOST_LOGS.ofStream} containers on site-1 are followed.`]);
  expect(site.asked.filter((path) => path.includes('/log'))).toHaveLength(MOST_LOGS.ofStream);
  ending.abort();
  await over;
});

test('a look that hangs ends with the stream', async () => {
  const { sink, ending } = aSink();
  const site = aSite({ copy: aborted(new AbortController().signal) });
  const start = { signal: ending.signal, begin: () => sink };
  const over = answerLog(aReachWorld({ 'site-1': site }).context, aQuestion(), start);
  await eventually(() => (site.asked.length > 0 ? true : undefined));
  ending.abort(new Error('gone'));
  await expect(over).rejects.toThrow('gone');
});

test('not all of one site’s sentences are told, and all of another’s', async () => {
  const { sink, ending, lines } = aSink();
  const items = Array.from({ length: 60 }, (_, index) => aPod(`shop-${index}`));
  const site = aSite({ pods: { items }, log: () => endsWith(new Error('x')) });
  const world = aReachWorld({ 'site-1': site, 'site-2': aSite({ log: () => endsWith(new Error('x')) }) });
  await answerLog(world.context, aQuestion(), { signal: ending.signal, begin: () => sink });
  expect(lines.filter((line) => line.includes('on site-1'))).toHaveLength(20);
  expect(lines.filter((line) => line.includes('on site-2'))).toHaveLength(1);
});

async function* endsWith(error: Error): AsyncGenerator<Uint8Array> {
  yield* bytes();
  throw error;
}
