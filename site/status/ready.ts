// The two main conditions of a Capp on its site: Ready, about its newest generation, and Serving, about any.
import type { Capp } from '../../crds/capp/capp.ts';
import type { SiteConditionType, SiteReason } from '../../crds/capp/conditions.ts';
import { type Pod, conditionOf } from '../../crds/kubernetes/core.ts';
import type { KnativeRevision, KnativeService } from '../../crds/kubernetes/knative.ts';
import { withoutPods, faultOf } from '../workload/revision.ts';
import { type IngressClass, unroutedMessage } from '../route/unrouted.ts';
import { undeployedMessage } from '../workload/undeployed.ts';
import { unservedMessage } from '../workload/unserved.ts';
import { unstartedMessage } from '../workload/unstarted.ts';
import type { CappFault } from '../objects/fault.ts';

/** What a site holds of one Capp. */
export interface SiteSight {
  readonly service: KnativeService | null;
  readonly revisions: readonly KnativeRevision[];
  readonly pods: readonly Pod[];
  /** Why the workload could not be written, or null. */
  readonly fault: CappFault | null;
  /** The class of autoscaler that the newest revision lacks (`Unserved`), or null. */
  readonly lacking: string | null;
  /** The class of ingress that its route lacks (`Unrouted`), or null. */
  readonly ingress: IngressClass | null;
  /** Whether Knative can make no Deployment of the newest revision (`Undeployed`). */
  readonly isUndeployed: boolean;
  /** Whether Knative cannot make the revision that comes after the newest one (`Unmade`). */
  readonly isUnmade: boolean;
  /** The Pod of the newest revision that starts no container (`Unstarted`), or null. */
  readonly unstarted: string | null;
}

export interface ReadyPart {
  readonly type: SiteConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: SiteReason;
  readonly message: string;
}

export function ready(capp: Capp, seen: SiteSight): ReadyPart {
  if (seen.fault?.isPassing === true) return part('Unknown', 'Deploying', seen.fault.message);
  if (seen.fault !== null) return part('False', seen.fault.reason, seen.fault.message);
  if (capp.spec.state === 'disabled') return disabled(seen);
  const { service } = seen;
  const status = service?.status;
  if (service === null || status?.observedGeneration !== service.metadata.generation) {
    return part('Unknown', 'Deploying', 'Knative has not observed the newest generation yet.');
  }
  const own = conditionOf(status?.conditions, 'Ready');
  const newest = status?.latestCreatedRevisionName ?? '';
  if (own?.status === 'True' && newest === status?.latestReadyRevisionName)
    return part('True', 'Ready', `Revision ${newest} serves.`);
  return notYet(capp, seen, newest);
}

function disabled(seen: SiteSight): ReadyPart {
  if (seen.service === null) return part('True', 'Disabled', 'The Capp is disabled; nothing of it runs.');
  return part('Unknown', 'Deploying', 'The workload is being stopped.');
}

/**
 * A revision's faults count only once Knative's configuration has looked at this generation: until then the
 * newest is an older one.
 */
function notYet(capp: Capp, seen: SiteSight, newest: string): ReadyPart {
  const conditions = seen.service?.status?.conditions;
  const configurations = conditionOf(conditions, 'ConfigurationsReady');
  if (configurations === undefined || configurations.reason === 'OutOfDate') {
    return part('Unknown', 'Deploying', 'Knative is making a revision of the newest generation.');
  }
  if (conditionOf(conditions, 'RoutesReady')?.reason === 'RevisionNameTaken')
    return part('False', 'RolloutFailed', nameTaken(seen));
  const revision = seen.revisions.find((one) => one.metadata.name === newest);
  const stopped = stoppedBy(revision, seen.pods);
  if (stopped !== null) return stopped;
  if (configurations.status === 'False' && (revision === undefined || seen.isUnmade)) {
    return part(
      'False',
      'RolloutFailed',
      `Knative could not make a revision (${configurations.reason ?? 'Unknown'}). Correct spec.configurationSpec.template; the Configuration of that name on the site has Knative's words.`,
    );
  }
  return starting(capp, seen, { newest, isConfigured: configurations.status === 'True' });
}

/** Nothing says yet that it is wrong: what it waits for, if that is known. */
function starting(
  capp: Capp,
  seen: SiteSight,
  { newest, isConfigured }: { readonly newest: string; readonly isConfigured: boolean },
): ReadyPart {
  if (seen.isUndeployed) return part('Unknown', 'Deploying', undeployedMessage(newest));
  const unserved = unservedBy(seen, newest);
  if (unserved !== null) return unserved;
  const unrouted = unroutedBy(seen, newest, isConfigured);
  if (unrouted !== null) return unrouted;
  if (seen.unstarted !== null) return part('Unknown', 'Deploying', unstartedMessage(capp, seen.unstarted));
  return part(
    'Unknown',
    'Deploying',
    newest === '' ? 'Knative is making a revision.' : `Revision ${newest} is starting.`,
  );
}

/** Of its autoscaler and its ingress. */
function unservedBy({ lacking, ingress }: SiteSight, newest: string): ReadyPart | null {
  if (lacking !== null) return part('Unknown', 'NoAutoscaler', unservedMessage(newest, lacking));
  return ingress === null ? null : part('Unknown', 'Deploying', unroutedMessage(ingress));
}

/** Knative then goes on with the former revision. */
function nameTaken({ service }: SiteSight): string {
  const name = service?.spec?.template?.metadata?.name ?? '';
  return `A revision ${name} with another template exists already, and Knative changes none. Give spec.configurationSpec.template.metadata.name a name not used before, or leave it out.`;
}

function unroutedBy(seen: SiteSight, newest: string, isConfigured: boolean): ReadyPart | null {
  const routes = conditionOf(seen.service?.status?.conditions, 'RoutesReady');
  if (routes?.status !== 'False') return null;
  if (routes.reason === 'NotOwned') return notOwned(seen);
  const why = `Revision ${newest} runs and its route does not work (${routes.reason ?? 'Unknown'}). The Route of that name on the site has Knative's words.`;
  return isConfigured ? part('False', 'RolloutFailed', why) : null;
}

/** Knative makes a Service of the Capp's name, by which the Capp is reached within the site. */
function notOwned({ service }: SiteSight): ReadyPart {
  const { name = '', namespace = '' } = service?.metadata ?? {};
  return part(
    'False',
    'NameTaken',
    `Namespace ${namespace} of the site has a Service ${name} already, which does not belong to the Capp and stays as it is. Rename one of them.`,
  );
}

/** What the revision, its Pods or their absence report as wrong. */
function stoppedBy(revision: KnativeRevision | undefined, pods: readonly Pod[]): ReadyPart | null {
  if (revision === undefined) return null;
  const fault = faultOf(revision, pods);
  if (fault !== null) return part('False', fault.reason, fault.message);
  const none = withoutPods(revision, pods);
  if (none === null) return null;
  return none.isRefused
    ? part('False', 'RolloutFailed', none.message)
    : part('Unknown', 'Deploying', none.message);
}

/**
 * Whether some revision answers requests. A route that is being changed goes on serving what it served, so
 * while Knative is unsure the last answer stands.
 */
export function serving(capp: Capp, seen: SiteSight): ReadyPart {
  const name = seen.service?.status?.latestReadyRevisionName ?? '';
  if (name !== '' && !isBroken(seen, name) && isRouted(capp, seen)) {
    return {
      type: 'Serving',
      status: 'True',
      reason: 'RevisionServes',
      message: `Revision ${name} answers requests.`,
    };
  }
  return {
    type: 'Serving',
    status: 'False',
    reason: 'NothingServes',
    message: 'No revision answers requests.',
  };
}

function isBroken(seen: SiteSight, name: string): boolean {
  const revision = seen.revisions.find((one) => one.metadata.name === name);
  if (conditionOf(revision?.status?.conditions, 'Ready')?.status !== 'False') return false;
  return revision === undefined || !isOnlyShort(revision, seen);
}

/** It cannot scale up, but its Pods answer. */
function isOnlyShort(revision: KnativeRevision, { pods }: SiteSight): boolean {
  const available = conditionOf(revision.status?.conditions, 'ResourcesAvailable');
  return (
    available?.reason === 'FailedCreate' &&
    faultOf(revision, pods) === null &&
    withoutPods(revision, pods) === null
  );
}

function isRouted(capp: Capp, seen: SiteSight): boolean {
  const routes = conditionOf(seen.service?.status?.conditions, 'RoutesReady')?.status ?? 'Unknown';
  if (routes !== 'Unknown') return routes === 'True';
  return conditionOf(capp.status?.conditions, 'Serving')?.status === 'True';
}

function part(status: ReadyPart['status'], reason: SiteReason, message: string): ReadyPart {
  return { type: 'Ready', status, reason, message };
}
