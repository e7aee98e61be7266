// For which Capps a changed dns of the RCSConfig, or a site's changed ingress name, rings.
import { listenToNames } from '../../../../bridge/changes/names.ts';
import type { BridgeWatched } from '../../../../bridge/changes/watched.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { INGRESS_CLAIM } from '../../../../crds/ocm/cluster-claim.ts';
import { aCapp } from '../../../support/builders/capps.ts';

function onSite(name: string, site: string | null, hostname: string): Capp {
  const capp = aCapp({ name, spec: { routeSpec: { hostname } } });
  return { ...capp, status: site === null ? {} : { applicationLinks: { site } } };
}

const CAPPS = [
  onSite('here', 'site-1', 'here.example.com'),
  onSite('there', 'site-2', 'there.example.com'),
  onSite('nameless', 'site-1', ''),
  onSite('nowhere', null, 'nowhere.example.com'),
];

/** Which Capps ring, and with what cause. */
function rung(kind: 'configs' | 'clusters', change: object): string[] {
  const heard: string[] = [];
  const silent = { subscribe: () => () => undefined };
  const telling = {
    subscribe: (listener: (change: object) => void) => (
      listener({ initial: false, ...change }),
      () => undefined
    ),
  };
  const watched = { configs: silent, clusters: silent, [kind]: telling, capps: { list: () => CAPPS } };
  listenToNames(watched as unknown as BridgeWatched, (key, cause) => heard.push(`${key} ${cause}`));
  return heard;
}

const config = (dns?: object) => ({ metadata: { name: 'rcs-config' }, spec: { placements: ['all'], dns } });
const cluster = (value: string) => ({
  metadata: { name: 'site-1' },
  status: { clusterClaims: [{ name: INGRESS_CLAIM, value }] },
});
const DNS = { zone: 'a.example.', provider: 'p', ttlSeconds: 60, allowedTargets: ['*.example.com'] };
const BOTH = ['apps/here dependency', 'apps/there dependency'];

test.each<[string, object, string[]]>([
  ['gets dns', { type: 'Modified', previous: config(), object: config(DNS) }, BOTH],
  ['is created with dns', { type: 'Added', previous: null, object: config(DNS) }, BOTH],
  [
    'allows other targets',
    {
      type: 'Modified',
      previous: config(DNS),
      object: config({ ...DNS, allowedTargets: ['b.example.com'] }),
    },
    BOTH,
  ],
  ['is deleted', { type: 'Deleted', previous: null, object: config(DNS) }, []],
  ['changes elsewhere', { type: 'Modified', previous: config(DNS), object: config({ ...DNS }) }, []],
])('an RCSConfig that %s rings the Capps with a site and a hostname, or none', (_, change, names) => {
  expect(rung('configs', change)).toEqual(names);
});

const open = (...namespaces: string[]) => ({
  metadata: { name: 'rcs-config' },
  spec: { placements: ['all'], domains: [{ domain: 'example.com', namespaces }] },
});
const NAMED = ['apps/here', 'apps/there', 'apps/nowhere'].map((key) => `${key} dependency`);

test.each<[string, object, string[]]>([
  ['opens a domain', { type: 'Modified', previous: open('bank'), object: open('bank', 'apps') }, NAMED],
  ['closes a domain', { type: 'Modified', previous: config(), object: open('bank') }, NAMED],
  ['is gone, and with it what it closed', { type: 'Deleted', previous: null, object: open('bank') }, NAMED],
  [
    'names others than their namespace',
    { type: 'Modified', previous: open('bank'), object: open('bank', 'shop') },
    [],
  ],
])('an RCSConfig that %s rings the Capps whose hostname that concerns', (_, change, names) => {
  expect(rung('configs', change)).toEqual(names);
});

test.each<[string, object, string[]]>([
  [
    'another name',
    { type: 'Modified', previous: cluster('a.example.com'), object: cluster('b.example.com') },
    ['apps/here dependency'],
  ],
  [
    'another spelling',
    { type: 'Modified', previous: cluster('a.example.com'), object: cluster('A.example.com.') },
    [],
  ],
  ['a name when it comes', { type: 'Added', previous: null, object: cluster('a.example.com') }, []],
])('a site that claims %s rings the Capps there, or none', (_, change, names) => {
  expect(rung('clusters', change)).toEqual(names);
});
