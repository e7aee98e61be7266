// The minimum resource versions of other kinds that a ring for a Capp carries.
import { versionsOfPlacing } from '../../../bridge/changes/beside.ts';
import type { Watched } from '../../../bridge/changes/watched.ts';
import { PLACEMENT_LABEL } from '../../../crds/ocm/ocm.ts';
import { aCapp } from '../../support/builders/capps.ts';

const of = (name: string, resourceVersion: string, labels = {}) => ({
  metadata: { name, resourceVersion, labels },
});

const clusters = [of('site-1', '7'), of('site-2', '13'), of('site-3', '5')];

const watched = {
  clusters: {
    get: ({ name }: { name: string }) => clusters.find(({ metadata }) => metadata.name === name),
    list: () => clusters,
  },
  drains: { list: () => [of('site-9', '3')] },
  configs: { list: () => [{ spec: { placements: ['all', 'edge'] } }] },
  placements: { list: () => [of('all', '12'), of('edge', '9'), of('other', '99')] },
  decisions: {
    list: () => [
      of('all-1', '8', { [PLACEMENT_LABEL]: 'all' }),
      of('edge-1', '11', { [PLACEMENT_LABEL]: 'edge' }),
    ],
  },
} as unknown as Watched;

test.each([
  ['site-1', '', { Drain: '3', ManagedCluster: '7', Placement: '12', PlacementDecision: '11' }],
  [null, 'edge', { Drain: '3', ManagedCluster: '13', Placement: '9', PlacementDecision: '11' }],
  ['gone', 'site-1', { Drain: '3' }],
])(
  'a ring for a Capp on site %s whose spec.site is "%s" carries the newest versions of Drains and of its clusters, placements and decisions: %j',
  (site, wanted, marks) => {
    const capp = {
      ...aCapp({ name: 'one', spec: { site: wanted } }),
      status: site === null ? {} : { applicationLinks: { site } },
    };
    expect(versionsOfPlacing(watched, capp)).toEqual(marks);
  },
);
