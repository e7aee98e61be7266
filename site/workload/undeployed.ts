// Notices a revision of which Knative can make no Deployment: a policy, a quota or the API server of the site
// refuses it. Knative tries again for ever, and has the words in events of the Revision alone.
import { conditionOf } from '../../crds/kubernetes/core.ts';
import type { KnativeRevision } from '../../crds/kubernetes/knative.ts';
import { SITE_TIMES } from '../times.ts';
import { lasting, type Lasting, type Wake } from './lasting.ts';

export interface Undeployed {
  /** Whether the Capp's newest revision has been without a Deployment for too long. */
  of(key: string, revision: KnativeRevision | undefined): boolean;
  forget: Lasting['forget'];
}

export function undeployed(wake: Wake, now?: () => number): Undeployed {
  const found = lasting(SITE_TIMES.deploymentSilent.ms, wake, now);
  return {
    of: (key, revision) => {
      const { uid, name = '' } = revision?.metadata ?? {};
      return found.of(key, revision !== undefined && isLacking(revision) ? (uid ?? name) : null);
    },
    forget: found.forget,
  };
}

/**
 * Knative marks a revision so before it makes the Deployment, and asks for an autoscaler, which makes it
 * Active or not, only after that (knative.dev/serving, pkg/reconciler/revision/revision.go, ReconcileKind).
 */
function isLacking({ status }: KnativeRevision): boolean {
  const available = conditionOf(status?.conditions, 'ResourcesAvailable');
  const isBegun = available?.status === 'Unknown' && available.reason === 'Deploying';
  return isBegun && conditionOf(status?.conditions, 'Active') === undefined;
}

/** For the Capp's user. */
export function undeployedMessage(revision: string): string {
  return `No Deployment of revision ${revision} could be made: a policy, a quota or the API server of the site refuses it. Correct the Capp, or that: the events of the Revision on the site have the words.`;
}
