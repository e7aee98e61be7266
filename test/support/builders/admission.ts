// Builders for tests of admission. The default is a hub with two sites, one placement, and no hostnames in
// use.
import type { HubKnowledge } from '../../../admission/known.ts';
import type { Problem } from '../../../admission/rule.ts';
import type { AdmissionRequest } from '../../../admission/request.ts';
import { applyRules, PATHS } from '../../../admission/router.ts';
import { canonicalHostname } from '../../../crds/capp/hostname.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import type { Answering } from '../../../workers/webhook/answer.ts';
import { applied } from '../../../admission/patch.ts';

export const KNOWN: HubKnowledge = {
  config: { placements: ['default'], placementsNamespace: 'placements', invalidHostnamePatterns: [] },
  configKey: RCS_CONFIG_KEY,
  namespace: 'cappstan-system',
  clusterDomain: 'cluster.local',
  reserved: [],
  sites: () => [
    { name: 'site-1', isHub: false, mayPin: true },
    { name: 'site-2', isHub: false, mayPin: true },
    { name: 'local-cluster', isHub: true, mayPin: false },
  ],
  hasPlacement: (namespace, name) => namespace === 'placements' && name === 'default',
  holders: () => [],
  draining: () => [],
  servedBy: () => [],
};

export function known(given: Partial<HubKnowledge>): HubKnowledge {
  return { ...KNOWN, ...given };
}

export function configured(config: Partial<NonNullable<HubKnowledge['config']>>): HubKnowledge {
  return known({
    config: {
      placements: ['default'],
      placementsNamespace: 'placements',
      invalidHostnamePatterns: [],
      ...config,
    },
  });
}

/** A Capp as a user sends it. */
export function raw(spec: object, metadata: object = {}): object {
  const container = { name: 'app', image: 'ghcr.io/me/app:v1' };
  const base = {
    state: 'enabled',
    scaleMetric: 'concurrency',
    configurationSpec: { template: { spec: { containers: [container] } } },
  };
  return {
    apiVersion: 'rcs.dana.io/v1alpha1',
    kind: 'Capp',
    metadata: { namespace: 'apps', name: 'app', ...metadata },
    spec: { ...base, ...spec },
  };
}

/** The body in which an API server asks about the CREATE of an object. */
export function question(object: unknown, oldObject: unknown = null): string {
  const request = {
    uid: 'u',
    kind: { group: 'g', kind: 'Capp' },
    operation: 'CREATE',
    namespace: 'apps',
    name: 'app',
    userInfo: {},
  };
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { ...request, object, oldObject },
  });
}

/** A CREATE, or an UPDATE if there was something before. */
export function asked(
  object: unknown,
  before: unknown = null,
  given: Partial<AdmissionRequest> = {},
): AdmissionRequest {
  const operation = before === null ? 'CREATE' : 'UPDATE';
  return {
    operation,
    namespace: 'apps',
    name: 'app',
    username: 'alice',
    object,
    oldObject: before,
    dryRun: false,
    ...given,
  };
}

/** The result of a path's rules. Throws when the path has none. */
export function judged(path: string, request: AdmissionRequest, facts: HubKnowledge = KNOWN) {
  const opinion = applyRules(path, request, facts);
  if (opinion === null) throw new Error(`There are no rules for the path ${path}.`);
  return opinion;
}

/** What the webhook of a hub answers with. */
export function onHub(facts: () => HubKnowledge = () => KNOWN): Pick<Answering, 'judge' | 'hostnameKey'> {
  return {
    judge: (path, request) => applyRules(path, request, facts()),
    hostnameKey: canonicalHostname,
  };
}

/** "field: message" of each. */
export function said(problems: readonly Problem[]): string[] {
  return problems.map(({ field, message }) => `${field}: ${message}`);
}

/** What the webhook of a hub says of a Capp that is made, or edited if there was something before. */
export const validated = (object: unknown, before: unknown = null, facts = KNOWN) =>
  judged(PATHS.validateCapp, asked(object, before), facts);

/** What it is refused for. */
export const problems = (...given: Parameters<typeof validated>) => said(validated(...given).problems);

/** Resources that an RCSConfig gives to containers. */
export const DEFAULTS = {
  requests: { cpu: '100m', memory: '100Mi' },
  limits: { cpu: '200m', memory: '200Mi' },
};

/** A hub whose RCSConfig has `DEFAULTS`. */
export const WITH_DEFAULTS = configured({ defaultResources: DEFAULTS });

/** The path to the containers of a Capp. */
export const CONTAINERS = ['spec', 'configurationSpec', 'template', 'spec', 'containers'] as const;

/** What the webhook of a hub adds to a Capp. */
export const mutated = (request: AdmissionRequest, facts = KNOWN) => judged(PATHS.mutateCapp, request, facts);

/** The Capp with what is added to it. */
export const becomes = (request: AdmissionRequest, facts = KNOWN): unknown =>
  applied(request.object, mutated(request, facts).patches);

/** A container as most Capps have it. */
export const CONTAINER = { name: 'app', image: 'ghcr.io/example/app:v1' };

/** A Capp with this template of its Pods. */
export const templated = (pod: object, metadata: object = {}) =>
  raw({ configurationSpec: { template: { metadata, spec: { containers: [CONTAINER], ...pod } } } });
