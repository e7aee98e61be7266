// Notices a revision that no autoscaler looks after: Knative waits for one for ever, and says nothing.
import { conditionOf } from '../../crds/kubernetes/core.ts';
import type { KnativeRevision } from '../../crds/kubernetes/knative.ts';
import { AUTOSCALING } from '../../crds/knative/autoscaling.ts';
import { SITE_TIMES } from '../times.ts';

export interface Unserved {
  /**
   * The class of autoscaler that the Capp's newest revision has lacked for too long, or null. While that is
   * not known yet, the Capp is looked at again when it is.
   */
  of(key: string, revision: KnativeRevision | undefined): string | null;
  /** The Capp is gone. */
  forget(key: string): void;
}

/** `wake` has the Capp with this key looked at after so many milliseconds. */
export function unserved(
  wake: (key: string, delayMs: number) => void,
  now: () => number = Date.now,
): Unserved {
  const first = new Map<string, { readonly of: string; readonly since: number }>();
  return {
    of: (key, revision) => {
      const lacking = revision === undefined ? null : lackedBy(revision);
      if (revision === undefined || lacking === null) {
        first.delete(key);
        return null;
      }
      const of = revision.metadata.uid ?? revision.metadata.name;
      const before = first.get(key);
      const since = before?.of === of ? before.since : now();
      first.set(key, { of, since });
      const left = since + SITE_TIMES.autoscalerSilent.ms - now();
      if (left <= 0) return lacking;
      wake(key, left);
      return null;
    },
    forget: (key) => void first.delete(key),
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
