// Reads a CappConfig in every spelling that a released version had. Pure.
//
// A value that cannot be read counts as absent, and is a problem to report: one wrong field must not stop
// what the others say.
import { DEFAULT_AUTOSCALE, type Autoscale, type ScaleLimits } from '../workload/autoscaling.ts';
import { UnknownFields } from './fields.ts';
import { formerFields, supersededBy, type Superseded } from './former.ts';
import { CAPP_CONFIG_NAME, CAPP_CONFIG_NAMESPACES } from '../../crds/capp-config.ts';
import type { ConfigMap } from '../../crds/kubernetes/core.ts';
import type {
  CappConfig,
  DefaultResources,
  SiteDnsConfig,
  HostnameRule,
  SiteIssuer,
  SiteConfig,
} from './capp-config.ts';

export interface ReadConfig {
  readonly config: SiteConfig;
  /** One sentence for each field that has no effect: the field, and what to do. */
  readonly problems: readonly string[];
  /** The ConfigMaps that a CappConfig supersedes, whether they count as yet or not. */
  readonly superseded: readonly Superseded[];
}

/** Knative refuses a longer scale-down delay. */
const LONGEST_DELAY_S = 3600;
/** What v0.3.6 makes of the name of an issuer. */
const FORMER_ISSUER = { kind: 'ClusterIssuer', group: 'cert.dana.io' } as const;

/**
 * Takes all CappConfigs of the site, and the ConfigMaps that older versions had instead
 * (`../../crds/former-config.ts`). These count where no CappConfig does; without either it gives the
 * defaults.
 */
export function readConfig(all: readonly CappConfig[], older: readonly ConfigMap[] = []): ReadConfig {
  const found = CAPP_CONFIG_NAMESPACES.map((place) =>
    all.find(({ metadata }) => metadata.namespace === place && metadata.name === CAPP_CONFIG_NAME),
  ).filter((one) => one !== undefined);
  const problems: string[] = [];
  if (found.length > 1)
    problems.push(
      `There are two CappConfigs. That in ${CAPP_CONFIG_NAMESPACES[0]} counts: delete the one in ${CAPP_CONFIG_NAMESPACES[1]}.`,
    );
  const spec = new UnknownFields(found[0]?.spec ?? {}, 'spec', problems);
  const former = found.length > 0 ? {} : formerFields(older, problems);
  return {
    config: {
      autoscale: autoscaleOf(former.autoscale ?? scaling(spec)),
      dns: dnsOf(former.dns ?? spec.inside('dnsConfig')),
      hostnames: hostnamesOf(spec),
      refusedHostnames: spec.patterns('invalidHostnamePatterns'),
      revisionHistoryLimit: spec.whole('revisionHistoryLimit', 1) ?? 10,
      maxKafkaConsumers: spec.whole('maxKafkaConsumers', 1) ?? 5,
      defaultResources: resourcesOf(spec.inside('defaultResources')),
    },
    problems,
    superseded: supersededBy(older, found.length > 0),
  };
}

/**
 * `autoscalerConfig` is what the module v0.3.6 calls it. Numbers may be strings, as its chart writes them.
 */
function scaling(spec: UnknownFields): UnknownFields {
  return spec.has('autoscaleConfig') ? spec.inside('autoscaleConfig') : spec.inside('autoscalerConfig');
}

function autoscaleOf(given: UnknownFields): Autoscale {
  const { targets, activationScale } = DEFAULT_AUTOSCALE;
  const target = (metric: keyof Autoscale['targets']): number =>
    given.number(metric, 0.01) ?? targets[metric];
  return {
    targets: {
      concurrency: target('concurrency'),
      cpu: target('cpu'),
      memory: target('memory'),
      rps: target('rps'),
    },
    activationScale: given.whole('activationScale', 1) ?? activationScale,
    limits: limitsOf(given),
  };
}

function limitsOf(given: UnknownFields): ScaleLimits {
  const minReplicas = given.whole('minReplicasLimit', 1);
  const maxReplicas = given.whole('maxReplicasLimit', 1);
  const delay = given.whole('maxScaleDelay', 0);
  if (minReplicas !== null && maxReplicas !== null && minReplicas > maxReplicas)
    given.report('minReplicasLimit', 'is above maxReplicasLimit: no Capp can use it. Lower it');
  if (delay !== null && delay > LONGEST_DELAY_S)
    given.report('maxScaleDelay', `is above ${LONGEST_DELAY_S}, which Knative refuses. Lower it`);
  return {
    minReplicas,
    maxReplicas,
    scaleDelaySeconds: delay === null ? null : Math.min(delay, LONGEST_DELAY_S),
  };
}

function dnsOf(given: UnknownFields): SiteDnsConfig {
  const zone = given.dnsName('zone')?.toLowerCase().replace(/\.$/, '');
  return {
    zone: zone === undefined || zone === '' ? null : `${zone}.`,
    cname: given.dnsName('cname') ?? null,
    provider: given.text('provider') ?? null,
    issuer: issuerOf(given),
  };
}

function issuerOf(given: UnknownFields): SiteIssuer | null {
  if (!given.has('issuerRef')) {
    const name = given.text('issuer');
    return name === undefined ? null : { ...FORMER_ISSUER, name };
  }
  const ref = given.inside('issuerRef');
  const [name, kind, group] = [ref.text('name'), ref.text('kind'), ref.text('group')];
  if (name !== undefined && kind !== undefined && group !== undefined) return { name, kind, group };
  given.report('issuerRef', 'needs name, kind and group. Set all three');
  return null;
}

function resourcesOf(given: UnknownFields): DefaultResources {
  const part = (kind: 'requests' | 'limits'): DefaultResources => {
    const fields = given.inside(kind);
    const said = (['cpu', 'memory'] as const).flatMap((name) => {
      const value = fields.quantity(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    return said.length === 0 ? {} : { [kind]: Object.fromEntries(said) };
  };
  return { ...part('requests'), ...part('limits') };
}

function hostnamesOf(spec: UnknownFields): readonly HostnameRule[] | null {
  if (!spec.has('allowedHostnamePatterns')) return null;
  return spec.list('allowedHostnamePatterns').flatMap((one, index) => {
    if (typeof one === 'string')
      return spec.isPattern(one, `allowedHostnamePatterns[${index}]`)
        ? [{ match: one, explanation: '' }]
        : [];
    const rule = spec.item('allowedHostnamePatterns', index, one);
    // Released documentation also calls it regex and pattern.
    const match = rule.text('match') ?? rule.text('regex') ?? rule.text('pattern');
    if (match !== undefined)
      return rule.isPattern(match, 'match') ? [{ match, explanation: rule.text('explanation') ?? '' }] : [];
    rule.report('match', 'is missing. Set it to a regular expression');
    return [];
  });
}
