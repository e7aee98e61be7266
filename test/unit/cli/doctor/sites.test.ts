// `kubectl capp doctor` finds what is wrong with sites, their add-ons and their agents.
import type { DoctorFacts } from '../../../../cli/doctor/facts.ts';
import {
  DAY,
  at,
  aCluster,
  anAddOn,
  aScore,
  aCappSaying,
  publishing,
  healthy,
  PUBLISHED,
  findsOnly,
} from '../../../support/builders/hub-facts.ts';
import { unservedMessage } from '../../../../site/workload/unserved.ts';

/** A Capp that its site cannot run while that switch is off. */
const needing = (which: string) =>
  aCappSaying(
    'Available',
    'Unknown',
    'FeatureOff',
    `needs kubernetes.podspec-persistent-volume-${which}, off`,
  );

test.each<[string, () => Partial<DoctorFacts>, RegExp]>([
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
  [
    'a switch is off that is not of the spec of a Pod, whatever the container is called',
    () => ({
      capps: [
        'containers[kubernetes.podspec-hostpath].env needs kubernetes.containerspec-addcapabilities and multi-container-probing, off',
      ].map((message) => aCappSaying('Available', 'Unknown', 'FeatureOff', message)),
    }),
    /asks for: kubernetes\.containerspec-addcapabilities and multi-container-probing is off.+'\{"data":\{"kubernetes\.containerspec-addcapabilities":"enabled","multi-container-probing":"enabled"\}\}'/,
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
])('it is found when %s, with a remedy, and nothing else is', findsOnly);
