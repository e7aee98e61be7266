// Whether a changed CappConfig alone would make a new revision of a Capp. Pure.
import type { Capp } from '../../crds/capp/capp.ts';
import type { KnativeService } from '../../crds/kubernetes/knative.ts';
import { AUTOSCALING, keyIn } from '../../crds/knative/autoscaling.ts';
import { DEFAULT_AUTOSCALE, NO_LIMITS, type Autoscale, type ScaleLimits } from './autoscaling.ts';
import { secondsOf } from '../../crds/knative/go-duration.ts';
import { knativeService } from './knative-service.ts';

/** With them a Capp is rendered as its live Service was; `otherwise` where that does not say. */
export function figuresOf(capp: Capp, { spec }: KnativeService, otherwise: Autoscale): Autoscale {
  const written = spec?.template?.metadata?.annotations ?? {};
  const metric = written[`${AUTOSCALING}metric`] ?? capp.spec.scaleMetric;
  const target = Number(written[`${AUTOSCALING}target`] ?? '');
  // Without the annotation it was below 2, or the Capp names a minimum and it is not asked for.
  const activationScale = Number(written[`${AUTOSCALING}activation-scale`] ?? 1);
  return {
    targets: target > 0 ? { ...otherwise.targets, [metric]: target } : otherwise.targets,
    activationScale: activationScale > 0 ? activationScale : otherwise.activationScale,
    limits: limitsOf(capp, written),
  };
}

/** What was written lower than the Capp asks for was lowered by a limit. */
function limitsOf(capp: Capp, written: Readonly<Record<string, string>>): ScaleLimits {
  // An activation scale of ours is a figure of its own.
  const service = knativeService(capp, { ...DEFAULT_AUTOSCALE, activationScale: 1, limits: NO_LIMITS });
  const asked = service?.spec?.template?.metadata?.annotations ?? {};
  const lowered = (name: string, read: (text: string) => number): number | null => {
    const key = keyIn(asked, name) ?? '';
    const [before, now] = [written[key], asked[key]];
    return before === undefined || before === now ? null : read(before);
  };
  return {
    minReplicas: lowered('min-scale', Number),
    maxReplicas:
      lowered('max-scale', Number) ?? lowered('initial-scale', Number) ?? lowered('activation-scale', Number),
    scaleDelaySeconds: lowered('scale-down-delay', secondsOf),
    // Earlier versions lowered the first one alone, and then the first two.
    retentionSeconds: lowered('scale-to-zero-pod-retention-period', secondsOf),
    windowSeconds: lowered('window', secondsOf),
  };
}
