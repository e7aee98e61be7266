// A stream that is followed tells of a site only for as long as the Capp is there, and what is there is this
// hub's.
import { answerLog } from '../../../reach/answer/log.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import { eventually } from '../../../testbed/eventually.ts';
import {
  aborted,
  aLine,
  aQuestion,
  aReachWorld,
  aSink,
  aSite,
  bytes,
  openEnded,
  type SiteAnswers,
} from '../../support/builders/reach.ts';

/** A site whose one log is open: what it still writes, and whether it is read. */
function followedSite(): SiteAnswers & { readonly open: Set<AbortSignal> } {
  const open = new Set<AbortSignal>();
  const site = {
    ...aSite(),
    open,
    log: (_path: string, signal: AbortSignal) => {
      open.add(signal);
      void aborted(signal).then(() => open.delete(signal));
      return openEnded(signal, aLine('one'));
    },
  };
  return site;
}

function following(sites: Record<string, SiteAnswers>, query = '') {
  const world = aReachWorld(sites);
  const { sink, ending, lines } = aSink();
  const over = answerLog(world.context, aQuestion('log', `?follow=true${query}`), {
    signal: ending.signal,
    begin: () => sink,
  });
  const stop = async (): Promise<void> => {
    ending.abort();
    await over;
  };
  return { world, lines, stop, over };
}

test('what another hub, or somebody on the site, has under the name is told no further', async () => {
  const [one, two] = [followedSite(), followedSite()];
  const { lines, stop } = following({ 'site-1': one, 'site-2': two });
  await eventually(() => (one.open.size + two.open.size === 2 ? true : undefined));
  one.copy = { metadata: { name: 'shop', annotations: { [ROLLOUT]: 'another/1/hash/one' } } };
  await eventually(() => (one.open.size === 0 ? true : undefined));
  expect(two.open.size).toBe(1);
  expect(lines.some((line) => line.includes('not shipped by this hub'))).toBe(true);
  // Its own again: it is read on, from its last line.
  one.copy = aSite().copy;
  await eventually(() => (one.open.size === 1 ? true : undefined));
  expect(one.asked.at(-1)).toContain('sinceTime=');
  await stop();
  expect(one.open.size + two.open.size).toBe(0);
}, 30_000);

test('a site that the Capp’s live status no longer names is told of no further', async () => {
  const [one, two] = [followedSite(), followedSite()];
  const { world, stop } = following({ 'site-1': one, 'site-2': two });
  await eventually(() => (one.open.size + two.open.size === 2 ? true : undefined));
  world.sites = ['site-2'];
  await eventually(() => (one.open.size === 0 ? true : undefined));
  expect(two.open.size).toBe(1);
  await stop();
}, 30_000);

test('a site that does not answer just now keeps what is being told of it', async () => {
  const one = followedSite();
  const { lines, stop } = following({ 'site-1': one });
  await eventually(() => (one.open.size === 1 ? true : undefined));
  one.pods = new Error('x');
  await eventually(() => (lines.some((line) => line.includes('does not answer')) ? true : undefined));
  expect(one.open.size).toBe(1);
  await stop();
}, 30_000);

test('each site is asked from the time that is said for it', async () => {
  const [one, two] = [followedSite(), followedSite()];
  const query = '&sinceTime=2026-01-02T03:04:05Z&siteTime=site-1,2020-01-01T00:00:00.5Z';
  const { stop } = following({ 'site-1': one, 'site-2': two }, query);
  await eventually(() => (one.open.size + two.open.size === 2 ? true : undefined));
  expect(one.asked.at(-1)).toContain(encodeURIComponent('2020-01-01T00:00:00Z'));
  expect(two.asked.at(-1)).toContain(encodeURIComponent('2026-01-02T03:04:05Z'));
  await stop();
});

test.each([
  ['tailLines=20', '&tailLines=20', /tailLines=20$/],
  ['sinceSeconds=60', '&sinceSeconds=60', /sinceSeconds=60/],
])(
  'a log that could not be opened at first is asked for with %s again, and not told whole',
  async (_what, query, asked) => {
    const one = followedSite();
    const { log } = one;
    let fails = 1;
    one.log = (path, signal) => {
      fails -= 1;
      if (fails >= 0) throw new Error('x');
      return log(path, signal);
    };
    const { stop } = following({ 'site-1': one }, query);
    await eventually(() => (one.open.size === 1 ? true : undefined));
    const logs = one.asked.filter((path) => path.includes('/log'));
    expect(logs).toHaveLength(2);
    for (const path of logs) expect(path).toMatch(asked);
    await stop();
  },
  30_000,
);

test('what a quiet container writes after its log broke off is told whole, however few lines were asked for first', async () => {
  const one = followedSite();
  const { log } = one;
  let quiet = true;
  one.log = (path, signal) => {
    if (!quiet) return log(path, signal);
    quiet = false;
    return bytes();
  };
  const { stop } = following({ 'site-1': one }, '&tailLines=0');
  try {
    await eventually(() => (one.open.size === 1 ? true : undefined));
    const [first, second] = one.asked.filter((path) => path.includes('/log'));
    expect(first).toContain('tailLines=0');
    expect(second).not.toContain('tailLines');
    expect(second).toContain('sinceTime=');
  } finally {
    await stop();
  }
}, 30_000);
