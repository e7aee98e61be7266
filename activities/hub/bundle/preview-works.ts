// The works of a Bundle as far as its status tells of them: for who may not read ManifestWorks. Pure.
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { bundleWorkName } from '../../../crds/ocm/bundle-work.ts';
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import type { BundleReason } from '../../../crds/bundle/status.ts';
import type { RefusedCopy } from '../../../workflows/stages/memory.ts';
import type { Rollout } from '../../../workflows/stages/types.ts';
import { NOTHING_HELD } from './owners/held.ts';
import type { BundleWork, WorkReport } from './status/seen.ts';

/** Reasons with which a work has failed, as a turn would find it from the work itself. */
const FAILURES: ReadonlySet<string> = new Set<BundleReason>([
  'NotAllowed',
  'Conflict',
  'Rejected',
  'BadRule',
  'Failed',
  'WrongPlural',
]);
const WAITS: ReadonlySet<string> = new Set<BundleReason>(['Applying', 'NotReady', 'Shipping']);
const REFUSALS: ReadonlySet<string> = new Set<BundleReason>([
  'NameTaken',
  'Refused',
  'RevisionGone',
  'TooLarge',
]);

/**
 * `clusters` are the sites that it has so far. Throws an Error where the status does not name all that have
 * another revision than most.
 */
export function worksIn(bundle: Bundle, clusters: readonly string[], now: number): BundleWork[] {
  const { revisions = [], unselected = [] } = bundle.status ?? {};
  const on = new Map<string, string>();
  const [most, ...others] = revisions;
  for (const { revision, number, sites = [] } of others) {
    if (sites.length < number)
      throw new Error(
        `of the ${number} sites that have revision ${revision} the status names only the first ${sites.length}, until the present rollout has gone on`,
      );
    for (const cluster of sites) on.set(cluster, revision);
  }
  for (const cluster of clusters) if (!on.has(cluster)) on.set(cluster, most?.revision ?? '');
  for (const cluster of unselected) on.set(cluster, most?.revision ?? '-');
  return [...on].flatMap(([cluster, revision]) =>
    revision === '' ? [] : [workOn(bundle, { cluster, revision, now })],
  );
}

interface Place {
  readonly cluster: string;
  readonly revision: string;
  readonly now: number;
}

function workOn(bundle: Bundle, place: Place): BundleWork {
  const { namespace = '', name } = bundle.metadata;
  const { apiVersion, kind } = MANIFEST_WORK;
  return {
    apiVersion,
    kind,
    metadata: { namespace: place.cluster, name: bundleWorkName({ namespace, name }) },
    seen: {
      revision: place.revision,
      at: 0,
      content: '',
      isTakenUp: true,
      held: NOTHING_HELD,
      ...saidOf(bundle, place),
    },
  };
}

/** What the status says of a site, which is about the revision to which sites go. */
function saidOf(
  { status }: Bundle,
  { cluster, revision, now }: Place,
): Pick<WorkReport, 'state' | 'problems' | 'since'> {
  const { rollout, failing = [], stages = [] } = status ?? {};
  const begunAt = rollout?.begunAt ?? 0;
  const goal = rollout?.direction === 'Back' ? rollout.settled : rollout?.revision;
  const about = failing.filter((one) => one.cluster === cluster && revision === goal);
  const state = about.some(({ reason }) => FAILURES.has(reason))
    ? 'Failed'
    : about.some(({ reason }) => WAITS.has(reason))
      ? 'Progressing'
      : 'Ready';
  const problems = about.map((one) => ({ ...one, reason: one.reason as BundleReason }));
  // When it was written is not known, but whether somewhere a deadline has passed is.
  const hasTime = state === 'Progressing' && stages.every(({ failed }) => failed === 0);
  return { state, problems, since: hasTime ? now : begunAt };
}

/** Sites to which the revision could not be written: the status names the first twenty. */
export function refusedIn(
  { status }: Bundle,
  { direction, revision, settled }: Rollout,
  now: number,
): Record<string, RefusedCopy> {
  const goal = direction === 'Back' && settled !== null ? settled : revision;
  return Object.fromEntries(
    (status?.failing ?? [])
      .filter(({ kind, reason }) => kind === '' && REFUSALS.has(reason))
      .map(({ cluster, reason, message }) => [
        cluster,
        { revision: goal, reason, message, at: now, generation: null },
      ]),
  );
}
