// Reports a Capp of a site that runs container-app-operator v0.3.6 as our site operator would, from its
// Knative Service. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { CappStatus } from '../../../crds/capp/status.ts';
import type { Condition, SiteConditionType, SiteReason } from '../../../crds/capp/conditions.ts';
import type { KnativeService, KnativeServiceStatus } from '../../../crds/kubernetes/knative.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import { conditionOf } from '../../../crds/kubernetes/core.ts';

/**
 * v0.3.6 always says `stateStatus`, and knows neither `observedGeneration` nor `Ready`
 * (internal/kinds/capp/status/capp.go).
 */
export function isLegacy({ status }: Capp): boolean {
  if (status?.stateStatus === undefined || status.observedGeneration !== undefined) return false;
  return status.conditions?.some(({ type }) => type === 'Ready') !== true;
}

/**
 * Adds what v0.3.6 leaves out. It copies annotations of rcs.dana.io into the Service's template
 * (internal/kinds/capp/resourcemanagers/ksvc.go, utils.FilterKeysWithoutPrefix keeps those that have the
 * prefix), so the Service with the Capp's stamp shows the outcome of that rollout. Without that stamp the
 * Capp counts as unobserved, and whatever serves counts as serving.
 */
export function asReported(capp: Capp, service: KnativeService | null): Capp {
  const { generation = 0, annotations } = capp.metadata;
  const stamp = service?.spec?.template?.metadata?.annotations?.[ROLLOUT];
  const isCurrent =
    service === null
      ? capp.spec.state === 'disabled' && isDisabled(capp.status)
      : stamp === annotations?.[ROLLOUT];
  const conditions = [...(isCurrent ? [readyOf(service)] : []), servingOf(service?.status)];
  const status: CappStatus = {
    ...capp.status,
    conditions: [...(capp.status?.conditions ?? []), ...conditions],
  };
  return { ...capp, status: isCurrent ? { ...status, observedGeneration: generation } : status };
}

function isDisabled(status: CappStatus | undefined): boolean {
  return status?.stateStatus?.state === 'disabled';
}

function readyOf(service: KnativeService | null): Condition {
  if (service === null) return said('Ready', 'True', 'Disabled', 'The Capp is disabled; nothing of it runs.');
  const { status = {}, metadata } = service;
  if (status.observedGeneration !== metadata.generation)
    return said('Ready', 'Unknown', 'Deploying', 'Knative has not observed the newest generation yet.');
  const newest = status.latestCreatedRevisionName ?? '';
  const isNewestReady = newest !== '' && newest === status.latestReadyRevisionName;
  if (conditionOf(status.conditions, 'Ready')?.status === 'True' && isNewestReady)
    return said('Ready', 'True', 'Ready', `Revision ${newest} serves.`);
  return faultOf(status, newest) ?? said('Ready', 'Unknown', 'Deploying', 'The newest revision is starting.');
}

/** Reasons of Knative for an image that cannot be pulled. */
const NO_IMAGE: ReadonlySet<string> = new Set([
  'ContainerMissing',
  'ImagePullBackOff',
  'ErrImagePull',
  'InvalidImageName',
]);

/** Knative's messages for the same, where its reason is only RevisionFailed. */
const FETCH = /Unable to fetch image|ImagePullBackOff|ErrImagePull/;

/** A failure that Knative itself has declared. Its message may quote a container, so it is left out. */
function faultOf(status: KnativeServiceStatus, revision: string): Condition | null {
  const configurations = conditionOf(status.conditions, 'ConfigurationsReady');
  const routes = conditionOf(status.conditions, 'RoutesReady');
  if (configurations?.status === 'False') {
    const reason = configurations.reason ?? 'Unknown';
    const isImage = NO_IMAGE.has(reason) || FETCH.test(configurations.message ?? '');
    if (isImage)
      return said(
        'Ready',
        'False',
        'ImageNeverReady',
        `The image of revision ${revision} cannot be pulled. Correct it, or its pull secret.`,
      );
    return said(
      'Ready',
      'False',
      'RolloutFailed',
      `Revision ${revision} cannot serve (${reason}). Look at its pods, their events and logs.`,
    );
  }
  if (configurations?.status !== 'True' || routes?.status !== 'False') return null;
  return said(
    'Ready',
    'False',
    'RolloutFailed',
    `Revision ${revision} runs and its route does not work (${routes.reason ?? 'Unknown'}). The Route of that name on the site has Knative's words.`,
  );
}

/**
 * A route that is being changed still serves the previous revision. The first revision serves when it is
 * ready.
 */
function servingOf(status: KnativeServiceStatus = {}): Condition {
  const { latestReadyRevisionName: ready = '', latestCreatedRevisionName: created } = status;
  const routes = conditionOf(status.conditions, 'RoutesReady')?.status ?? 'Unknown';
  const isRouted = routes === 'True' || (routes === 'Unknown' && created !== ready);
  if (ready === '' || !isRouted)
    return said('Serving', 'False', 'NothingServes', 'No revision answers requests.');
  return said('Serving', 'True', 'RevisionServes', `Revision ${ready} answers requests.`);
}

/** The time means nothing: these conditions never leave the agent. */
function said(
  type: SiteConditionType,
  status: Condition['status'],
  reason: SiteReason,
  message: string,
): Condition {
  return { type, status, reason, message, lastTransitionTime: '1970-01-01T00:00:00Z' };
}
