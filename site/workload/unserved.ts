// Notices a revision that no autoscaler looks after: Knative waits for one for ever, and says nothing.
import { conditionOf } from '../../crds/kubernetes/core.ts';
import type { KnativeRevision } from '../../crds/kubernetes/knative.ts';
import { AUTOSCALING } from '../../crds/knative/autoscaling.ts';
import { SITE_TIMES } from '../times.ts';
import { lasting, type Lasting, type Wake } from './lasting.ts';

export interface Unserved {
  /** The class of autoscaler that the Capp's newest revision has lacked for too long, or null. */
  of(key: string, revision: KnativeRevision | undefined): string | null;
  forget: Lasting['forget'];
}

export function unserved(wake: Wake, now?: () => number): Unserved {
  const found = lasting(SITE_TIMES.autoscalerSilent.ms, wake, now);
  return {
    of: (key, revision) => {
      const lacking = revision === undefined ? null : lackedBy(revision);
      const { uid, name = '' } = revision?.metadata ?? {};
      return found.of(key, lacking === null ? null : (uid ?? name)) ? lacking : null;
    },
    forget: found.forget,
  };
}

/** What Knative takes where a revision does not say. */
const USUAL = 'kpa.autoscaling.knative.dev';

/**
 * A revision is Active Unknown with this reason exactly as long as its PodAutoscaler has no condition Ready,
 * which the controller of its class gives it at first sight (knative.dev/serving,
 * pkg/apis/serving/v1/revision_lifecycle.go, PropagateAutoscalerStatus). So nobody has to read
 * PodAutoscalers.
 */
function lackedBy({ metadata: { annotations = {} }, status }: KnativeRevision): string | null {
  const active = conditionOf(status?.conditions, 'Active');
  if (active?.status !== 'Unknown' || active.reason !== 'Deploying') return null;
  return annotations[`${AUTOSCALING}class`] ?? USUAL;
}

/**
 * For the Capp's user. The class is what the site calls it, of somebody's annotation perhaps, so it is cut.
 */
export function unservedMessage(revision: string, kind: string): string {
  const named = kind.length > 63 ? `${kind.slice(0, 63)}…` : kind;
  return `Nobody on the site serves the autoscaler class ${named} of revision ${revision}. ${remedyFor(kind)}`;
}

function remedyFor(kind: string): string {
  if (kind === USUAL) return "Whoever runs the site starts Knative's autoscaler.";
  if (kind.startsWith('hpa.'))
    return 'Install serving-hpa.yaml of Knative there, or use spec.scaleMetric concurrency or rps.';
  return `Correct the annotation ${AUTOSCALING}class.`;
}
