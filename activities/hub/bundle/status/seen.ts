// What a Bundle's work says of its site: small enough for a cache of every work. Pure. Only conditions of the
// work's present generation count.
import type { BundleReason, FailingResource } from '../../../../crds/bundle/status.ts';
import { LONGEST_MESSAGE, MOST_FAILING } from '../../../../crds/bundle/status.ts';
import { BUNDLE_REVISION } from '../../../../crds/labels.ts';
import { readWritten } from '../../../../crds/written.ts';
import { conditionOf, type ForeignCondition } from '../../../../crds/kubernetes/core.ts';
import type { ManifestConfig, ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { withoutManagedFields } from '../../../../kube/watch/cache.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { textOf } from '../../../../workflows/parse/fields.ts';
import { FAILED, RULE_CONDITION, WAITS } from '../ready/ready-rules.ts';
import { contentOf } from '../manifests/render.ts';
import { heldIn, type Held } from '../owners/held.ts';
import { misnamed, refusalOf } from './refusals.ts';

export type Problem = Omit<FailingResource, 'cluster' | 'reason'> & { readonly reason: BundleReason };

export interface WorkReport {
  /** Null if it does not say, and if somebody has changed the manifests since. */
  readonly revision: string | null;
  /** When that was written, in milliseconds since the epoch. */
  readonly at: number;
  /** A digest of the manifests in the work (`contentOf`). */
  readonly content: string;
  readonly state: 'Ready' | 'Progressing' | 'Failed';
  /**
   * In milliseconds since the epoch: of a Ready work, when its agent has said so at the latest; otherwise
   * since when the last of what is missing is missing. 0 if that is not known.
   */
  readonly since: number;
  /** Its work agent has said something of it, of whichever generation. */
  readonly isTakenUp: boolean;
  /** What fails, else what is not ready: 20 at most. */
  readonly problems: readonly Problem[];
  readonly held: Held;
  /** As whom it is applied, `namespace/name`, if that may not do something. */
  readonly executor?: string;
}

/** A work without what it carries. */
export interface BundleWork extends KubeObject {
  readonly seen: WorkReport;
}

/** The form in which a cache keeps the works of Bundles. */
export function seenWork(work: BundleWork & ManifestWork): BundleWork {
  const { metadata, apiVersion, kind } = withoutManagedFields<KubeObject>(work);
  return {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
    metadata,
    seen: seenOf(work),
  };
}

type Status = NonNullable<
  NonNullable<NonNullable<ManifestWork['status']>['resourceStatus']>['manifests']
>[number];

export function seenOf(work: ManifestWork): WorkReport {
  const written = readWritten(work.metadata.annotations?.[BUNDLE_REVISION]);
  const content = contentOf(work.spec?.workload.manifests ?? []);
  const found = stateOf(work);
  return {
    revision: written !== null && written.content === content ? written.revision : null,
    at: written?.at ?? 0,
    content,
    ...found,
    ...namedIn(work, found.problems),
    since: found.state === 'Ready' ? reportedAt(work) : lackingSince(work),
    isTakenUp: conditionOf(work.status?.conditions, 'Applied') !== undefined,
    held: heldIn(work),
  };
}

function namedIn({ spec }: ManifestWork, problems: readonly Problem[]): Pick<WorkReport, 'executor'> {
  const account = spec?.executor?.subject.serviceAccount;
  const isAsked = account !== undefined && problems.some(({ reason }) => reason === 'NotAllowed');
  return isAsked ? { executor: `${account.namespace}/${account.name}` } : {};
}

function stateOf(work: ManifestWork): Pick<WorkReport, 'state' | 'problems'> {
  const applied = present(work.status?.conditions, 'Applied', work.metadata.generation);
  if (applied === undefined) return { state: 'Progressing', problems: [APPLYING] };
  const statuses = work.status?.resourceStatus?.manifests ?? [];
  const configFor = configsIn(work);
  const failing: Problem[] = [];
  for (const one of statuses) {
    // The site may say as much as fits: what is not shown is not looked at.
    if (failing.length === MOST_FAILING) break;
    const problem = failureOf(one, work, configFor);
    if (problem !== null) failing.push(problem);
  }
  if (failing.length > 0)
    return {
      state: failing.every(({ reason }) => reason === 'NotReady') ? 'Progressing' : 'Failed',
      problems: failing.toSorted((a, b) => Number(a.reason === 'NotReady') - Number(b.reason === 'NotReady')),
    };
  if (applied.status !== 'True') return { state: 'Progressing', problems: [APPLYING] };
  const waiting = statuses.flatMap((one) => lackOf(one, work, configFor) ?? []);
  if (waiting.length === 0) return { state: 'Ready', problems: [] };
  const [failed, others] = [true, false].map((isFailed) =>
    waiting.filter(({ reason }) => FOR_GOOD.has(reason) === isFailed),
  ) as [Problem[], Problem[]];
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

const APPLYING: Problem = {
  kind: '',
  name: '',
  condition: 'Applied',
  reason: 'Applying',
  message: 'The work agent of the site has not applied this revision yet.',
};

function present(
  conditions: readonly ForeignCondition[] | undefined,
  type: string,
  generation: number | undefined,
): ForeignCondition | undefined {
  const found = conditionOf(conditions, type);
  return found?.observedGeneration === generation ? found : undefined;
}

/** Why the site does not take a manifest; null if it does, or if that is not known yet. */
function failureOf(
  one: Status,
  { metadata: { generation }, spec }: ManifestWork,
  configFor: Configs,
): Problem | null {
  const applied = present(one.conditions, 'Applied', generation);
  if (applied === undefined) return null;
  if (applied.status === 'True') {
    if (configFor(one) !== undefined) return null;
    const { reason, message } = misnamed(one.resourceMeta, spec?.manifestConfigs);
    return problemOf(one, 'Applied', reason, message);
  }
  const { reason, message } = refusalOf(one.resourceMeta, applied.message ?? '');
  return problemOf(one, 'Applied', reason, message);
}

/** What is missing for a manifest that is applied to be ready; null if nothing is. */
function lackOf(one: Status, { metadata: { generation } }: ManifestWork, configFor: Configs): Problem | null {
  const rules = configFor(one)?.conditionRules ?? [];
  const available = conditionOf(one.conditions, 'Available');
  if (available?.status !== 'True') {
    const message = available?.message ?? 'The object is not on the site yet.';
    return problemOf(one, 'Available', 'NotReady', message);
  }
  const rule = present(one.conditions, RULE_CONDITION, generation);
  return rules.length === 0 || rule?.status === 'True' ? null : unmet(one, rule);
}

/**
 * OCM's words for a rule that cannot be evaluated (ocm: pkg/work/spoke/conditions/reader.go) are not
 * repeated: CEL quotes in them what it read, which may be a value of a Secret (`no such key: <value>`).
 */
function unmet(one: Status, { reason = '', message = '' }: Partial<ForeignCondition> = {}): Problem {
  if (reason !== 'ConditionRuleExpressionError') return saidBy(one, message);
  const [, line, column] = /^ERROR: <input>:(\d{1,6}):(\d{1,6}): /.exec(message) ?? [];
  const place = line === undefined ? '' : ` (line ${line}, column ${column})`;
  const isBad = /^ERROR: <input>|expected bool/.test(message);
  return isBad
    ? problemOf(
        one,
        RULE_CONDITION,
        'BadRule',
        `The rule in spec.ready cannot be evaluated${place}. ${WORDS}`,
      )
    : problemOf(one, RULE_CONDITION, 'NotReady', `It is applied; its rule has no answer yet. ${WORDS}`);
}

/** The object's own words, as our rules mark them: other messages may quote what CEL read. */
function saidBy(one: Status, message: string): Problem {
  const words = (mark: string): string =>
    message
      .slice(mark.length)
      .replace(/^: |: $/g, '')
      .trim();
  if (message.startsWith(FAILED)) return problemOf(one, RULE_CONDITION, 'Failed', words(FAILED));
  const plain = 'It is applied, and not ready yet';
  const said = message.startsWith(WAITS) ? `${plain}: ${words(WAITS)}` : `${plain}.`;
  return problemOf(one, RULE_CONDITION, 'NotReady', said);
}

const WORDS = 'The status of the ManifestWork has the words of CEL.';

type Configs = (one: Status) => ManifestConfig | undefined;

/** Of several for one object the first counts. */
function configsIn({ spec }: ManifestWork): Configs {
  const known = new Map<string, ManifestConfig>();
  for (const config of spec?.manifestConfigs ?? []) {
    const text = identityText(config.resourceIdentifier);
    if (!known.has(text)) known.set(text, config);
  }
  return ({ resourceMeta }) => known.get(identityText(resourceMeta));
}

function identityText({
  group = '',
  resource = '',
  name = '',
  namespace = '',
}: Status['resourceMeta']): string {
  return [group, resource, namespace, name].join('\u0000');
}

function problemOf(
  { resourceMeta: { kind = '', name = '', namespace = '' } }: Status,
  condition: string,
  reason: BundleReason,
  message: string,
): Problem {
  const where = namespace === '' ? {} : { namespace };
  return { kind, name, ...where, condition, reason, message: textOf(message, LONGEST_MESSAGE) };
}
