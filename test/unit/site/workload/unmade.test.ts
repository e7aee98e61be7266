// A revision that Knative cannot make after an edit is noticed after some seconds, since the revision before
// may just have recovered.
import type { KnativeRevision, KnativeService } from '../../../../crds/kubernetes/knative.ts';
import { unmade } from '../../../../site/workload/unmade.ts';
import { aRevision, aService, is } from '../../../support/builders/site/knative.ts';
import { failed, serves } from '../../../support/builders/site/site-reports.ts';

const KEY = 'apps/app';
const former = aRevision('r1', is('Ready', 'True'));
const refused = aService({ created: 'r1', ready: 'r1', conditions: failed });

function world() {
  let now = 1_000;
  const woken: number[] = [];
  const found = unmade(
    (_key, delayMs) => woken.push(delayMs),
    () => now,
  );
  return { found, woken, after: (ms: number) => (now += ms) };
}

test('nothing is said at first, and the Capp is looked at again when it is time', () => {
  const { found, woken, after } = world();
  expect(found.of(KEY, refused, former)).toBe(false);
  after(2_000);
  expect(found.of(KEY, refused, former)).toBe(false);
  expect(woken).toEqual([5_000, 3_000]);
  after(3_000);
  expect(found.of(KEY, refused, former)).toBe(true);
});

test.each<[string, KnativeService | null, KnativeRevision | undefined]>([
  ['Knative has made it', aService({ created: 'r1', ready: 'r1', conditions: serves }), former],
  ['the newest revision has failed itself', refused, aRevision('r1', is('Ready', 'False'))],
  ['the newest revision is not known to be Ready', refused, aRevision('r1', is('Ready', 'Unknown'))],
  ['there is no revision', refused, undefined],
  [
    'Knative has not seen the newest generation',
    { ...refused, metadata: { ...refused.metadata, generation: 2 } },
    former,
  ],
  ['there is no Service', null, undefined],
])('nothing is said when %s, and the time begins again after that', (_why, service, revision) => {
  const { found, after } = world();
  found.of(KEY, refused, former);
  after(60_000);
  expect(found.of(KEY, service, revision)).toBe(false);
  expect(found.of(KEY, refused, former)).toBe(false);
});

test('the time begins again with another edit', () => {
  const { found, after } = world();
  found.of(KEY, refused, former);
  after(60_000);
  const metadata = { ...refused.metadata, generation: 2 };
  const edited = { ...refused, metadata, status: { ...refused.status, observedGeneration: 2 } };
  expect(found.of(KEY, edited, former)).toBe(false);
});

test('nothing is said of an edit that Knative has not seen yet, however long that takes', () => {
  const { found, after } = world();
  const unseen = { ...refused, metadata: { ...refused.metadata, generation: 2 } };
  expect(found.of(KEY, unseen, former)).toBe(false);
  after(60_000);
  expect(found.of(KEY, unseen, former)).toBe(false);
});
