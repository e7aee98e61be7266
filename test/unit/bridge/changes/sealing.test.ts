// For which Capps another word on sealing in the RCSConfig, or another key of a site, rings.
import { listenToSealing } from '../../../../bridge/changes/sealing.ts';
import type { BridgeWatched } from '../../../../bridge/changes/watched.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { SEALING_CLAIM } from '../../../../crds/sealing/site-key.ts';
import { aCapp } from '../../../support/builders/capps.ts';

function onSite(name: string, site: string | null): Capp {
  return { ...aCapp({ name }), status: site === null ? {} : { applicationLinks: { site } } };
}

const applied = {
  type: 'Applied',
  status: 'False',
  reason: 'NoSealingKey',
  message: '',
  lastTransitionTime: '2026-03-01T12:00:00Z',
} as const;
const CAPPS = [
  onSite('here', 'site-1'),
  onSite('there', 'site-2'),
  onSite('nowhere', null),
  { ...onSite('refused', null), status: { conditions: [applied] } },
];
const config = (sealing?: string) => ({
  metadata: { name: 'rcs-config' },
  spec: { placements: ['all'], ...(sealing === undefined ? {} : { secrets: { sealing } }) },
});

/** Which Capps ring while the RCSConfig says so of sealing. */
function rung(kind: 'configs' | 'clusters', change: object, now = config('Required')): string[] {
  const heard: string[] = [];
  const tell = (listener: (change: object) => void) => {
    listener({ initial: false, ...change });
    return () => undefined;
  };
  const silent = { subscribe: () => () => undefined, list: () => [now] };
  const works = { by: () => [], list: () => [], get: () => undefined };
  const watched = {
    configs: silent,
    clusters: silent,
    works,
    capps: { list: () => CAPPS },
    [kind]: { ...silent, subscribe: tell },
  };
  listenToSealing(watched as unknown as BridgeWatched, (key, cause) => heard.push(`${key} ${cause}`));
  return heard;
}

const REFUSED = 'apps/refused dependency';
const ALL = ['apps/here dependency', 'apps/there dependency', REFUSED];
const changed = (before: object, after: object) => ({ type: 'Modified', previous: before, object: after });

test.each<[string, object, string[]]>([
  ['asks for sealing', changed(config(), config('Required')), ALL],
  ['asks for none any more', changed(config('Required'), config('Off')), ALL],
  ['says what counted anyway', changed(config(), config('Off')), []],
  ['is created and asks for it', { type: 'Added', previous: null, object: config('Required') }, ALL],
  ['is deleted', { type: 'Deleted', previous: null, object: config('Required') }, []],
])(
  'an RCSConfig that %s rings the Capps with a site and those that wait for a key, or none',
  (_, change, names) => {
    expect(rung('configs', change)).toEqual(names);
  },
);

const cluster = (value?: string) => ({
  metadata: { name: 'site-1' },
  status: { clusterClaims: value === undefined ? [] : [{ name: SEALING_CLAIM, value }] },
});

test("a site's first or other key rings the Capps that are there or wait for one, where Secrets are sealed", () => {
  expect(rung('clusters', changed(cluster(), cluster('x25519.a')))).toEqual([
    'apps/here dependency',
    REFUSED,
  ]);
  expect(rung('clusters', changed(cluster('x25519.a'), cluster('x25519.b')))).toEqual([
    'apps/here dependency',
    REFUSED,
  ]);
  expect(rung('clusters', changed(cluster('x25519.a'), cluster('x25519.a')))).toEqual([]);
  expect(rung('clusters', changed(cluster(), cluster('x25519.a')), config())).toEqual([]);
});
