// When an object of a kind is ready, when it has failed for good, and whose words say why: what kubectl,
// kstatus and Argo CD agree on. Pure.
import { groupOf } from '../../../../crds/bundle/manifests.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';
import { isBuiltIn } from '../manifests/identify.ts';
import { annotation, has, hasNow, NOT_BEHIND, OBSERVED, text } from './cel.ts';
import { OF_GATEWAYS } from './gateways.ts';
import type { KindRule } from './kind-rule.ts';
import { REPLICATED, workloadRule } from './workloads.ts';

/** Nothing can be made in one that is being deleted. */
const NAMESPACE: KindRule = { ready: `${text('status.phase')} != 'Terminating'` };

const CORE: Readonly<Record<string, KindRule>> = {
  Namespace: NAMESPACE,
  ReplicationController: REPLICATED,
  Pod: {
    ready: `${text('status.phase')} == 'Succeeded' || ${has(['Ready', 'True'])}`,
    failedWhen: `${text('status.phase')} == 'Failed'`,
    waits: [
      ['PodScheduled', 'False'],
      ['Initialized', 'False'],
      ['ContainersReady', 'False'],
      ['Ready', 'False'],
    ],
  },
  PersistentVolumeClaim: {
    ready: `${text('status.phase')} == 'Bound'`,
    failedWhen: `${text('status.phase')} == 'Lost'`,
    waitsWhen: [
      `${text('status.phase')} == 'Pending'`,
      'no volume is bound to it. If its StorageClass has WaitForFirstConsumer, ship a Pod that uses it, or write a rule for it in spec.ready',
    ],
  },
};

const NO_ADDRESS = `size(object.?status.?loadBalancer.?ingress.orValue([])) == 0`;
const LOAD_BALANCER: KindRule = {
  ready: `!(${NO_ADDRESS})`,
  waitsWhen: [
    NO_ADDRESS,
    'no load balancer has given it an address. Where the site has none, ship another type, or write a rule for it in spec.ready',
  ],
};

const DEFINITION: KindRule = {
  ready: has(['Established', 'True']),
  failed: [['NamesAccepted', 'False']],
};

const API_SERVICE: KindRule = { ready: has(['Available', 'True']), waits: [['Available', 'False']] };

const AUTOSCALER: KindRule = {
  ready: `${has(['AbleToScale', 'True'])} && (${has(['ScalingActive', 'True'])} || ${has(['ScalingActive', 'False', 'ScalingDisabled'])})`,
  waits: [
    ['AbleToScale', 'False'],
    ['ScalingActive', 'False'],
  ],
};

/** As version v1 shows it, which keeps the conditions as JSON in an annotation. */
const FORMER_CONDITIONS = annotation('autoscaling.alpha.kubernetes.io/conditions');
const says = (part: string): string => `${FORMER_CONDITIONS}.contains('${part}')`;
const FORMER_AUTOSCALER: KindRule = {
  ready: `${says('"type":"AbleToScale","status":"True"')} && (${says('"type":"ScalingActive","status":"True"')} || ${says('"reason":"ScalingDisabled"')})`,
  waitsWhen: [
    says('"type":"ScalingActive","status":"False"'),
    'it cannot read its metrics or its target. Written as autoscaling/v2 it says here which',
  ],
};

/** It may want more Pods than there are, as of an app that is scaled to zero: it protects those that come. */
const BUDGET: KindRule = {
  ready: `${OBSERVED} && !${has(['DisruptionAllowed', 'False', 'SyncFailed'])}`,
  waits: [['DisruptionAllowed', 'False', 'SyncFailed']],
};

/** Kinds whose controllers always say Ready. */
const SAYS_READY: KindRule = {
  ready: `${NOT_BEHIND} && ${has(['Ready', 'True'])}`,
  failed: [
    ['Stalled', 'True'],
    // Of cert-manager's requests.
    ['Denied', 'True'],
    ['InvalidRequest', 'True'],
  ],
  waits: [
    ['Ready', 'False'],
    ['Ready', 'Unknown'],
  ],
};

/**
 * Its conditions, and not its status, name the generation that they are of. Issuing is False only after it
 * has failed, and says why, which Ready does not.
 */
const ISSUED: KindRule = {
  ...SAYS_READY,
  ready: hasNow(['Ready', 'True']),
  waits: [['Issuing', 'False'], ...(SAYS_READY.waits ?? [])],
};

/** Whoever signs has given up: cert-manager makes another one. */
const REQUESTED: KindRule = {
  ...SAYS_READY,
  failed: [...(SAYS_READY.failed ?? []), ['Ready', 'False', 'Failed']],
};

const OF_CERT_MANAGER: Readonly<Record<string, KindRule>> = {
  Certificate: ISSUED,
  CertificateRequest: REQUESTED,
};

/** A Service whose revision cannot start says so here; other conditions that are False may pass. */
const KNATIVE: KindRule = { ...SAYS_READY, failed: [['ConfigurationsReady', 'False']] };

/** By the rules of kstatus: an object that says nothing is ready when it is applied. */
const ANY: KindRule = {
  ready: `type(object.?status.orValue({})) != map || (${NOT_BEHIND} && !${has(['Reconciling', 'True'], ['Stalled', 'True'], ['Ready', 'False'], ['Ready', 'Unknown'])})`,
  failed: [['Stalled', 'True']],
  waits: [
    ['Reconciling', 'True'],
    ['Ready', 'False'],
    ['Ready', 'Unknown'],
  ],
};

const OF_EVENTING: ReadonlySet<string> = new Set(
  ['eventing', 'messaging', 'flows', 'sources'].map((part) => `${part}.knative.dev`),
);

const BY_GROUP: Readonly<Record<string, Readonly<Record<string, KindRule>>>> = {
  '': CORE,
  autoscaling: { HorizontalPodAutoscaler: AUTOSCALER },
  policy: { PodDisruptionBudget: BUDGET },
  'apiextensions.k8s.io': { CustomResourceDefinition: DEFINITION },
  'apiregistration.k8s.io': { APIService: API_SERVICE },
};

interface Group {
  readonly named: Readonly<Record<string, KindRule>>;
  readonly others: KindRule;
}

const OF_OTHERS: ReadonlyMap<string, Group> = new Map([
  ['serving.knative.dev', { named: {}, others: KNATIVE }],
  ['gateway.networking.k8s.io', { named: OF_GATEWAYS, others: ANY }],
  ['cert-manager.io', { named: OF_CERT_MANAGER, others: SAYS_READY }],
]);

/**
 * The rule of a manifest's kind; null if it is ready as soon as it is applied, unless it is being deleted.
 */
export function ruleOf(manifest: Manifest): KindRule | null {
  const { apiVersion, kind, spec } = manifest;
  const group = groupOf(apiVersion);
  if (group === '' && kind === 'Service')
    return (spec as { type?: unknown } | null | undefined)?.type === 'LoadBalancer' ? LOAD_BALANCER : null;
  if (apiVersion === 'autoscaling/v1' && kind === 'HorizontalPodAutoscaler') return FORMER_AUTOSCALER;
  const ofWorkload = workloadRule(manifest);
  if (ofWorkload !== null) return ofWorkload;
  if (isBuiltIn(group)) return namedIn(BY_GROUP[group] ?? {}, kind);
  if (OF_EVENTING.has(group)) return kind === 'EventType' ? ANY : SAYS_READY;
  const { named, others } = OF_OTHERS.get(group) ?? { named: {}, others: ANY };
  return namedIn(named, kind) ?? others;
}

function namedIn(kinds: Readonly<Record<string, KindRule>>, kind: string): KindRule | null {
  return Object.hasOwn(kinds, kind) ? (kinds[kind] ?? null) : null;
}
