// `kubectl capp doctor` says nothing of a hub where all is well, and finds each fault that is planted.
import { issue } from '../../../tls/certificate.ts';
import { SITE_WORDS } from '../../../cli/explain/site-words.ts';
import { examine } from '../../../cli/doctor/examine.ts';
import type { Facts } from '../../../cli/doctor/facts.ts';
import { PROCESSES } from '../../../cli/doctor/parts.ts';
import { AUTHOR_POLICIES } from '../../../cli/doctor/policies.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';
import {
  DAY,
  NOW,
  at,
  bundle,
  object,
  aDeployment,
  aConfiguration,
  aCluster,
  aBinding,
  anAddOn,
  aScore,
  aDecision,
  aCappSaying,
  aRival,
  aSetSaying,
  aBundleSaying,
  publishing,
  healthy,
  base64,
  PUBLISHED,
  TEMPORAL,
} from '../../support/builders/hub-facts.ts';
import { unservedMessage } from '../../../site/workload/unserved.ts';

let expired = '';
beforeAll(async () => {
  expired = base64((await issue(['127.0.0.1'], NOW - 10_000 * DAY)).cert);
});

/** A Capp that its site cannot run while that switch is off. */
const needing = (which: string) =>
  aCappSaying(
    'Available',
    'Unknown',
    'FeatureOff',
    `needs kubernetes.podspec-persistent-volume-${which}, off`,
  );

const lines = (facts: Facts): string[] =>
  examine(facts, SITE_WORDS, NOW).map(({ about, problem, remedy }) => `${about}: ${problem} ${remedy}`);

test('of a hub where all is well nothing is said', () => {
  expect(lines(healthy())).toEqual([]);
});

test('of what the person may not read nothing is said', () => {
  const unread = Object.fromEntries(Object.keys(healthy()).map((name) => [name, null]));
  expect(lines({ ...unread, served: healthy().served } as unknown as Facts)).toEqual([]);
});

test('where all processes run elsewhere, and the webhook has a URL, no Deployment is missed', () => {
  const elsewhere = {
    ...object('cappstan-webhook'),
    webhooks: [{ name: 'w', clientConfig: { caBundle: bundle } }],
  };
  const facts = { ...healthy(), deployments: [], validating: [elsewhere], mutating: [elsewhere] };
  expect(lines(facts)).toEqual([]);
  // As on the local stack: nobody looks at Deployments there.
  const unrun = PROCESSES.map((name) => ({ ...aDeployment(name, 0), status: {} }));
  expect(lines({ ...facts, deployments: unrun })).toEqual([]);
  expect(lines({ ...healthy(), deployments: unrun })).toHaveLength(3);
  const stopped = PROCESSES.map((name) => aDeployment(name, 0));
  expect(lines({ ...facts, deployments: stopped })).toHaveLength(3);
});

function aged<T extends { readonly metadata: object }>(one: T): T {
  return { ...one, metadata: { ...one.metadata, creationTimestamp: at(-DAY) } };
}

const others = () => PROCESSES.slice(1).map((name) => aDeployment(name));
const OCM_KIND = 'manifestworks.work.open-cluster-management.io';

test.each<[string, () => Partial<Facts>, RegExp]>([
  ['our kinds are not there', () => ({ served: { 'capps.rcs.dana.io': false } }), /serve capps.+its chart/],
  ["OCM's kinds are not there", () => ({ served: { [OCM_KIND]: false } }), /manifestworks.+Open Cluster/],
  ['a process is not installed', () => ({ deployments: others() }), /no Deployment cappstan-bridge/],
  [
    'no process is installed',
    () => ({ deployments: [] }),
    /no Deployment cappstan-bridge[^]+cappstan-hub[^]+cappstan-webhook/,
  ],
  [
    'a process does not run',
    () => ({ deployments: [aDeployment(PROCESSES[0], 0), ...others()] }),
    /No Pod of Deployment cappstan-bridge is available.+-n cappstan-system describe/,
  ],
  [
    'the gateway is installed and does not run',
    () => ({
      deployments: [...PROCESSES.map((name) => aDeployment(name)), aDeployment('cappstan-gateway', 0)],
    }),
    /No Pod of Deployment cappstan-gateway is available/,
  ],
  [
    'a process was stopped',
    () => ({ deployments: [aDeployment(PROCESSES[0], 0, 'cappstan:1', 0), ...others()] }),
    /cappstan-bridge is scaled to 0/,
  ],
  [
    'processes are of two versions',
    () => ({ deployments: [aDeployment(PROCESSES[0], 1, 'cappstan:2'), ...others()] }),
    /different images: cappstan:1, cappstan:2/,
  ],
  [
    'a process lacks a right',
    () => ({ refusedActs: [{ account: 'ServiceAccount a/b', act: 'patch capps/status' }] }),
    /ServiceAccount a\/b may not patch capps\/status/,
  ],
  [
    'the Go operator’s add-on has left its rights behind',
    () => ({
      clusterRoles: [
        object('cappstan-capp-edit'),
        object('cappstan-capp-view'),
        ...['a', 'b', 'c', 'd'].map((name) =>
          object(`open-cluster-management:capp-status-addon:site-${name}:agent`),
        ),
      ],
    }),
    /lets site-a, site-b, site-c and 1 more change and delete every Capp of this hub/,
  ],
  [
    'a site is configured by the ConfigMaps before the CappConfig',
    () => {
      const { status, ...cluster } = aCluster();
      const claim = { name: 'former-config.cappstan.dana.io', value: 'autoscale-defaults+dns-config' };
      return { clusters: [{ ...cluster, status: { ...status, clusterClaims: [claim] } }] };
    },
    /configured by ConfigMap autoscale-defaults and dns-config in capp-operator-system, which a CappConfig supersedes/,
  ],
  [
    'nobody on a site serves the autoscaler class of Capps',
    () => ({
      capps: [aCappSaying('Available', 'Unknown', 'NoAutoscaler', unservedMessage('r', 'hpa.x.dev'))],
      clusters: (healthy().clusters ?? []).map((cluster) => ({
        ...cluster,
        status: {
          ...cluster.status,
          clusterClaims: [{ name: 'knative.cappstan.dana.io', value: '1.19.4' }],
        },
      })),
    }),
    /^site site-1: .* apps\/app asks for: hpa\.x\.dev\. .*kubectl apply -f https:\S+\/knative-v1\.19\.4\/serving-hpa\.yaml\.$/,
  ],
  [
    'nobody on a site serves a class of autoscaler that Knative does not have',
    () => ({
      capps: [aCappSaying('Available', 'Unknown', 'NoAutoscaler', unservedMessage('r', 'keda.dev'))],
    }),
    /asks for: keda\.dev\. .*correct the annotation/,
  ],
  [
    'Knative on a site has switched off what Capps ask for',
    () => ({ capps: ['claim', 'write'].map(needing) }),
    /does not take there what apps\/app, apps\/app asks for: kubernetes\.podspec-persistent-volume-claim and [^]+--namespace knative-serving configmap\/config-features --type merge --patch '\{"data":\{"kubernetes\.podspec-persistent-volume-claim":"enabled","kubernetes\.podspec-persistent-volume-write":"enabled"\}\}'/,
  ],
  ['users have no roles', () => ({ clusterRoles: [] }), /cappstan-capp-edit[^]+cappstan-capp-view/],
  [
    'one role is missing',
    () => ({ clusterRoles: [object('cappstan-capp-view')] }),
    /^rights: [^\n]+-edit[^\n]+$/,
  ],
  ['nothing validates', () => ({ validating: [] }), /no ValidatingWebhookConfiguration cappstan-webhook/],
  [
    'nothing completes',
    () => ({ mutating: [aConfiguration(bundle, 'of-another')] }),
    /no MutatingWebhookConf/,
  ],
  ['the webhook is not trusted', () => ({ validating: [aConfiguration('')] }), /caBundle is empty/],
  ['its authority is unreadable', () => ({ mutating: [aConfiguration('bm9uZQ==')] }), /cannot be read/],
  ['its authority has expired', () => ({ validating: [aConfiguration(expired)] }), /have expired/],
  [
    'the webhook does not answer',
    () => ({ probe: { is: 'unanswered', why: 'connection refused' } }),
    /does not answer.+connection refused.+Pods/,
  ],
  ['the webhook is not asked', () => ({ probe: { is: 'accepted' } }), /nothing checks Capps/],
  [
    'the policy of authors of Capps is missing',
    () => ({ policies: [object('cappstan-drain-authors')] }),
    /policies: There is no ValidatingAdmissionPolicy cappstan-capp-authors, so .+ forged/,
  ],
  [
    'the policy of authors of Drains is missing',
    () => ({ policies: [object('cappstan-capp-authors')] }),
    /no ValidatingAdmissionPolicy cappstan-drain-authors/,
  ],
  [
    'a policy of authors is not bound',
    () => ({ policyBindings: [aBinding('cappstan-capp-authors')] }),
    /No ValidatingAdmissionPolicyBinding puts cappstan-drain-authors into effect/,
  ],
  [
    'a policy of authors only warns',
    () => ({ policyBindings: AUTHOR_POLICIES.map((name) => aBinding(name, 'Warn')) }),
    /binding of cappstan-capp-authors does not deny/,
  ],
  [
    'what the bridge has published is out of date',
    () => ({
      hubStatus: { ...PUBLISHED, agents: [] },
      addOns: [
        { ...anAddOn('True'), metadata: { ...anAddOn('True').metadata, creationTimestamp: at(-DAY) } },
      ],
    }),
    /HubStatus hub is out of date: it does not know the agent of site-1\. Check that the bridge runs/,
  ],
  ['the add-on is not installed', () => ({ clusterAddOns: [] }), /no ClusterManagementAddOn cappstan/],
  ['there is no site', () => ({ clusters: [] }), /No cluster has joined/],
  ['a site is not accepted', () => ({ clusters: [aCluster('True', false)] }), /site-1: .+hubAcceptsClient/],
  ['a site is lost', () => ({ clusters: [aCluster('Unknown')] }), /site-1: OCM does not reach it since/],
  ['a site has no add-on', () => ({ addOns: [] }), /site-1: It does not have the add-on/],
  [
    'an add-on is down',
    () => ({ addOns: [anAddOn('False')] }),
    /site-1: Its add-on cappstan is not available/,
  ],
  ['scores have expired', () => ({ scores: [aScore(at(-DAY))] }), /site-1: Its scores expired at/],
  [
    'an agent is silent',
    () => ({ capps: [aCappSaying('Available', 'Unknown', 'AgentSilent', `; last seen at ${at(-DAY)}.`)] }),
    /site-1: Its agent has not asked Temporal for work since/,
  ],
  [
    'an agent does not ask Temporal for work',
    publishing({ agents: [{ site: 'site-1', state: 'Silent', lastSeen: at(-DAY) }] }),
    /site-1: Its agent has not asked Temporal for work since \d/,
  ],
  [
    'an agent has never asked Temporal for work',
    publishing({ agents: [{ site: 'site-1', state: 'Silent' }] }),
    /site-1: Its agent has not asked Temporal for work since the bridge began/,
  ],
  ['nothing is published', () => ({ hubStatus: {} }), /No bridge has published/],
  [
    'Temporal does not answer',
    publishing({ temporal: { ...TEMPORAL, problem: 'Unreachable' } }),
    /Temporal: It does not answer since .+temporal\.address/,
  ],
  [
    'the namespace of Temporal is missing',
    publishing({ temporal: { ...TEMPORAL, problem: 'NoNamespace' } }),
    /no namespace prod since .+namespace create prod/,
  ],
  [
    'Temporal refuses the bridge',
    publishing({ temporal: { ...TEMPORAL, problem: 'Refused' } }),
    /refuses the bridge since .+client certificate/,
  ],
  [
    'a search attribute is missing',
    publishing({ missingSearchAttributes: ['CappSite'] }),
    /no search attribute CappSite .+--name CappSite --type Keyword/,
  ],
  [
    'no hub worker polls',
    publishing({ hubWorkers: { polling: false, current: '1.2-3' } }),
    /No hub worker asks it for work.+cappstan-hub/,
  ],
  [
    'old hub workers still run',
    publishing({ hubWorkers: { polling: true, current: '1.2-3', others: ['1.1-2'] } }),
    /versions: Beside the current build 1\.2-3, hub workers of 1\.1-2 still run/,
  ],
  [
    'the bridge is of another version than the hub workers',
    publishing({ hubWorkers: { polling: true, current: '1.3-4' } }),
    /versions: The bridge is version 1\.2, and build 1\.3-4 runs/,
  ],
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
    'a Bundle cannot be applied',
    () => ({ bundles: [aBundleSaying('True', 'NotAllowed')] }),
    /^Bundles: apps\/base waits for a person \(NotAllowed\)\. kubectl capp why bundle\/base -n apps says/,
  ],
  [
    'nobody looks at a Bundle',
    () => ({ bundles: [aged({ ...aBundleSaying('True', ''), status: {} })] }),
    /^Bundles: Nobody has looked at apps\/base/,
  ],
])('it is found when %s, with a remedy, and nothing else is', (_, planted, expected) => {
  const found = lines({ ...healthy(), ...planted() });
  expect(found.join('\n')).toMatch(expected);
  // A planted fault may show in several lines of one matter.
  expect(new Set(found.map((line) => line.split(':')[0])).size).toBe(1);
  for (const line of found) expect(line).toMatch(/^.+: .+\. .+\.$/);
});

test('a Capp that was made a moment ago is not late', () => {
  const capp = { ...aCapp(), metadata: { ...aCapp().metadata, creationTimestamp: at(-60_000) } };
  expect(lines({ ...healthy(), capps: [capp] })).toEqual([]);
});

test('of a site that has had its agent for a few minutes, the bridge need not have said anything', () => {
  const metadata = { ...anAddOn('True').metadata, creationTimestamp: at(-5 * 60_000) };
  const facts = {
    ...healthy(),
    hubStatus: { ...PUBLISHED, agents: [] },
    addOns: [{ ...anAddOn('True'), metadata }],
  };
  expect(lines(facts)).toEqual([]);
});
