// Which revision is on which sites, as the status of a Bundle says it, and as a plan reads it there.
import { memberOn } from '../../../../../activities/hub/bundle/members.ts';
import { placesOf } from '../../../../../activities/hub/bundle/status/places.ts';
import { worksIn } from '../../../../../activities/hub/bundle/preview-works.ts';
import { seenWork } from '../../../../../activities/hub/bundle/status/seen.ts';
import { MOST_NAMED } from '../../../../../crds/bundle/status.ts';
import { begin } from '../../../../../workflows/stages/rollout.ts';
import {
  aBundle,
  aConfigMap,
  rendered,
  reportedWork,
  WRITTEN_AT,
} from '../../../../support/builders/fleet/bundles.ts';

const bundle = aBundle();
const other = aBundle({ manifests: [aConfigMap({ color: 'blue' })] });
const known = { rendered: rendered(bundle), refused: {}, now: WRITTEN_AT };
const { revision } = rendered(bundle);
const { revision: blue } = rendered(other);
const siteOf = (cluster: string) => ({
  cluster,
  labels: {},
  refusal: null,
  isReachable: true,
  lostSince: null,
});
const workOf = (of: typeof bundle) => seenWork(reportedWork(of) as never);
const memberOf = (cluster: string, of: typeof bundle | null) =>
  memberOn(known, siteOf(cluster), of === null ? undefined : workOf(of));
const leftOn = (cluster: string, more: object = {}) => {
  const work = workOf(bundle);
  return { ...work, metadata: { ...work.metadata, namespace: cluster, ...more } };
};
const NOTHING_WRITTEN = new Map<string, string>();
const namesIn = (works: ReturnType<typeof worksIn>) =>
  Object.fromEntries(works.map(({ metadata, seen }) => [metadata.namespace, seen.revision]));

test('the revision that most sites have names none of them, and sites without one are named, too', () => {
  const members = [
    memberOf('site-1', bundle),
    memberOf('site-2', null),
    memberOf('site-3', bundle),
    memberOf('site-4', other),
  ];
  const left = [leftOn('site-5'), leftOn('site-6', { deletionTimestamp: '2026-03-01T12:00:00Z' })];
  const places = placesOf({ members, left }, NOTHING_WRITTEN);
  expect(places).toEqual({
    revisions: [
      { revision, number: 2 },
      { revision: '', number: 1, sites: ['site-2'] },
      { revision: blue, number: 1, sites: ['site-4'] },
    ],
    unselected: ['site-5'],
  });
  const told = { ...bundle, status: places };
  expect(namesIn(worksIn(told, ['site-1', 'site-2', 'site-3', 'site-4'], 0))).toEqual({
    'site-1': revision,
    'site-3': revision,
    'site-4': blue,
    'site-5': revision,
  });
});

test('what this turn has written counts at once', () => {
  const members = ['site-1', 'site-2', 'site-3'].map((cluster) => memberOf(cluster, other));
  expect(placesOf({ members, left: [] }, new Map([['site-2', revision]])).revisions).toEqual([
    { revision: blue, number: 2 },
    { revision, number: 1, sites: ['site-2'] },
  ]);
});

test('however many sites there are, few are named, and a plan that would need the others is refused', () => {
  const names = Array.from({ length: MOST_NAMED + 10 }, (_, index) => `site-${index}`);
  const members = names.flatMap((name) => [
    memberOf(name, other),
    memberOf(`b-${name}`, bundle),
    memberOf(`c-${name}`, bundle),
  ]);
  const places = placesOf({ members, left: [] }, NOTHING_WRITTEN);
  expect(places.revisions?.map(({ number, sites }) => [number, sites?.length])).toEqual([
    [2 * names.length, undefined],
    [names.length, MOST_NAMED],
  ]);
  expect(() => worksIn({ ...bundle, status: places }, names, 0)).toThrow(
    `of the ${names.length} sites that have revision ${blue} the status names only the first ${MOST_NAMED}, until the present rollout has gone on`,
  );
});

test('a site that is not ready in time counts from when the rollout began, and one that still has time from now', () => {
  const failing = [
    { cluster: 'site-1', kind: 'ConfigMap', name: 'a', condition: 'Ready', reason: 'NotReady', message: '' },
    {
      cluster: 'site-2',
      kind: 'ConfigMap',
      name: 'a',
      condition: 'Applied',
      reason: 'Conflict',
      message: '',
    },
  ];
  const stage = { name: 'all', state: 'Open', sites: 3, ready: 1, underWay: 1, offline: 0 };
  const of = (failed: number) => {
    const rollout = { ...begin(null, revision, 5) } as never;
    const status = { revisions: [{ revision, number: 3 }], rollout, failing, stages: [{ ...stage, failed }] };
    return worksIn({ ...bundle, status }, ['site-1', 'site-2', 'site-3'], 9).map(({ seen }) => [
      seen.state,
      seen.since,
    ]);
  };
  expect(of(0)).toEqual([
    ['Progressing', 9],
    ['Failed', 5],
    ['Ready', 5],
  ]);
  expect(of(1)[0]).toEqual(['Progressing', 5]);
});
