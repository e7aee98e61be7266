// The minimum resource versions of other kinds that a ring for a Capp carries.
import { versionsOfPlacing } from '../../../../bridge/changes/beside.ts';
import type { BridgeWatched } from '../../../../bridge/changes/watched.ts';
import { AVAILABLE } from '../../../../crds/ocm/ocm.ts';
import { PLACEMENT_LABEL } from '../../../../crds/ocm/placements.ts';
import { readRing } from '../../../../workflows/parse/ring.ts';
import { aCapp } from '../../../support/builders/capps.ts';

const of = (name: string, resourceVersion: string, labels = {}) => ({
  metadata: { name, resourceVersion, labels },
});

const cluster = (name: string, resourceVersion: string) => ({
  ...of(name, resourceVersion),
  status: { conditions: [{ type: AVAILABLE, status: 'True' }] },
});
const clusters = [cluster('site-1', '7'), cluster('site-2', '13'), cluster('site-3', '5')];
const decided = (name: string, resourceVersion: string, placement: string, clusterName: string) => ({
  metadata: { name, namespace: 'placements', resourceVersion, labels: { [PLACEMENT_LABEL]: placement } },
  status: { decisions: [{ clusterName }] },
});

const watched = {
  clusters: {
    get: ({ name }: { name: string }) => clusters.find(({ metadata }) => metadata.name === name),
    list: () => clusters,
  },
  drains: { changedAt: () => '3' },
  configs: {
    list: () => [
      { ...of('rcs-config', '4'), spec: { placements: ['all', 'edge'], placementsNamespace: 'placements' } },
    ],
  },
  placements: {
    list: () => [of('all', '12'), of('edge', '9'), of('other', '99')],
    changedAt: () => '99',
  },
  clusterSets: { changedAt: () => '6' },
  setBindings: { changedAt: () => '2' },
  decisions: {
    list: () => [decided('all-1', '8', 'all', 'site-1'), decided('edge-1', '11', 'edge', 'site-2')],
  },
} as unknown as BridgeWatched;

/** Where `spec.site` names a cluster: whether it may be named is up to all of them. */
const OPEN = { ManagedClusterSet: '6', ManagedClusterSetBinding: '2', Placement: '99' };

test.each([
  [
    'site-1',
    '',
    { RCSConfig: '4', Drain: '3', ManagedCluster: '7', Placement: '12', PlacementDecision: '11' },
  ],
  [
    null,
    'edge',
    { RCSConfig: '4', Drain: '3', ManagedCluster: '13', Placement: '9', PlacementDecision: '11' },
  ],
  ['site-1', 'site-1', { RCSConfig: '4', Drain: '3', ManagedCluster: '7', ...OPEN }],
  [
    'site-1',
    'edge',
    { RCSConfig: '4', Drain: '3', ManagedCluster: '13', Placement: '9', PlacementDecision: '11' },
  ],
  ['gone', 'site-3', { RCSConfig: '4', Drain: '3', ManagedCluster: '13', ...OPEN }],
])(
  'a ring for a Capp on site %s whose spec.site is %j carries the newest versions of Drains, of the RCSConfig and of its clusters, placements and decisions: %j',
  (site, wanted, marks) => {
    const capp = {
      ...aCapp({ name: 'one', spec: { site: wanted } }),
      status: site === null ? {} : { applicationLinks: { site } },
    };
    const minimumVersions = versionsOfPlacing(watched, capp);
    expect(minimumVersions).toEqual(marks);
    // The workflow reads all of them.
    expect(readRing({ causes: ['decision'], minimumVersions })).toMatchObject({ minimumVersions });
  },
);
