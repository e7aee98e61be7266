// Whether a changed CappConfig alone would make a new revision of a Capp. Pure.
import type { Capp } from '../../crds/capp/capp.ts';
import type { KnativeService } from '../../crds/kubernetes/knative.ts';
import { AUTOSCALING, type Autoscale } from './autoscaling.ts';

/** With them a Capp is rendered as its live Service was; `otherwise` where that does not say. */
export function figuresOf(
  { spec: { scaleMetric } }: Capp,
  { spec }: KnativeService,
  otherwise: Autoscale,
): Autoscale {
  const written = spec?.template?.metadata?.annotations ?? {};
  const target = Number(written[`${AUTOSCALING}target`] ?? '');
  // Without the annotation it was below 2, or the Capp names a minimum and it is not asked for.
  const activationScale = Number(written[`${AUTOSCALING}activation-scale`] ?? 1);
  return {
    targets: target > 0 ? { ...otherwise.targets, [scaleMetric]: target } : otherwise.targets,
    activationScale: activationScale > 0 ? activationScale : otherwise.activationScale,
  };
}
