// The only place where ids, queues and search attributes get their names.

/** What the hub worker polls: workflows and hub activities. */
export const HUB_QUEUE = 'hub';

/** The workflow types, as the bridge starts them. */
export const CAPP_WORKFLOW = 'capp';
export const SITE_WORKFLOW = 'site';
/** The one authority for leaving a cluster in bulk. */
export const TURNS_WORKFLOW = 'turns';
/** Started by people: it brings their wish to the authority, however that began. */
export const DRAIN_WORKFLOW = 'drain';
/** Started by people, as `plan/<cluster>/<anything>`. */
export const PLAN_WORKFLOW = 'plan';
export const SCORE_WORKFLOW = 'score';
/** Started by the bridge for a Capp whose own workflow keeps failing. */
export const MEND_WORKFLOW = 'mend';

/** Search attributes, all of type Keyword; registered when the namespace is set up. */
export const CAPP_NAMESPACE = 'CappNamespace';
export const CAPP_SITE = 'CappSite';
export const CAPP_PHASE = 'CappPhase';

/** What `CAPP_SITE` says of a Capp that has none, and `CAPP_PHASE` of one that has just begun. */
export const NO_SITE = 'none';
export const FIRST_PHASE = 'Placing';

export function cappWorkflowId(namespace: string, name: string): string {
  return `capp/${namespace}/${name}`;
}

/** The Capp that a workflow id stands for, or null for any other workflow. */
export function cappOfWorkflowId(id: string): { namespace: string; name: string } | null {
  const [kind, namespace, name, ...rest] = id.split('/');
  if (kind !== 'capp' || !namespace || !name || rest.length > 0) return null;
  return { namespace, name };
}

/** `what` is the build for which a workflow is started over, or `said` where it is only told of. */
export function mendWorkflowId(namespace: string, name: string, what: string): string {
  return `mend/${namespace}/${name}/${what}`;
}

export function siteWorkflowId(cluster: string): string {
  return `site/${cluster}`;
}

/** The cluster that a workflow id stands for, or null for any other workflow. */
export function clusterOfSiteWorkflowId(id: string): string | null {
  const [kind, cluster, ...rest] = id.split('/');
  return kind === 'site' && cluster !== undefined && cluster !== '' && rest.length === 0 ? cluster : null;
}

export function turnsWorkflowId(cluster: string): string {
  return `turns/${cluster}`;
}

export function drainWorkflowId(cluster: string): string {
  return `drain/${cluster}`;
}

/** The Schedule of a cluster's score; its runs are named so too, each with its time behind it. */
export function scoreScheduleId(cluster: string): string {
  return `score/${cluster}`;
}

/** The cluster that a Schedule's id stands for, or null for any other Schedule. */
export function clusterOfScheduleId(id: string): string | null {
  const [kind, cluster, ...rest] = id.split('/');
  return kind === 'score' && cluster !== undefined && cluster !== '' && rest.length === 0 ? cluster : null;
}

/** What the agent on a cluster polls. */
export function agentQueue(cluster: string): string {
  return `agent/${cluster}`;
}
