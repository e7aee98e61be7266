// `kubectl capp doctor` finds what is missing or wrong in what is installed on the hub.
import { issue } from '../../../../tls/certificate.ts';
import type { DoctorFacts } from '../../../../cli/doctor/facts.ts';
import { PROCESSES } from '../../../../cli/doctor/parts.ts';
import { AUTHOR_POLICIES } from '../../../../cli/doctor/policies.ts';
import {
  DAY,
  NOW,
  bundle,
  object,
  aDeployment,
  aConfiguration,
  aBinding,
  base64,
  findsOnly,
} from '../../../support/builders/hub-facts.ts';

let expired = '';
beforeAll(async () => {
  expired = base64((await issue(['127.0.0.1'], NOW - 10_000 * DAY)).cert);
});

const others = () => PROCESSES.slice(1).map((name) => aDeployment(name));

const OCM_KIND = 'manifestworks.work.open-cluster-management.io';

test.each<[string, () => Partial<DoctorFacts>, RegExp]>([
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
    'the Go operator’s add-on has left its bindings alone',
    () => ({ clusterRoleBindings: [object('open-cluster-management:capp-status-addon:site-1:agent')] }),
    /lets site-1 change and delete every Capp of this hub/,
  ],
  [
    'the Go operators’ add-ons remain, whose rights somebody has deleted',
    () => ({
      formerClusterAddOns: [object('capp-status-addon')],
      formerAddOns: [object('rcs-score', 'site-1')],
    }),
    /make their rights again: capp-status-addon, rcs-score of site-1\./,
  ],
  [
    'the Go operators’ own rights remain',
    () => ({ clusterRoleBindings: [object('rcs-ocm-deployer-manager-rolebinding')] }),
    /left ClusterRoles or bindings: rcs-ocm-deployer-manager-rolebinding/,
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
])('it is found when %s, with a remedy, and nothing else is', findsOnly);
