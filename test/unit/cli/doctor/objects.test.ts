// `kubectl capp doctor` finds what keeps Capps, sets and Bundles from being placed, shipped or looked at.
import type { DoctorFacts } from '../../../../cli/doctor/facts.ts';
import { cappsExecutorClaim } from '../../../../crds/ocm/executors.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { aSet } from '../../../support/builders/fleet/sets.ts';
import {
  DAY,
  at,
  aCluster,
  aDecision,
  aCappSaying,
  aRival,
  aSetSaying,
  aBundleSaying,
  findsOnly,
  healthy,
  lines,
} from '../../../support/builders/hub-facts.ts';

function aged<T extends { readonly metadata: object }>(one: T): T {
  return { ...one, metadata: { ...one.metadata, creationTimestamp: at(-DAY) } };
}

/** A site on which these hubs have an agent. */
function withHubs(...hubs: readonly string[]) {
  const cluster = aCluster();
  const clusterClaims = hubs.map((hub) => ({ name: cappsExecutorClaim(hub), value: 'add-on/name' }));
  return { ...cluster, status: { ...cluster.status, clusterClaims } };
}

test('nothing is said of executors on a site with one hub, without Bundles, or where their names bear the hub', () => {
  const [config] = healthy().configs ?? [];
  if (config === undefined) throw new Error('no RCSConfig');
  const apart = { ...config, spec: { ...config.spec, bundles: { executors: 'HubAndNamespace' as const } } };
  const bundles = [aBundleSaying('False', 'Progressing')];
  expect(lines({ ...healthy(), clusters: [withHubs('a')], bundles })).toEqual([]);
  expect(lines({ ...healthy(), clusters: [withHubs('a', 'b')], bundles: [] })).toEqual([]);
  expect(lines({ ...healthy(), clusters: [withHubs('a', 'b')], bundles, configs: [apart] })).toEqual([]);
});

test.each<[string, () => Partial<DoctorFacts>, RegExp]>([
  ['there is no RCSConfig', () => ({ configs: [] }), /There is no RCSConfig/],
  ['a Placement is missing', () => ({ placements: [] }), /lists Placement all, which does not exist/],
  [
    'a Placement has not decided',
    () => ({ decisions: [aDecision([])] }),
    /Placement all .+ has decided for no site/,
  ],
  [
    'nobody looks at Capps',
    () => ({ capps: [{ ...aCapp(), metadata: { ...aCapp().metadata, creationTimestamp: at(-DAY) } }] }),
    /Nobody has looked at apps\/app/,
  ],
  [
    'a workflow keeps failing',
    () => ({ capps: [aCappSaying('Stalled', 'True', 'WorkflowFailing')] }),
    /The workflows of apps\/app fail again and again/,
  ],
  [
    'another Capp has the hostname of two',
    () => ({ capps: [aRival('red'), aRival('blue')] }),
    /^hostname shop\.example\.com: It belongs to Capp shops\/first, so what is asked for with it by apps\/red, apps\/blue is sent to no site\. Use another spec\.routeSpec\.hostname/,
  ],
  [
    'a Service of the site has the name of a Capp',
    () => ({ capps: [aCappSaying('Available', 'Unknown', 'NameTaken')] }),
    /^site site-1: Something that is not theirs has there the name that apps\/app needs\. "kubectl capp why app -n apps" says what/,
  ],
  [
    'the Placement of a set is missing',
    () => ({
      sets: [
        { ...aSet('shop', { placement: 'shops' }), status: aSetSaying('True', 'NoPlacement').status ?? {} },
      ],
    }),
    /^CappSets: There is no Placement apps\/shops, which apps\/shop names/,
  ],
  [
    'sets wait for a person',
    () => ({ sets: ['a', 'b', 'c', 'd'].map((name) => aSetSaying('True', 'SitesFailed', name)) }),
    /^CappSets: apps\/a, apps\/b, apps\/c and 1 more wait for a person \(SitesFailed\)\. kubectl capp why cappset\/a -n apps/,
  ],
  [
    'nobody looks at a set',
    () => ({ sets: [aged(aSet('shop', { sites: { clusters: ['site-1'] } }))] }),
    /^CappSets: Nobody has looked at apps\/shop/,
  ],
  [
    'Bundles of two hubs have one executor on a site',
    () => ({ clusters: [withHubs('a', 'b')], bundles: [aBundleSaying('False', 'Progressing')] }),
    /^Bundles: Several hubs are on site-1, and a namespace's Bundles can use there the rights .+ spec\.bundles\.executors of the RCSConfig/,
  ],
  [
    'a Bundle cannot be applied',
    () => ({ bundles: [aBundleSaying('True', 'NotAllowed')] }),
    /^Bundles: apps\/base waits for a person \(NotAllowed\)\. kubectl capp why bundle\/base -n apps says/,
  ],
  [
    'nobody looks at a Bundle',
    () => ({ bundles: [aged({ ...aBundleSaying('True', ''), status: {} })] }),
    /^Bundles: Nobody has looked at apps\/base/,
  ],
])('it is found when %s, with a remedy, and nothing else is', findsOnly);
