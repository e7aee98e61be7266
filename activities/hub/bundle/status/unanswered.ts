// What is told of sites that a Bundle leaves when they have answered to what they were told. Pure.
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import { bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import type { BundleProblem } from './problems.ts';
import { named } from './sayings.ts';

export interface UnansweredSite {
  readonly cluster: string;
  /** What its work says fails or is not ready. */
  readonly problems: readonly BundleProblem[];
}

export interface SaidOfUnanswered {
  readonly message: string;
  /** One of them has answered that it cannot, so a person has to act. */
  readonly isStuck: boolean;
}

/** Null if none is waited for. */
export function saidOfUnanswered(
  { metadata: { namespace = '', name }, spec }: Bundle,
  sites: readonly UnansweredSite[],
): SaidOfUnanswered | null {
  const clusters = sites.map(({ cluster }) => cluster).toSorted();
  if (clusters.length === 0) return null;
  const waits = `Waits for the work agents of ${named(clusters)}`;
  if (spec.onRemoval !== 'Orphan')
    return { message: `${waits} to let go of what other Bundles keep there.`, isStuck: false };
  const stuck = sites.flatMap(({ cluster, problems }) => {
    const problem = problems.find(({ kind, condition }) => kind !== '' && condition === 'Applied');
    return problem === undefined ? [] : [{ cluster, problem }];
  });
  const [first] = stuck;
  const { cluster = clusters[0] ?? '', problem } = first ?? {};
  const work = `${cluster}/${bundleWorkName({ namespace, name })}`;
  const why =
    problem === undefined
      ? 'If none answers, see that they run.'
      : `${cluster} cannot apply it to ${problem.kind} ${problem.name} (${problem.reason}), which it still owns and would delete: mend what condition Applied of that object says in ManifestWork ${work}.`;
  return {
    message: `${waits} to apply that what is there stays. ${why} To give up what the site may delete with it, delete ManifestWork ${work}.`,
    isStuck: first !== undefined,
  };
}
