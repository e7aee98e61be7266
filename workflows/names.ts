// The only place where ids, queues and search attributes get their names.
import { FLEET_KINDS, type FleetRef } from './fleet/port.ts';
import { isName, isNamespace } from './parse/fields.ts';

/** The hub worker polls this queue: workflows and hub activities. */
export const HUB_QUEUE = 'hub';

/** The workflow types, as the bridge starts them. */
export const CAPP_WORKFLOW = 'capp';
export const SITE_WORKFLOW = 'site';
/** The workflow that gives turns to leave a cluster. */
export const TURNS_WORKFLOW = 'turns';
/** The workflow that looks what a drain of a cluster would meet. */
export const DRILL_WORKFLOW = 'drill';
/** Types of earlier versions, for drains and for CappSets and Bundles: the bridge ends what runs of them. */
export const EARLIER_DRAIN_WORKFLOWS = ['drain', 'plan'] as const;
export const EARLIER_FLEET_WORKFLOWS = ['cappSet', 'bundle'] as const;
/**
 * A run of one of these types fails with its next task (`EARLIER_FAIL`), and so does one that a person
 * starts.
 */
export const EARLIER_WORKFLOWS = [...EARLIER_DRAIN_WORKFLOWS, ...EARLIER_FLEET_WORKFLOWS] as const;
/** Started by the bridge for each CappSet and each Bundle. */
export const FLEET_WORKFLOW = 'fleet';
/** Started by the bridge for each cluster that joins. */
export const JOIN_WORKFLOW = 'join';
/** Started by the bridge for each SIPCluster. */
export const SIP_WORKFLOW = 'sipCluster';
/** The one authority to reserve hosts, started by whoever asks for some. */
export const HOSTS_WORKFLOW = 'hosts';
/** There is one, for all hosts of the hub. */
export const HOSTS_WORKFLOW_ID = 'hosts/hub';
/** Started by the hub's own processes: holds the Temporal namespace for the hub that its memo names. */
export const CLAIM_WORKFLOW = 'claim';
export const CLAIM_WORKFLOW_ID = 'hub';
export const SCORE_WORKFLOW = 'score';
/** Started by a Schedule: keeps the identity of a site's agent. */
export const IDENTITY_WORKFLOW = 'identity';
/** Started by the bridge for a Capp whose own workflow keeps failing. */
export const MEND_WORKFLOW = 'mend';

/** Search attributes, all of type Keyword; registered when the namespace is set up. */
export const CAPP_NAMESPACE = 'CappNamespace';
export const CAPP_SITE = 'CappSite';
export const CAPP_PHASE = 'CappPhase';

/** `CAPP_SITE` of a Capp without a site, and `CAPP_PHASE` of one that has just begun. */
export const NO_SITE = 'none';
export const FIRST_PHASE = 'Placing';

export function cappWorkflowId(namespace: string, name: string): string {
  return `capp/${namespace}/${name}`;
}

/** The Capp of a workflow id, or null for any other workflow. */
export function cappOfWorkflowId(id: string): { namespace: string; name: string } | null {
  const [kind, namespace, name, ...rest] = id.split('/');
  if (kind !== 'capp' || !isNamespace(namespace) || !isName(name) || rest.length > 0) return null;
  return { namespace, name };
}

/** The kinds of which the bridge keeps a workflow for each object. */
export const KEPT_KINDS = [...FLEET_KINDS, 'SIPCluster'] as const;
export type KeptName = (typeof KEPT_KINDS)[number];

export interface KeptRef {
  readonly kind: KeptName;
  readonly namespace: string;
  readonly name: string;
}

/** How the ids of a kind's workflows begin. */
const PREFIXES = { CappSet: 'cappset', Bundle: 'bundle', SIPCluster: 'sip' } as const satisfies Record<
  KeptName,
  string
>;

export function keptWorkflowId({ kind, namespace, name }: KeptRef): string {
  return `${PREFIXES[kind]}/${namespace}/${name}`;
}

/** The object of a workflow id, or null for any other workflow. */
export function keptOfWorkflowId(id: string): KeptRef | null {
  const [prefix, namespace, name, ...rest] = id.split('/');
  const kind = KEPT_KINDS.find((one) => PREFIXES[one] === prefix);
  if (kind === undefined || !isNamespace(namespace) || !isName(name) || rest.length > 0) return null;
  return { kind, namespace, name };
}

export function fleetWorkflowId(ref: FleetRef): string {
  return keptWorkflowId(ref);
}

/** The CappSet or Bundle of a workflow id, or null for any other workflow. */
export function fleetOfWorkflowId(id: string): FleetRef | null {
  const ref = keptOfWorkflowId(id);
  const kind = FLEET_KINDS.find((one) => one === ref?.kind);
  return ref === null || kind === undefined ? null : { ...ref, kind };
}

/** `what` is the build for which a workflow is started over, or `said` where the failure is only reported. */
export function mendWorkflowId(namespace: string, name: string, what: string): string {
  return `mend/${namespace}/${name}/${what}`;
}

export function siteWorkflowId(cluster: string): string {
  return `site/${cluster}`;
}

/** The cluster of a workflow id, or null for any other workflow. */
export function clusterOfSiteWorkflowId(id: string): string | null {
  return clusterIn('site', id);
}

export function joinWorkflowId(cluster: string): string {
  return `join/${cluster}`;
}

/** The cluster of a workflow id, or null for any other workflow. */
export function clusterOfJoinWorkflowId(id: string): string | null {
  return clusterIn('join', id);
}

export function turnsWorkflowId(cluster: string): string {
  return `turns/${cluster}`;
}

/** The cluster that a drain's id stands for, or null for any other workflow. */
export function clusterOfTurnsWorkflowId(id: string): string | null {
  return clusterIn('turns', id);
}

export function drillWorkflowId(cluster: string): string {
  return `drill/${cluster}`;
}

/** The cluster that a drill's id stands for, or null for any other workflow. */
export function clusterOfDrillWorkflowId(id: string): string | null {
  return clusterIn('drill', id);
}

/** The Schedules of a cluster. Their runs have the same name, followed by their time. */
export type Scheduled = 'score' | 'identity';

export function scheduleId(what: Scheduled, cluster: string): string {
  return `${what}/${cluster}`;
}

/** The cluster of a Schedule's id, or null for any other Schedule. */
export function clusterOfScheduleId(what: Scheduled, id: string): string | null {
  return clusterIn(what, id);
}

/** The queue that the agent on a cluster polls. */
export function agentQueue(cluster: string): string {
  return `agent/${cluster}`;
}

function clusterIn(prefix: string, id: string): string | null {
  const [kind, cluster, ...rest] = id.split('/');
  return kind === prefix && isName(cluster) && rest.length === 0 ? cluster : null;
}
