// Capps that ask for replicas, by their spec or by annotations, and what their Knative Service scales by.
import { normalise } from '../../../../crds/capp/normalise.ts';
import { spellingsOf } from '../../../../crds/knative/autoscaling.ts';
import { DEFAULT_AUTOSCALE, type ScaleLimits } from '../../../../site/workload/autoscaling.ts';
import { knativeService } from '../../../../site/workload/knative-service.ts';
import { aCapp } from '../capps.ts';

export const asking = (scaleSpec: object) => normalise(aCapp({ spec: { scaleSpec } })).capp;
export const templated = (annotations: Record<string, string>) => {
  const named = Object.entries(annotations).map(([key, value]) => [`autoscaling.knative.dev/${key}`, value]);
  const template = {
    metadata: { annotations: Object.fromEntries(named) as Record<string, string> },
    spec: { containers: [{ name: 'a', image: 'i' }] },
  };
  return normalise(aCapp({ spec: { configurationSpec: { template } } })).capp;
};

const spellings = (name: string): string[] =>
  spellingsOf(name).map((key) => key.slice('autoscaling.knative.dev/'.length));

export function scalingOf(capp: ReturnType<typeof aCapp>, limits: ScaleLimits): Record<string, string> {
  const service = knativeService(capp, { ...DEFAULT_AUTOSCALE, limits });
  const { annotations = {} } = service?.spec?.template?.metadata ?? {};
  const kept = ['min', 'max', 'initial', 'activation'].flatMap((name) => [`${name}-scale`, `${name}Scale`]);
  kept.push(
    'window',
    'scale-down-delay',
    'scaleDownDelay',
    ...spellings('scale-to-zero-pod-retention-period'),
  );
  return Object.fromEntries(
    kept.flatMap((key) => {
      const value = annotations[`autoscaling.knative.dev/${key}`];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
