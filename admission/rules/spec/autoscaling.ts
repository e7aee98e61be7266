// Annotations by which Knative scales: values that it can read, within its bounds and consistent with each
// other. What it cannot read a site refuses.
import { AUTOSCALING, keyIn, spellingsOf } from '../../../crds/knative/autoscaling.ts';
import { floatOf } from '../../../crds/knative/go-float.ts';
import { secondsOf } from '../../../crds/knative/go-duration.ts';
import { KPA } from '../../../crds/knative/scaler.ts';
import { isFields } from '../../../kube/fields.ts';
import { at } from '../../fields.ts';
import type { Common } from '../../known.ts';
import { newly } from '../../newly.ts';
import type { Problem, AdmissionRule } from '../../rule.ts';
import { hasChanged, type AdmissionRequest } from '../../request.ts';
import { classOf, mismatches } from './scaler.ts';

const PATH = ['spec', 'configurationSpec', 'template', 'metadata', 'annotations'] as const;
const MOST_REPLICAS = 2_147_483_647;

interface Check {
  readonly fits: (text: string) => boolean;
  readonly wanted: string;
}

const whole = (least: number): Check => ({
  fits: (text) => /^\+?\d+$/.test(text) && Number(text) >= least && Number(text) <= MOST_REPLICAS,
  wanted: `a whole number of at least ${least}`,
});
const number = (least: number, most: number): Check => ({
  fits: (text) => floatOf(text) >= least && floatOf(text) <= most,
  wanted: most === Infinity ? `a number of at least ${least}` : `a number from ${least} to ${most}`,
});
const duration = (least: number, isWhole: boolean): Check => ({
  fits: (text) => {
    const seconds = secondsOf(text);
    return seconds >= least && seconds <= 3600 && (!isWhole || Number.isInteger(seconds));
  },
  wanted: `a time from ${least}s to 1h, such as 30s or 1m30s`,
});
const oneOf = (...names: readonly string[]): Check => ({
  fits: (text) => names.includes(text),
  wanted: names.filter((name) => name !== '').join(' or '),
});

/** knative.dev/serving, pkg/apis/autoscaling/annotation_validation.go. */
const CHECKS: Readonly<Record<string, Check>> = {
  class: {
    fits: (text) => !text.endsWith('.knative.dev') || /^(kpa|hpa)\.autoscaling\.knative\.dev$/.test(text),
    wanted:
      'kpa.autoscaling.knative.dev, hpa.autoscaling.knative.dev, or the class of an autoscaler of your own',
  },
  'min-scale': whole(0),
  'max-scale': whole(0),
  'initial-scale': whole(0),
  'activation-scale': whole(2),
  target: number(0.01, Infinity),
  'target-utilization-percentage': number(1, 100),
  'target-burst-capacity': {
    fits: (text) => floatOf(text) >= 0 || floatOf(text) === -1,
    wanted: 'a number of at least 0, or -1',
  },
  'panic-window-percentage': number(1, 100),
  'panic-threshold-percentage': number(110, 1000),
  window: duration(6, true),
  'scale-down-delay': duration(0, true),
  'scale-to-zero-pod-retention-period': duration(0, false),
  'metric-aggregation-algorithm': oneOf('', 'linear', 'weighted-exponential', 'weightedExponential'),
};

/** Knative asks its own autoscaler alone about this one: another may have other values. */
const OF_KPA = 'metric-aggregation-algorithm';

export const autoscaling: AdmissionRule<Common> = (request) => {
  if (!hasChanged(request, 'spec')) return {};
  const isReadable = unreadable(request.object).length === 0;
  return {
    problems: [
      ...newly(request, unreadable),
      ...(isReadable && hasNewBounds(request) ? bounds(textsOf(request.object), request.object) : []),
      ...(isReadable ? scaler(request) : []),
    ],
  };
};

function unreadable(object: unknown): Problem[] {
  const texts = textsOf(object);
  return Object.entries(CHECKS).flatMap(([name, { fits, wanted }]) => {
    const key = keyIn(texts, name);
    const value = key === null ? null : texts[key];
    if (key === null || typeof value !== 'string' || fits(value)) return [];
    if (name === OF_KPA && classOf(texts, object) !== KPA) return [];
    return [problem(key, `"${value.slice(0, 63)}" is not what Knative can read: it must be ${wanted}`)];
  });
}

/** Bounds contradict each other: whichever of them an edit changes, it brings the contradiction. */
function hasNewBounds(request: AdmissionRequest): boolean {
  const keys = ['min-scale', 'max-scale', 'activation-scale'].flatMap((name) => spellingsOf(name));
  return hasChanged(request, 'spec', 'scaleSpec') || keys.some((key) => hasChanged(request, ...PATH, key));
}

/** What the template does not say, scaleSpec says. */
function bounds(texts: Readonly<Record<string, string>>, object: unknown): Problem[] {
  const valueOf = (name: string, field: string | null): number | null => {
    const key = keyIn(texts, name);
    if (key !== null) return Number(texts[key]);
    const value = field === null ? undefined : at(object, 'spec', 'scaleSpec', field);
    return typeof value === 'number' ? value : null;
  };
  const [min, max] = [valueOf('min-scale', 'minReplicas') ?? 0, valueOf('max-scale', 'maxReplicas') ?? 0];
  const activation = valueOf('activation-scale', null);
  const above = (value: number): boolean => max !== 0 && value > max;
  const key = keyIn(texts, 'max-scale') ?? keyIn(texts, 'min-scale');
  if (above(min))
    return key === null
      ? []
      : [
          problem(
            key,
            `the minimum of ${min} is above the maximum of ${max}: lower it, or raise the maximum`,
          ),
        ];
  if (activation === null || (activation >= min && !above(activation))) return [];
  const between =
    max === 0 ? `at least ${min}, the minimum` : `from ${min} to ${max}, between minimum and maximum`;
  return [problem(`${AUTOSCALING}activation-scale`, `it must be ${between}`)];
}

/** An edit that leaves class and metric as they were is not kept from anything else. */
function scaler(request: AdmissionRequest): readonly Problem[] {
  const find = (object: unknown): Problem[] =>
    mismatches(textsOf(object), object).map(({ key, message }) => problem(key, message));
  return newly(request, find);
}

function textsOf(object: unknown): Readonly<Record<string, string>> {
  const found = at(object, ...PATH);
  return Object.fromEntries(
    Object.entries(isFields(found) ? found : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

function problem(key: string, message: string): Problem {
  return { field: `${PATH.join('.')}[${key}]`, reason: 'FieldValueInvalid', message, fromCache: false };
}
