// What the doctor reads of a hub: one where all is well, and parts of it that are not.
import { takenMessage } from '../../../activities/hub/ship/hostname.ts';
import { PROCESSES } from '../../../cli/doctor/parts.ts';
import { AUTHOR_POLICIES } from '../../../cli/doctor/policies.ts';
import type { ApiService, Deployment, DoctorFacts, WebhookConfiguration } from '../../../cli/doctor/facts.ts';
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { HubStatusReport } from '../../../crds/hub/hub-status.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import { issue } from '../../../tls/certificate.ts';
import { aCapp } from './capps.ts';
import { aSet } from './fleet/sets.ts';
import { examine } from '../../../cli/doctor/examine.ts';
import { SITE_WORDS } from '../../../cli/explain/site-words.ts';

export const DAY = 86_400_000;
export const NOW = Date.now();
export const at = (ms: number): string => new Date(NOW + ms).toISOString();
export const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Of a webhook's certificate that counts. */
export const bundle = base64((await issue(['127.0.0.1'], NOW)).cert);
export const object = (name: string, namespace?: string) => ({
  metadata: namespace === undefined ? { name } : { name, namespace },
});

export function aDeployment(name: string, available = 1, image = 'cappstan:1', replicas = 1): Deployment {
  return {
    ...object(name, 'cappstan-system'),
    spec: { replicas, template: { spec: { containers: [{ image }] } } },
    status: { availableReplicas: available, observedGeneration: 1 },
  };
}

export function aConfiguration(caBundle = bundle, name = 'cappstan-webhook'): WebhookConfiguration {
  const clientConfig = { caBundle, service: { namespace: 'cappstan-system' } };
  return { ...object(name), webhooks: [{ name: 'capp.dana.io', clientConfig }] };
}

/** Of a reader that the API server reaches. */
export function anApiService(caBundle = bundle, available: 'True' | 'False' = 'True'): ApiService {
  return {
    ...object('v1alpha1.reach.rcs.dana.io'),
    spec: { caBundle },
    status: { conditions: [{ type: 'Available', status: available }] },
  };
}

export function aCluster(available: 'True' | 'Unknown' = 'True', accepted = true) {
  const condition = {
    type: 'ManagedClusterConditionAvailable',
    status: available,
    lastTransitionTime: at(-DAY),
  };
  return { ...object('site-1'), spec: { hubAcceptsClient: accepted }, status: { conditions: [condition] } };
}

export const aBinding = (policyName: string, action = 'Deny') => ({
  ...object(policyName),
  spec: { policyName, validationActions: [action] },
});

export function anAddOn(status: 'True' | 'False') {
  return { ...object('cappstan', 'site-1'), status: { conditions: [{ type: 'Available', status }] } };
}

export const aScore = (validUntil: string) => ({
  ...object('rcs-score', 'site-1'),
  status: { scores: [], validUntil },
});

export function aDecision(clusters: readonly string[]) {
  const metadata = {
    name: 'all-1',
    namespace: 'placements',
    labels: { 'cluster.open-cluster-management.io/placement': 'all' },
  };
  return { metadata, status: { decisions: clusters.map((clusterName) => ({ clusterName })) } };
}

export function aCappSaying(type: string, status: 'True' | 'Unknown', reason: string, message = ''): Capp {
  const conditions = [{ type, status, reason, message, lastTransitionTime: at(0) }];
  return { ...aCapp(), status: { conditions, applicationLinks: { site: 'site-1' } } };
}

/** A Capp whose hostname an older one has, in the hub's own words. */
export function aRival(name: string): Capp {
  const hostname = 'shop.example.com';
  const spec = { ...aCapp().spec, routeSpec: { hostname } };
  const message = takenMessage(
    { ...aCapp(), spec },
    { namespace: 'shops', name: 'first', uid: '', createdAt: '' },
  );
  const saying = aCappSaying('Applied', 'Unknown', 'HostnameTaken', message);
  return { ...saying, metadata: { ...saying.metadata, name }, spec };
}

const stalled = (status: 'True' | 'False', reason: string) => [
  { type: 'Stalled', status, reason, message: '', lastTransitionTime: at(0) },
];

/** Of the Placement that the RCSConfig lists. */
export function aSetSaying(status: 'True' | 'False', reason: string, name = 'shop'): CappSet {
  return { ...aSet(name, { placement: 'all' }), status: { conditions: stalled(status, reason) } };
}

export function aBundleSaying(status: 'True' | 'False', reason: string): Bundle {
  const spec = { sites: { clusters: ['site-1'] } };
  return {
    ...object('base', 'apps'),
    spec,
    status: { conditions: stalled(status, reason) },
  } as unknown as Bundle;
}

const CONFIG = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'RCSConfig',
  ...object('rcs-config', 'rcs-deployer-system'),
  spec: { placements: ['all'], placementsNamespace: 'placements', invalidHostnamePatterns: [] },
};

export const PUBLISHED: HubStatusReport = {
  temporal: { reachable: true, since: at(-DAY), namespace: 'default' },
  missingSearchAttributes: [],
  hubWorkers: { polling: true, current: '1.2-3' },
  bridge: '1.2',
  agents: [{ site: 'site-1', state: 'Polling' }],
};
export const TEMPORAL = { reachable: false, since: at(-DAY), namespace: 'prod' } as const;
export const publishing = (plain: Partial<HubStatusReport>) => (): Partial<DoctorFacts> => ({
  hubStatus: { ...PUBLISHED, ...plain },
});

export function healthy(): DoctorFacts {
  return {
    served: { 'capps.rcs.dana.io': true, 'managedclusters.cluster.open-cluster-management.io': true },
    capps: [aCappSaying('Ready', 'True', 'Ready')],
    sets: [aSetSaying('False', 'Progressing')],
    bundles: [aBundleSaying('False', 'Progressing')],
    configs: [CONFIG],
    hubStatus: PUBLISHED,
    clusters: [aCluster()],
    addOns: [anAddOn('True')],
    scores: [aScore(at(DAY))],
    placements: [object('all', 'placements')],
    decisions: [aDecision(['site-1'])],
    validating: [aConfiguration()],
    mutating: [aConfiguration()],
    apiServices: [anApiService()],
    deployments: PROCESSES.map((name) => aDeployment(name)),
    policies: AUTHOR_POLICIES.map((name) => object(name)),
    policyBindings: AUTHOR_POLICIES.map((name) => aBinding(name)),
    clusterAddOns: [object('cappstan')],
    clusterRoles: [object('cappstan-capp-edit'), object('cappstan-capp-view')],
    clusterRoleBindings: [object('cluster-admin')],
    formerAddOns: [],
    formerClusterAddOns: [],
    probe: { is: 'refused' },
    refusedActs: [],
  };
}

/** What the doctor says of these facts, line by line. */
export const lines = (facts: DoctorFacts): string[] =>
  examine(facts, SITE_WORDS, NOW).map(({ about, problem, remedy }) => `${about}: ${problem} ${remedy}`);

/** Expects that the doctor finds what is planted in a hub where all is well, and nothing else. */
export function findsOnly(_what: string, planted: () => Partial<DoctorFacts>, expected: RegExp): void {
  const found = lines({ ...healthy(), ...planted() });
  expect(found.join('\n')).toMatch(expected);
  // A planted fault may show in several lines of one matter.
  expect(new Set(found.map((line) => line.split(':')[0])).size).toBe(1);
  for (const line of found) expect(line).toMatch(/^.+: .+\. .+\.$/);
}
