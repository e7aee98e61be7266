// What a Bundle's work says of its site: small enough for a cache of every work. Pure. Only conditions of the
// work's present generation count.
import { MOST_FAILING, type BundleReason } from '../../../../crds/bundle/status.ts';
import { BUNDLE_REVISION } from '../../../../crds/labels.ts';
import { readWritten } from '../../../../crds/written.ts';
import { conditionOf, type ForeignCondition } from '../../../../crds/kubernetes/core.ts';
import { isCheckWorkName } from '../../../../crds/ocm/check-work.ts';
import type { Manifest, ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { carriedBytes, MANIFEST_LIMIT } from '../../../../crds/ocm/work-size.ts';
import { slim } from '../../../../crds/kubernetes/slim.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { isDoneWhole } from '../../retire/applied.ts';
import { contentOf } from '../manifests/render.ts';
import { rulesOf } from '../manifests/work-rules.ts';
import { heldIn, type HeldObjects } from '../owners/held.ts';
import { configsIn, failureOf, lackOf, present, type BundleProblem } from './problems.ts';

export interface WorkReport {
  /** Null if it does not say, and if somebody has changed the manifests or the rules since. */
  readonly revision: string | null;
  /** When that was written, in milliseconds since the epoch; a site can write any time there. */
  readonly at: number;
  /** A digest of the manifests in the work (`contentOf`); empty where they are more than any work brings. */
  readonly content: string;
  readonly state: 'Ready' | 'Progressing' | 'Failed';
  /**
   * In milliseconds since the epoch: of a Ready work, when its agent has said so at the latest; otherwise
   * since when the last of what is missing is missing. 0 if that is not known. A site can write any time.
   */
  readonly since: number;
  /** Its work agent has said something of it, of whichever generation. */
  readonly isTakenUp: boolean;
  /** What fails, else what is not ready: 20 at most. */
  readonly problems: readonly BundleProblem[];
  readonly held: HeldObjects;
  /**
   * Whether its site has applied that all of it stays when the work goes; absent if the work says otherwise.
   */
  readonly orphans?: boolean;
  /** Of a work with Jobs: names of those of which its site says something. */
  readonly reported?: readonly string[];
  /** As whom it is applied, `namespace/name`, if that may not do something. */
  readonly executor?: string;
}

/** A work without what it carries. */
export interface BundleWork extends KubeObject {
  readonly seen: WorkReport;
}

/** The form in which a cache keeps the works of Bundles. */
export function seenWork(work: BundleWork & ManifestWork): BundleWork {
  const { metadata, apiVersion, kind } = slim<KubeObject>(work);
  return {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
    metadata,
    seen: seenOf(work),
  };
}

export function seenOf(work: ManifestWork): WorkReport {
  const written = readWritten(work.metadata.annotations?.[BUNDLE_REVISION]);
  const content = carriedContent(work.spec?.workload.manifests ?? []);
  const found = stateOf(work);
  const { rules = null } = written ?? {};
  const isAsWritten = written?.content === content && (rules === null || rules === rulesOf(work));
  return {
    revision: written !== null && isAsWritten ? written.revision : null,
    at: written?.at ?? 0,
    content,
    ...found,
    ...namedIn(work, found.problems),
    since: found.state === 'Ready' ? reportedAt(work) : lackingSince(work),
    isTakenUp: conditionOf(work.status?.conditions, 'Applied') !== undefined,
    held: heldIn(work),
    ...reportedIn(work),
    ...(isOrphaned(work) ? { orphans: isDoneWhole(work) } : {}),
  };
}

/** What a site has written instead, as much as an API server stores, is not put in order: it is not ours. */
function carriedContent(manifests: readonly Manifest[]): string {
  return carriedBytes(manifests) > MANIFEST_LIMIT ? '' : contentOf(manifests);
}

/** Of a work with Jobs, those of which the site has said anything. */
function reportedIn(work: ManifestWork): Pick<WorkReport, 'reported'> {
  if (!isCheckWorkName(work.metadata.name)) return {};
  const configFor = configsIn(work);
  const known = (work.status?.resourceStatus?.manifests ?? []).filter((one) => configFor(one) !== undefined);
  return { reported: [...new Set(known.map(({ resourceMeta: { name = '' } }) => name))] };
}

/** Nothing of it goes with the work, as its site is to know. */
export function isOrphaned({ spec }: ManifestWork): boolean {
  return spec?.deleteOption?.propagationPolicy === 'Orphan';
}

function namedIn({ spec }: ManifestWork, problems: readonly BundleProblem[]): Pick<WorkReport, 'executor'> {
  const account = spec?.executor?.subject.serviceAccount;
  const isAsked = account !== undefined && problems.some(({ reason }) => reason === 'NotAllowed');
  return isAsked ? { executor: `${account.namespace}/${account.name}` } : {};
}

function stateOf(work: ManifestWork): Pick<WorkReport, 'state' | 'problems'> {
  const applied = present(work.status?.conditions, 'Applied', work.metadata.generation);
  if (applied === undefined) return { state: 'Progressing', problems: [APPLYING] };
  const statuses = work.status?.resourceStatus?.manifests ?? [];
  const configFor = configsIn(work);
  const refused: BundleProblem[] = [];
  const early: BundleProblem[] = [];
  for (const one of statuses) {
    // The site may say as much as fits: beyond the refusals that are shown nothing is looked at.
    if (refused.length === MOST_FAILING) break;
    const problem = failureOf(one, work, configFor);
    if (problem !== null) (problem.reason === 'NotReady' ? early : refused).push(problem);
  }
  const failing = [...refused, ...early].slice(0, MOST_FAILING);
  if (failing.length > 0) return { state: refused.length > 0 ? 'Failed' : 'Progressing', problems: failing };
  if (applied.status !== 'True') return { state: 'Progressing', problems: [APPLYING] };
  const waiting = statuses.flatMap((one) => lackOf(one, work, configFor) ?? []);
  if (waiting.length === 0) return { state: 'Ready', problems: [] };
  const [failed, others] = [true, false].map((isFailed) =>
    waiting.filter(({ reason }) => FOR_GOOD.has(reason) === isFailed),
  ) as [BundleProblem[], BundleProblem[]];
  const problems = [...failed, ...others].slice(0, MOST_FAILING);
  return { state: failed.length > 0 ? 'Failed' : 'Progressing', problems };
}

/** Reasons of an applied object that no waiting mends. */
const FOR_GOOD: ReadonlySet<BundleReason> = new Set(['BadRule', 'Failed']);

/**
 * A condition that was True of the former generation, and is of this one, keeps the time of the former. So it
 * is the time at which the hub's API server last took a status from the agent.
 */
function reportedAt({ metadata, status }: ManifestWork): number {
  const { managedFields = [] } = metadata as { managedFields?: readonly Managed[] };
  const times = managedFields.filter(({ subresource }) => subresource === 'status').map(({ time }) => time);
  return latest(times.length > 0 ? times : (status?.conditions ?? []).map(transition));
}

interface Managed {
  readonly subresource?: string;
  readonly time?: string;
}

function lackingSince({ status }: ManifestWork): number {
  const all = (status?.resourceStatus?.manifests ?? []).flatMap(({ conditions = [] }) => conditions);
  return latest(all.filter((one) => one.status !== 'True').map(transition));
}

function transition({ lastTransitionTime }: ForeignCondition): string | undefined {
  return lastTransitionTime;
}

function latest(times: readonly (string | undefined)[]): number {
  return times
    .map((time) => Date.parse(time ?? ''))
    .filter((time) => !Number.isNaN(time))
    .reduce((one, other) => Math.max(one, other), 0);
}

const APPLYING: BundleProblem = {
  kind: '',
  name: '',
  condition: 'Applied',
  reason: 'Applying',
  message: 'The work agent of the site has not applied this revision yet.',
};
