// Turns a Capp written with older or later field names into v0.3.6's, in the one place that every reader
// uses.
import type { Capp, CappSpec } from './capp.ts';
import { tlsSecretOf } from './tls-secret.ts';

type LogSpec = NonNullable<CappSpec['logSpec']>;

export interface Normalised {
  readonly capp: Capp;
  /** One sentence for each field that was given and has no effect. */
  readonly warnings: readonly string[];
}

/**
 * Never mutates and never fails: a canonical name that has a value wins over its alias. Repeating it changes
 * nothing.
 */
export function normalise(capp: Capp): Normalised {
  const warnings: string[] = [];
  const logSpec = canonicalLog(capp.spec.logSpec, warnings);
  const scaleMetric = canonicalMetric(capp.spec, warnings);
  const scaleSpec = canonicalScale(capp.spec, warnings);
  warnings.push(...idleRoute(capp.spec));
  if ((capp.spec.sources ?? []).length > 0)
    warnings.push('spec.sources has no effect: write each source into spec.eventSourcesSpec.sources.');
  const { logSpec: _log, scaleSpec: _scale, minReplicas: _min, sources: _sources, ...rest } = capp.spec;
  const spec: CappSpec = {
    ...rest,
    state: capp.spec.state ?? 'enabled',
    scaleMetric,
    ...(logSpec === undefined ? {} : { logSpec }),
    ...(scaleSpec === undefined ? {} : { scaleSpec }),
  };
  return { capp: { ...capp, spec }, warnings };
}

function idleRoute({ routeSpec = {} }: CappSpec): string[] {
  const { hostname, tlsEnabled = false, tlsSecret, trafficTarget = {} } = routeSpec;
  const isIdle = filled(tlsSecret) && tlsSecretOf({ routeSpec }) === null;
  return [
    ...(tlsEnabled && !filled(hostname)
      ? [
          'spec.routeSpec.tlsEnabled has no effect without spec.routeSpec.hostname: the Capp answers under no name of its own, and has no certificate.',
        ]
      : []),
    ...(isIdle
      ? [
          'spec.routeSpec.tlsSecret has no effect without spec.routeSpec.hostname and spec.routeSpec.tlsEnabled: the Secret is not sent to the site.',
        ]
      : []),
    ...(Object.keys(trafficTarget).length === 0
      ? []
      : [
          'spec.routeSpec.trafficTarget has no effect: all requests go to the newest revision that is ready.',
        ]),
  ];
}

function canonicalLog(log: LogSpec | undefined, warnings: string[]): LogSpec | undefined {
  if (log === undefined) return undefined;
  const { username, passwordSecretName, ...rest } = log;
  const user = prefer({ user: log.user, username }, warnings);
  const passwordSecret = prefer({ passwordSecret: log.passwordSecret, passwordSecretName }, warnings);
  return {
    ...rest,
    ...(user === undefined ? {} : { user }),
    ...(passwordSecret === undefined ? {} : { passwordSecret }),
  };
}

/** Takes the canonical field first and its alias second. */
function prefer(fields: Record<string, string | undefined>, warnings: string[]): string | undefined {
  const [[canonicalName, canonical] = ['', undefined], [aliasName, alias] = ['', undefined]] =
    Object.entries(fields);
  if (!filled(canonical)) return filled(alias) ? alias : canonical;
  if (filled(alias) && alias !== canonical) {
    warnings.push(`spec.logSpec.${aliasName} has no effect: spec.logSpec.${canonicalName} is set.`);
  }
  return canonical;
}

/**
 * `scaleMetric` always has a value, by its default; the later `scaleSpec.metric` has one only if somebody
 * gave it, so it wins.
 */
function canonicalMetric(spec: CappSpec, warnings: string[]): CappSpec['scaleMetric'] {
  const metric = spec.scaleSpec?.metric;
  const older = spec.scaleMetric ?? 'concurrency';
  if (metric !== undefined && older !== metric && older !== 'concurrency') {
    warnings.push('spec.scaleMetric has no effect: spec.scaleSpec.metric is set.');
  }
  return metric ?? older;
}

/** Without the metric, and with an older `minReplicas`. There 0 was the default, and is none. */
function canonicalScale(
  { scaleSpec = {}, minReplicas: older = 0 }: CappSpec,
  warnings: string[],
): CappSpec['scaleSpec'] {
  const { metric: _metric, ...rest } = scaleSpec;
  if (older !== 0 && rest.minReplicas !== undefined && rest.minReplicas !== older)
    warnings.push('spec.minReplicas has no effect: spec.scaleSpec.minReplicas is set.');
  const isOlder = older !== 0 && rest.minReplicas === undefined;
  const scale = isOlder ? { ...rest, minReplicas: older } : rest;
  return Object.keys(scale).length === 0 ? undefined : scale;
}

function filled(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
