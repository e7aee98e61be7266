// Why a CappSet or a Bundle is not Ready on all of its sites, from what its status says.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import type { Condition } from '../../../crds/capp/conditions.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import { commandFor, type Advice, type AdvisedObject } from '../reasons/advice.ts';
import { adviceFor, bundleAdvice, setAdvice, setSiteAdvice } from '../reasons/find.ts';
import { stageChecks, type StageChecks } from '../checks/stages.ts';
import { findingOf, type ExplainedFinding } from '../finding.ts';

/** One place where something is not as asked. */
export interface Failing {
  readonly site: string;
  /** The Capp, or the object on the site; empty where it is the site as a whole. */
  readonly what: string;
  readonly message: string;
}

/** What fails for one reason. */
export interface FailingFor {
  readonly reason: string;
  readonly words: string;
  readonly remedy: string;
  readonly command: string;
  /** Not empty. The status names 20 in all. */
  readonly places: readonly Failing[];
}

export interface ExplainedSpread {
  readonly kind: 'CappSet' | 'Bundle';
  readonly namespace: string;
  readonly name: string;
  readonly isGoing: boolean;
  /** The hub has looked at the newest generation. */
  readonly isCurrent: boolean;
  /** Such as 3/5; empty before the hub has looked. */
  readonly readySites: string;
  readonly revision: string;
  readonly findings: readonly ExplainedFinding[];
  readonly failing: readonly FailingFor[];
  /** What stages ask for whose checks are under way or have not passed. */
  readonly stages: readonly StageChecks[];
}

export function explainSet(set: CappSet): ExplainedSpread {
  const { metadata, status = {} } = set;
  const named = namedBy(metadata);
  const failing = (status.failing ?? []).map(({ site, capp, reason, message }) => {
    const own = setSiteAdvice(reason);
    // What is wrong with one Capp only its own status says in full.
    const of = { namespace: named.namespace, name: own === null ? capp : named.name, site };
    const advice = own ?? { ...adviceFor(reason), command: 'kubectl capp why {name} -n {namespace}' };
    return { reason, advice, of, place: { site, what: capp, message } };
  });
  return {
    kind: 'CappSet',
    ...aboutOf(metadata, status),
    readySites: status.readySites ?? '',
    findings: tellingIn(status.conditions ?? []).map((one) => findingIn(one, setAdvice(one.reason), named)),
    failing: grouped(failing),
    stages: stageChecks(set.spec.strategy?.stages, status, progressIn(status.conditions)),
  };
}

export function explainBundle({ metadata, spec, status = {} }: Bundle): ExplainedSpread {
  const named = namedBy(metadata);
  const failing = (status.failing ?? []).map(({ cluster, kind, name, reason, message }) => ({
    reason,
    advice: bundleAdvice(reason),
    of: { ...named, site: cluster },
    place: { site: cluster, what: kind === '' ? '' : `${kind} ${name}`, message },
  }));
  return {
    kind: 'Bundle',
    ...aboutOf(metadata, status),
    readySites: status.readyOfSites ?? '',
    findings: tellingIn(status.conditions ?? []).map((one) =>
      findingIn(one, bundleAdvice(one.reason), named),
    ),
    failing: grouped(failing),
    stages: stageChecks(spec.strategy?.stages, status, progressIn(status.conditions)),
  };
}

function progressIn(conditions: readonly Condition[] = []): string {
  return conditions.find(({ type }) => type === 'Progressing')?.reason ?? '';
}

type Metadata = CappSet['metadata'];

function namedBy({ namespace = '', name }: Metadata): AdvisedObject & { readonly site: null } {
  return { namespace, name, site: null };
}

function aboutOf(
  { namespace = '', name, deletionTimestamp, generation = 0 }: Metadata,
  { observedGeneration = 0, revision = '' }: { observedGeneration?: number; revision?: string },
): Pick<ExplainedSpread, 'namespace' | 'name' | 'isGoing' | 'isCurrent' | 'revision'> {
  const isGoing = deletionTimestamp !== undefined;
  return { namespace, name, isGoing, isCurrent: isGoing || observedGeneration >= generation, revision };
}

/** One reason is often said by several conditions: the first that has it says it best. */
function tellingIn(conditions: readonly Condition[]): Condition[] {
  const of = (type: string): Condition[] => conditions.filter((one) => one.type === type);
  const found = [
    ...of('Stalled').filter(({ status }) => status === 'True'),
    ...of('Progressing').filter(({ status, reason }) => status === 'True' || !OVER.has(reason)),
    ...of('Ready').filter(({ status }) => status !== 'True'),
  ];
  return found.filter(({ reason }, at) => found.findIndex((one) => one.reason === reason) === at);
}

/** Nothing is on its way, because all is done. */
const OVER: ReadonlySet<string> = new Set(['Done', 'Ready']);

function findingIn(condition: Condition, advice: Advice, named: AdvisedObject): ExplainedFinding {
  return findingOf(condition, { ...advice, command: commandFor(advice, named) });
}

interface Told {
  readonly reason: string;
  readonly advice: Advice;
  readonly of: AdvisedObject;
  readonly place: Failing;
}

/** In the order of the status; the command is for the first of each. */
function grouped(all: readonly Told[]): FailingFor[] {
  const reasons = [...new Set(all.map(({ reason }) => reason))];
  return reasons.flatMap((reason) => {
    const same = all.filter((one) => one.reason === reason);
    const [first] = same;
    if (first === undefined) return [];
    const { advice, of } = first;
    const { words, remedy } = advice;
    return [
      { reason, words, remedy, command: commandFor(advice, of), places: same.map(({ place }) => place) },
    ];
  });
}
