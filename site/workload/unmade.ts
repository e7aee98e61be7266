// Notices a revision that Knative cannot make after an edit, because the API server or a policy of the site
// refuses it: the newest revision is then still the former one, which is Ready.
import { conditionOf } from '../../crds/kubernetes/core.ts';
import type { KnativeRevision, KnativeService } from '../../crds/kubernetes/knative.ts';
import { SITE_TIMES } from '../times.ts';
import { lasting, type Lasting, type Wake } from './lasting.ts';

export interface Unmade {
  /** Whether Knative has failed for too long to make the revision of the Service's newest generation. */
  of(key: string, service: KnativeService | null, newest: KnativeRevision | undefined): boolean;
  forget: Lasting['forget'];
}

export function unmade(wake: Wake, now?: () => number): Unmade {
  const found = lasting(SITE_TIMES.revisionUnmade.ms, wake, now);
  return {
    of: (key, service, newest) => found.of(key, isUnmade(service, newest) ? attemptOf(service) : null),
    forget: found.forget,
  };
}

/**
 * Knative marks its Configuration failed with one reason for both: the newest revision failed, or the next
 * one could not be created (knative.dev/serving, pkg/apis/serving/v1/configuration_lifecycle.go,
 * MarkLatestCreatedFailed, MarkRevisionCreationFailed). A newest revision that is Ready has not failed; it
 * may just have recovered, which Knative notices within moments.
 */
function isUnmade(service: KnativeService | null, newest: KnativeRevision | undefined): boolean {
  const { metadata, status } = service ?? {};
  if (status?.observedGeneration !== metadata?.generation) return false;
  const configurations = conditionOf(status?.conditions, 'ConfigurationsReady');
  return (
    configurations?.status === 'False' && conditionOf(newest?.status?.conditions, 'Ready')?.status === 'True'
  );
}

/** Of each edit the time is counted anew. */
function attemptOf(service: KnativeService | null): string {
  return String(service?.metadata.generation ?? '');
}
