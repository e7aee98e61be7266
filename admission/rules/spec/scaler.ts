// The class of autoscaler and the metric that annotations name, beside spec.scaleMetric: together they are
// something that Knative can do.
import { AUTOSCALING, keyIn } from '../../../crds/knative/autoscaling.ts';
import { isKnownTo, isScaleMetric, scalerOf, scalingClassOf } from '../../../crds/knative/scaler.ts';
import { textAt } from '../../fields.ts';

type Texts = Readonly<Record<string, string>>;

export interface Mismatch {
  readonly key: string;
  readonly message: string;
}

const CLASS = `${AUTOSCALING}class`;
const METRIC = `${AUTOSCALING}metric`;
const REMEDY = 'use spec.scaleMetric';

/** `texts` are the annotations of the template. */
export function mismatches(texts: Texts, object: unknown): Mismatch[] {
  const scaleMetric = scaleMetricOf(object);
  if (!isScaleMetric(scaleMetric)) return [];
  const scaler = scalerOf(scaleMetric, texts);
  const named = texts[METRIC];
  if (named === undefined)
    return texts[CLASS] === undefined || scaler.metric === null || scaleMetric === 'concurrency'
      ? []
      : otherClass(scaler.class, scaleMetric);
  if (!isKnownTo(scaler.class, named)) return [{ key: METRIC, message: unknown(named, scaler.class) }];
  if (isScaleMetric(named))
    return texts[CLASS] === undefined && scalingClassOf(named) !== scaler.class
      ? [{ key: METRIC, message: unknown(named, scaler.class) }]
      : [];
  return isAimless(texts, scaler.class) ? [{ key: METRIC, message: aimless(named) }] : [];
}

/** The class that the Capp gets on its site. Null where nobody knows spec.scaleMetric. */
export function classOf(texts: Texts, object: unknown): string | null {
  const scaleMetric = scaleMetricOf(object);
  return isScaleMetric(scaleMetric) ? scalerOf(scaleMetric, texts).class : null;
}

function scaleMetricOf(object: unknown): string {
  const asked = textAt(object, 'spec', 'scaleSpec', 'metric') || textAt(object, 'spec', 'scaleMetric');
  return asked === '' ? 'concurrency' : asked;
}

/** A class that does not scale by what the spec says: Knative would scale by another metric. */
function otherClass(scaler: string, scaleMetric: string): Mismatch[] {
  if (isScaleMetric(scaleMetric) && scalingClassOf(scaleMetric) === scaler) return [];
  const message = `${scaler} does not scale by ${scaleMetric}, which spec.scaleMetric says: leave the annotation out, or change spec.scaleMetric`;
  return [{ key: CLASS, message }];
}

function unknown(named: string, scaler: string): string {
  const knows = scaler.startsWith('kpa.') ? 'concurrency and rps' : 'cpu and memory';
  return `"${named.slice(0, 63)}" is no metric of ${scaler}, which knows ${knows}: ${REMEDY}`;
}

/** Without a target Knative gives its HorizontalPodAutoscaler no metric, and Kubernetes then takes cpu. */
function isAimless(texts: Texts, scaler: string): boolean {
  return scaler.startsWith('hpa.') && keyIn(texts, 'target') === null;
}

function aimless(named: string): string {
  return `a target is lacking for "${named.slice(0, 63)}", so Kubernetes would scale by cpu: set ${AUTOSCALING}target, or ${REMEDY}`;
}
