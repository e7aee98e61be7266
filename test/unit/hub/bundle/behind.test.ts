// Works of a Bundle are in caches of their own watches: a turn waits until these show what is known of them,
// and for nothing else.
import { jest } from '@jest/globals';
import { showTheSame, type WorkCaches } from '../../../../activities/hub/bundle/works.ts';
import { HUB_TIMES } from '../../../../activities/hub/times.ts';
import { BUNDLE_KEY, CHECKS_OF } from '../../../../crds/labels.ts';
import { bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import { checkWorkName } from '../../../../crds/ocm/check-work.ts';
import { isAtLeast } from '../../../../kube/watch/cache.ts';
import type { KubeObject } from '../../../../kube/resource.ts';

const REF = { namespace: 'apps', name: 'base' };
const copy = (version: string, labels = { [BUNDLE_KEY]: 'x' }): KubeObject => ({
  metadata: { namespace: 'site-1', name: bundleWorkName(REF), resourceVersion: version, labels },
});
const jobs = (version: string): KubeObject => ({
  metadata: {
    namespace: 'site-1',
    name: checkWorkName(REF),
    resourceVersion: version,
    labels: { [CHECKS_OF]: 'x' },
  },
});

/** At a version, with these works; more of them come by `sees`. */
function aCache(at: string, ...held: KubeObject[]) {
  const listeners = new Set<() => void>();
  let works = held;
  let version = at;
  return {
    sees: (...now: KubeObject[]) => {
      works = now;
      for (const listener of listeners) listener();
    },
    by: (index: string) =>
      works.filter(({ metadata: { name } }) => name.startsWith(index === 'checks' ? 'verify-' : 'bundle-')),
    caughtUpWith: (wanted: string) => isAtLeast(version, wanted),
    reaches: (now: string, ...left: KubeObject[]) => {
      version = now;
      works = left;
      for (const listener of listeners) listener();
    },
    onSeen: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

type Caches = Readonly<Record<keyof WorkCaches, ReturnType<typeof aCache>>>;

async function outcome(caches: Caches, meanwhile: () => void = () => undefined): Promise<boolean> {
  const isSo = showTheSame(caches as unknown as WorkCaches, REF);
  meanwhile();
  await jest.advanceTimersByTimeAsync(HUB_TIMES.cacheLag.ms);
  return isSo;
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a change of the Jobs alone is not waited for by the watch of copies, which hears nothing of it', async () => {
  const works = aCache('120', copy('100'), jobs('120'));
  const caches = { works, bundleWorks: aCache('100', copy('100')), checkWorks: aCache('120', jobs('120')) };
  expect(await outcome(caches)).toBe(true);
});

test('what the Jobs have come to is waited for', async () => {
  const works = aCache('120', copy('100'), jobs('120'));
  const checkWorks = aCache('1', jobs('1'));
  const caches = { works, bundleWorks: aCache('100', copy('100')), checkWorks };
  expect(await outcome(caches)).toBe(false);
  expect(await outcome(caches, () => checkWorks.sees(jobs('120')))).toBe(true);
});

test.each([
  ['is older there', [copy('99')], false],
  ['is not there yet', [], false],
  ['is newer there', [copy('101')], true],
])('a copy that %s', async (_how, shown, isSo) => {
  const works = aCache('120', copy('100'));
  expect(await outcome({ works, bundleWorks: aCache('99', ...shown), checkWorks: aCache('1') })).toBe(isSo);
});

test('a copy that has lost the label never comes there, and one that has gone must have gone there too', async () => {
  const stripped = aCache('120', copy('100', {} as never));
  const without = { works: stripped, bundleWorks: aCache('99'), checkWorks: aCache('1') };
  expect(await outcome(without)).toBe(true);
  const gone = { works: aCache('120'), bundleWorks: aCache('99', copy('99')), checkWorks: aCache('1') };
  expect(await outcome(gone)).toBe(false);
  const justMade = { works: aCache('120'), bundleWorks: aCache('121', copy('121')), checkWorks: aCache('1') };
  expect(await outcome(justMade)).toBe(true);
});

test('what changes while a turn waits is not waited for: it rings again', async () => {
  const works = aCache('120', copy('120'));
  const bundleWorks = aCache('100', copy('100'));
  const meanwhile = (): void => {
    works.sees(copy('130'));
    bundleWorks.sees(copy('120'));
  };
  expect(await outcome({ works, bundleWorks, checkWorks: aCache('1') }, meanwhile)).toBe(true);
});

test('a copy that goes while a turn waits is not waited for', async () => {
  const works = aCache('120', copy('120'));
  const bundleWorks = aCache('100', copy('100'));
  const caches = { works, bundleWorks, checkWorks: aCache('1') };
  expect(await outcome(caches, () => bundleWorks.reaches('125'))).toBe(true);
});
