// Reads a CappConfig in every spelling that a released version had. Pure.
//
// A value that cannot be read counts as absent, and is a problem to report: one wrong field must not stop what
// the others say.
import { DEFAULT_AUTOSCALE, type Autoscale, type Limits } from '../workload/autoscaling.ts';
import { isReadable } from './pattern.ts';
import { isQuantity } from '../../crds/kubernetes/quantity.ts';
import { CAPP_CONFIG_NAME, CAPP_CONFIG_NAMESPACES } from '../../crds/capp-config.ts';
import type {
  CappConfig,
  DefaultResources,
  DnsConfig,
  HostnameRule,
  Issuer,
  SiteConfig,
} from './capp-config.ts';

export interface ReadConfig {
  readonly config: SiteConfig;
  /** One sentence for each field that has no effect: the field, and what to do. */
  readonly problems: readonly string[];
}

/** Knative refuses a longer scale-down delay. */
const LONGEST_DELAY_S = 3600;
/** What v0.3.6 makes of the name of an issuer. */
const FORMER_ISSUER = { kind: 'ClusterIssuer', group: 'cert.dana.io' } as const;

/** Takes all CappConfigs of the site. Without one that counts it gives the defaults. */
export function readConfig(all: readonly CappConfig[]): ReadConfig {
  const found = CAPP_CONFIG_NAMESPACES.map((place) =>
    all.find(({ metadata }) => metadata.namespace === place && metadata.name === CAPP_CONFIG_NAME),
  ).filter((one) => one !== undefined);
  const problems: string[] = [];
  if (found.length > 1)
    problems.push(
      `There are two CappConfigs. That in ${CAPP_CONFIG_NAMESPACES[0]} counts: delete the one in ${CAPP_CONFIG_NAMESPACES[1]}.`,
    );
  const spec = new Fields(found[0]?.spec ?? {}, 'spec', problems);
  const scale = scaling(spec);
  return {
    config: {
      autoscale: autoscaleOf(scale),
      dns: dnsOf(spec.inside('dnsConfig')),
      hostnames: hostnamesOf(spec),
      refusedHostnames: spec.patterns('invalidHostnamePatterns'),
      revisionHistoryLimit: spec.whole('revisionHistoryLimit', 1) ?? 10,
      maxKafkaConsumers: spec.whole('maxKafkaConsumers', 1) ?? 5,
      defaultResources: resourcesOf(spec.inside('defaultResources')),
    },
    problems,
  };
}

/** `autoscalerConfig` is what the module v0.3.6 calls it. Numbers may be strings, as its chart writes them. */
function scaling(spec: Fields): Fields {
  return spec.has('autoscaleConfig') ? spec.inside('autoscaleConfig') : spec.inside('autoscalerConfig');
}

function autoscaleOf(given: Fields): Autoscale {
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

function limitsOf(given: Fields): Limits {
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

function dnsOf(given: Fields): DnsConfig {
  const zone = given.text('zone')?.toLowerCase().replace(/\.$/, '');
  return {
    zone: zone === undefined || zone === '' ? null : `${zone}.`,
    cname: given.text('cname') ?? null,
    provider: given.text('provider') ?? null,
    issuer: issuerOf(given),
  };
}

function issuerOf(given: Fields): Issuer | null {
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

function resourcesOf(given: Fields): DefaultResources {
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

function hostnamesOf(spec: Fields): readonly HostnameRule[] | null {
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

/** The fields of an object of which nothing is known. */
class Fields {
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #problems: string[];

  constructor(given: unknown, path: string, problems: string[]) {
    const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
    if (!isObject && given !== undefined && given !== null)
      problems.push(`${path} has no effect: it must be an object.`);
    this.#given = isObject ? (given as Record<string, unknown>) : {};
    this.#path = path;
    this.#problems = problems;
  }

  has(name: string): boolean {
    return this.#given[name] !== undefined && this.#given[name] !== null;
  }

  inside(name: string): Fields {
    return new Fields(this.#given[name], `${this.#path}.${name}`, this.#problems);
  }

  item(name: string, index: number, given: unknown): Fields {
    return new Fields(given, `${this.#path}.${name}[${index}]`, this.#problems);
  }

  report(name: string, what: string): void {
    this.#problems.push(`${this.#path}.${name} ${what}.`);
  }

  /** Undefined when it is empty or absent. */
  text(name: string): string | undefined {
    const value = this.#given[name];
    if (!this.has(name) || value === '') return undefined;
    if (typeof value === 'string') return value;
    this.report(name, 'has no effect: it must be text');
    return undefined;
  }

  number(name: string, least: number): number | null {
    return this.#numeric(name, `a number of at least ${least}`, (value) => value >= least);
  }

  whole(name: string, least: number): number | null {
    const fits = (value: number): boolean => Number.isSafeInteger(value) && value >= least;
    return this.#numeric(name, `a whole number of at least ${least}`, fits);
  }

  /** As Kubernetes writes cpu and memory. */
  quantity(name: string): string | number | undefined {
    const value = this.#given[name];
    if (!this.has(name) || value === '') return undefined;
    if ((typeof value === 'string' || typeof value === 'number') && isQuantity(value)) return value;
    this.report(name, 'has no effect: it must be a quantity such as 100m or 128Mi');
    return undefined;
  }

  list(name: string): readonly unknown[] {
    const value = this.#given[name];
    if (Array.isArray(value)) return value;
    if (this.has(name)) this.report(name, 'has no effect: it must be a list');
    return [];
  }

  patterns(name: string): readonly string[] {
    return this.list(name).filter(
      (one, index): one is string => typeof one === 'string' && this.isPattern(one, `${name}[${index}]`),
    );
  }

  /** An empty one means nothing; one that cannot be read is a problem. */
  isPattern(text: string, name: string): boolean {
    const isOne = isReadable(text);
    if (!isOne) this.report(name, 'has no effect: it is no regular expression that Go can read. Correct it');
    return isOne && text !== '';
  }

  #numeric(name: string, wanted: string, fits: (value: number) => boolean): number | null {
    const given = this.#given[name];
    if (!this.has(name) || given === '') return null;
    const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
    if (typeof value === 'number' && Number.isFinite(value) && fits(value)) return value;
    this.report(name, `has no effect: it must be ${wanted}`);
    return null;
  }
}
