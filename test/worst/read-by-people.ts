// The worst that a site may have written of what people read, by `kubectl capp` and on the dashboard's page.
import { pictureOf, viewedIn } from '../../cli/dashboard/feed/picture.ts';
import { goneOf } from '../../cli/dashboard/feed/gone.ts';
import { KINDS } from '../../cli/dashboard/feed/kinds.ts';
import { SITE_WORDS } from '../../cli/explain/site-words.ts';
import { sitesFrom } from '../../cli/explain/sites.ts';
import { treeOf } from '../../cli/explain/tree/capp.ts';
import { treeOfBundle } from '../../cli/explain/tree/fleet.ts';
import { sitesText } from '../../cli/commands/sites.ts';
import { keptWork } from '../../cli/hub/objects/kept-work.ts';
import { jsonOf, yamlOf } from '../../cli/show/output.ts';
import { treeText } from '../../cli/show/tree.ts';
import { allowedMirror } from '../../crds/capp/mirror.ts';
import { slimCluster } from '../../crds/ocm/slim-cluster.ts';
import { shallow } from '../../kube/depth.ts';
import { aCondition, facts, ready } from '../support/builders/facts.ts';
import { NO_COLOURS } from '../support/builders/process/terminals.ts';
import { NOW } from '../support/builders/states.ts';

const SITES = 1_000;
/** As much as an API server stores of one object, in characters, and as OCM stores of one claim. */
const [STORED, CLAIMED] = [1_450_000, 1_024];
const times = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));
const read = (text: string): never => JSON.parse(shallow(text)) as never;

const CONTROL = '\u001b[2J\u009b2J\u202e';
const bad = { type: 'Applied', status: 'False', reason: CONTROL.repeat(100) };
const said = (count: number, name: string): string =>
  JSON.stringify({
    metadata: { name: 'bundle-apps-base', namespace: 'site-1' },
    status: {
      conditions: [bad],
      resourceStatus: { manifests: times(count, () => ({ resourceMeta: { kind: 'A', name } })) },
    },
  });
const works = { objects: said(30_000, 'a'), names: said(1, CONTROL.repeat(STORED / 16)) };
const bundle = { metadata: { namespace: 'apps', name: 'base' }, spec: {} } as never;
const [liar, honest] = [said(250, CONTROL.repeat(40)), said(1, 'a')].map((text) => keptWork(read(text)));
const drawn = times(SITES, (at) => (at % 10 === 0 ? liar : honest)) as never[];

const cluster = JSON.stringify({
  metadata: { name: 'site-1' },
  spec: { hubAcceptsClient: true },
  status: {
    conditions: [aCondition('ManagedClusterConditionAvailable', 'True', 'Reported')],
    clusterClaims: [
      { name: 'kubeversion.open-cluster-management.io', value: CONTROL.repeat(CLAIMED / 16) },
      ...times(30_000, (index) => ({ name: `k${index}`, value: '' })),
    ],
  },
});
const clusters = times(SITES, (at) => ({
  ...slimCluster(read(cluster)),
  metadata: { name: `site-${at}` },
}));
const hub = { clusters, addOns: [], scores: [], capps: [], agents: [] };
const fleet = viewedIn(new URLSearchParams({ view: 'fleet' }));

const deep = read('{"a":['.repeat(290) + ']}'.repeat(290));
/** What the hub repeats of the status that a site gives its Capp. */
const mirror = JSON.stringify({
  knativeObjectStatus: { conditions: times(20_000, () => ({ type: CONTROL, status: CONTROL })) },
  revisions: times(100, (index) => ({ name: `r${index}`, revisionsStatus: deep })),
});
const capp = ready('shop', 'site-1', allowedMirror(read(mirror)));

export const READ_BY_PEOPLE: Readonly<Record<string, () => unknown>> = {
  'kubectl capp: a work of 1.5 MB of which its site says something of 30,000 objects is kept': () =>
    keptWork(read(works.objects)),
  'kubectl capp: the same of one object with a name of 1.5 MB': () => keptWork(read(works.names)),
  'kubectl capp: the tree of a Bundle on 1,000 sites, of which 100 say all that is kept': () =>
    treeText(treeOfBundle(bundle, drawn), { isWide: true, colours: NO_COLOURS }),
  'kubectl capp: 1,000 sites with the longest versions in a table': () =>
    sitesText(sitesFrom(hub, SITE_WORDS, NOW), { isWide: true, now: NOW, colours: NO_COLOURS }),
  'kubectl capp: the same as YAML': () => yamlOf(sitesFrom(hub, SITE_WORDS, NOW)),
  'kubectl capp: 580 levels that a site has written as YAML': () => yamlOf(deep),
  'kubectl capp: what the hub repeats of 20,000 conditions of control characters, as JSON': () =>
    jsonOf(capp),
  'kubectl capp: the tree of that Capp': () => treeText(treeOf(capp), { isWide: true, colours: NO_COLOURS }),
  'dashboard: a ManagedCluster of a site with 30,000 claims is kept': () =>
    KINDS.clusters.transform?.(read(cluster)),
  'dashboard: the fleet of 1,000 such sites': () => pictureOf(fleet, facts({ clusters }), goneOf()),
};
