// For which Capps another word on sealing in the RCSConfig, or another key of a site, rings.
import { listenToSealing } from '../../../../bridge/changes/sealing.ts';
import type { Watched } from '../../../../bridge/changes/watched.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { SEALING_CLAIM } from '../../../../crds/sealing/site-key.ts';
import { aCapp } from '../../../support/builders/capps.ts';

function onSite(name: string, site: string | null): Capp {
  return { ...aCapp({ name }), status: site === null ? {} : { applicationLinks: { site } } };
}

const CAPPS = [onSite('here', 'site-1'), onSite('there', 'site-2'), onSite('nowhere', null)];
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
  listenToSealing(watched as unknown as Watched, (key, cause) => heard.push(`${key} ${cause}`));
  return heard;
}

const BOTH = ['apps/here dependency', 'apps/there dependency'];
const changed = (before: object, after: object) => ({ type: 'Modified', previous: before, object: after });

test.each<[string, object, string[]]>([
  ['asks for sealing', changed(config(), config('Required')), BOTH],
  ['asks for none any more', changed(config('Required'), config('Off')), BOTH],
  ['says what counted anyway', changed(config(), config('Off')), []],
  ['is created and asks for it', { type: 'Added', previous: null, object: config('Required') }, BOTH],
  ['is deleted', { type: 'Deleted', previous: null, object: config('Required') }, []],
])('an RCSConfig that %s rings the Capps with a site, or none', (_, change, names) => {
  expect(rung('configs', change)).toEqual(names);
});

const cluster = (value?: string) => ({
  metadata: { name: 'site-1' },
  status: { clusterClaims: value === undefined ? [] : [{ name: SEALING_CLAIM, value }] },
});

test("a site's first or other key rings the Capps that are there, where Secrets are sealed", () => {
  expect(rung('clusters', changed(cluster(), cluster('x25519.a')))).toEqual(['apps/here dependency']);
  expect(rung('clusters', changed(cluster('x25519.a'), cluster('x25519.b')))).toEqual([
    'apps/here dependency',
  ]);
  expect(rung('clusters', changed(cluster('x25519.a'), cluster('x25519.a')))).toEqual([]);
  expect(rung('clusters', changed(cluster(), cluster('x25519.a')), config())).toEqual([]);
});
