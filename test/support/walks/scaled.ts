// Random ways to say how an app scales, in each spelling that Knative reads, as a site with limits renders
// them.
import { PATHS } from '../../../admission/router.ts';
import { parseSpec } from '../../../crds/capp/capp.ts';
import { normalise } from '../../../crds/capp/normalise.ts';
import { spellingsOf } from '../../../crds/knative/autoscaling.ts';
import type { KnativeService } from '../../../crds/kubernetes/knative.ts';
import { DEFAULT_AUTOSCALE, type ScaleLimits } from '../../../site/workload/autoscaling.ts';
import { knativeService } from '../../../site/workload/knative-service.ts';
import { asked, judged, said } from '../builders/admission.ts';
import type { Random } from '../builders/random.ts';
import { asCapp, type Written } from './capp-specs.ts';
import { scalingAnnotations } from './scaling-annotations.ts';
import { maybe, valid } from './walks.ts';

export interface Scaled {
  readonly written: Written;
  readonly limits: ScaleLimits;
  readonly service: KnativeService;
}

/** Accepted by the webhook of a hub. */
export function aScaledService(dice: Random): Scaled {
  const written = valid(
    () => someScaling(dice),
    (made) => [...said(judged(PATHS.validateCapp, asked(asCapp(made))).problems), ...unordered(made)],
  );
  const limits: ScaleLimits = {
    minReplicas: dice.pick([null, 1, 5]),
    maxReplicas: dice.pick([null, 1, 2, 10]),
    scaleDelaySeconds: dice.pick([null, 60]),
  };
  const capp = { ...asCapp(written, 'scaled', 'default'), spec: parseSpec(written.spec) } as Parameters<
    typeof normalise
  >[0];
  const service = knativeService(normalise(capp).capp, { ...DEFAULT_AUTOSCALE, limits });
  if (service === null) throw new Error('An app that is not disabled has a Service.');
  const { ownerReferences: _none, ...metadata } = service.metadata;
  return { written, limits, service: { ...service, metadata } };
}

/** What the kind's own rule refuses, before a webhook is asked. */
function unordered({ spec }: Written): string[] {
  const { scaleSpec = {} } = spec as { readonly scaleSpec?: Readonly<Record<string, number>> };
  const { minReplicas = 0, maxReplicas = Infinity } = scaleSpec;
  return minReplicas > maxReplicas ? ['minReplicas is above maxReplicas'] : [];
}

function someScaling(dice: Random): Written {
  const scaleSpec = {
    ...maybe(dice, 0.3, () => ({ minReplicas: dice.pick([0, 2, 8]) })),
    ...maybe(dice, 0.3, () => ({ maxReplicas: dice.pick([1, 3, 20]) })),
    ...maybe(dice, 0.3, () => ({ scaleDelaySeconds: dice.pick([0, 45, 3600]) })),
  };
  const metadata = { annotations: scalingAnnotations(dice, 0.3) };
  const spec = { containers: [{ name: 'app', image: 'app:v1' }] };
  return {
    labels: {},
    annotations: {},
    spec: {
      state: 'enabled',
      scaleMetric: dice.pick(['concurrency', 'rps', 'cpu', 'memory']),
      scaleSpec,
      configurationSpec: { template: { metadata, spec } },
    },
  };
}

/** The value that Knative reads; undefined if it says nothing. */
export function valueIn({ spec }: KnativeService, name: string): string | undefined {
  const { annotations = {} } = spec?.template?.metadata ?? {};
  const key = spellingsOf(name).find((one) => annotations[one] !== undefined);
  return key === undefined ? undefined : annotations[key];
}
