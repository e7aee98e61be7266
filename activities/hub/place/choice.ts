// Chooses a Capp's first site, or decides whether it should leave the present one, from the placement inputs.
// Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { AskedBy } from '../../../crds/capp/asked.ts';
import type { DecisionRecord } from '../../../crds/capp/decision.ts';
import type { Drain } from '../../../crds/drain/drain.ts';
import { workNamesOf } from '../../../crds/ocm/work-identity.ts';
import { confirmationCommand, mayRunOn, type EarlierCopies } from '../../../workflows/placement/recreate.ts';
import type { FleetHealth, PlacementHistory } from '../../../workflows/placement/outcome.ts';
import { review } from '../../../workflows/placement/review.ts';
import type { PlacedInputs, PlacementInputs } from '../../../workflows/placement/inputs.ts';
import { select } from '../../../workflows/placement/select.ts';
import type { Choice, ChoiceAsk } from '../../../workflows/ports/choice.ts';
import type { FoundWork } from '../../../workflows/types/removals.ts';
import { statusSite } from '../claim.ts';
import { askedBy, leaveAskedBy } from './asked.ts';
import { memoryOf, mustNotRunTwice, priorityOf, requestOf, rulesOf } from './move-rules.ts';

/** The first site of a Capp, or the one where its work is found. */
export function place(inputs: PlacementInputs, capp: Capp, now: number): Choice {
  const works = worksIn(inputs);
  const { generation = 0 } = capp.metadata;
  const selection = select(inputs, now);
  const { message, record } = selection;
  if (selection.cluster === null)
    return { outcome: 'None', reason: selection.reason, message, generation, record, works };
  const { cluster, pinned } = selection;
  const earlier = runningTwice(inputs, capp, cluster);
  if (earlier !== null) return waiting(earlier, { capp, record, works, generation, cluster });
  const memory =
    capp.status?.migration === undefined && inputs.works[cluster] === undefined ? null : memoryOf(capp);
  return {
    outcome: 'Chosen',
    cluster,
    pinned,
    message,
    generation,
    record,
    works,
    site: inputs.site,
    memory,
    ...(mustNotRunTwice(capp) ? { isSole: true } : {}),
  };
}

/**
 * Where an earlier copy of a Capp that must not run twice may still run; null if nowhere, or once a person
 * has confirmed that it is stopped. A work that the hub has not recorded as the Capp's copy is no proof that
 * the copy runs there: a site that claims to have a copy gets a work for it, which carries nothing.
 */
function runningTwice(inputs: PlacementInputs, capp: Capp, chosen: string): EarlierCopies | null {
  const { annotated } = memoryOf(capp);
  if (!mustNotRunTwice(capp) || requestOf(capp, annotated)?.force === true) return null;
  const hasWork = inputs.works[chosen]?.leaving === false;
  if (hasWork && statusSite(capp) === chosen) return null;
  const found = mayRunOn(inputs, statusSite(capp), chosen);
  const earlier = hasWork ? { going: found.going, standing: [] } : found;
  return earlier.going.length + earlier.standing.length === 0 ? null : earlier;
}

interface Waiting {
  readonly capp: Capp;
  readonly record: DecisionRecord;
  readonly works: readonly FoundWork[];
  readonly generation: number;
  readonly cluster: string;
}

function waiting(
  { going, standing }: EarlierCopies,
  { capp, record, works, generation, cluster }: Waiting,
): Choice {
  const { namespace = '', name } = capp.metadata;
  const command = confirmationCommand({ namespace, name }, cluster, memoryOf(capp).annotated.force);
  const on = [...new Set([...going, ...standing])].toSorted();
  const [left] = standing;
  const stays = `No controller removes the ManifestWork on ${left ?? ''}. If it is this Capp's, delete it: kubectl -n ${left ?? ''} delete manifestwork`;
  const remedy =
    left === undefined ? '' : ` ${stays} ${workNamesOf({ namespace, name }).join(' ')} --ignore-not-found.`;
  const message = `spec.migration.strategy is Recreate, and an earlier copy may still run on ${on.join(', ')}. The Capp waits until it is gone.${remedy} Confirm that it is stopped, then run: ${command}.`;
  return {
    outcome: 'None',
    reason: 'StillLeaving',
    message,
    generation,
    works,
    record: { ...record, cluster: null, reason: 'StillLeaving' },
  };
}

interface Looking {
  readonly capp: Capp;
  readonly drain?: Drain | undefined;
  /** How others are, for a Capp that turned unhealthy then; absent where nobody may leave for that. */
  readonly fleet?: ((since: number) => FleetHealth) | undefined;
}

type Told = NonNullable<ChoiceAsk['history']>;

function withoutIllness({ illness: _told, ...history }: Told): Omit<Told, 'illness'> {
  return history;
}

/** What was said of an earlier generation is no ground, nor is it without the Capp's own word. */
function illnessIn({ illness }: Told, { capp, fleet }: Looking): Pick<PlacementHistory, 'illness'> {
  if (illness === undefined || fleet === undefined) return {};
  const isMeant =
    capp.spec.migration?.unhealthy !== undefined && illness.generation === capp.metadata.generation;
  return isMeant ? { illness: { ...illness, fleet: fleet(illness.turnedAt ?? illness.since) } } : {};
}

/** Whether a Capp should stay where it is; the Drain of that site may say how urgent it is to leave. */
export function look(
  inputs: PlacedInputs,
  history: NonNullable<ChoiceAsk['history']>,
  asking: Looking,
  now: number,
): Choice {
  const { capp, drain } = asking;
  const request = history.request ?? requestOf(capp, history.annotated);
  const known = { ...withoutIllness(history), ...illnessIn(history, asking), request };
  const reviewed = review(inputs, known, rulesOf(capp.spec.migration), now);
  const { generation = 0 } = capp.metadata;
  const common = {
    generation,
    site: inputs.site,
    handled: reviewed.handled === null ? null : withAsker(reviewed.handled, askedBy(request, asking)),
    unreachable: unreachableOf(inputs, history.copies),
    works: worksIn(inputs),
  };
  if (!reviewed.goes)
    return { outcome: 'Stays', reason: reviewed.reason, message: reviewed.message, ...common };
  const { reason, message, to, pinned, record, terms } = reviewed;
  const asked = leaveAskedBy(reason, reviewed.request, asking);
  const leaves = {
    outcome: 'Leaves',
    reason,
    message,
    to,
    pinned,
    record: withAsker(record, asked),
    terms,
    request: reviewed.request,
    priority: priorityOf(capp, drain),
    ...common,
  } as const;
  return withAsker(leaves, asked);
}

function withAsker<T extends object>(fields: T, asked: AskedBy | null): T & { readonly asked?: AskedBy } {
  return asked === null ? fields : { ...fields, asked };
}

function worksIn({ works }: PlacementInputs): FoundWork[] {
  return Object.entries(works).map(([cluster, { leaving }]) => ({ cluster, leaving }));
}

/**
 * Clusters with a work of the Capp, or a copy whose work is gone with its cluster, that are unreachable or
 * being removed.
 */
function unreachableOf({ works, clusters, present }: PlacementInputs, copies: readonly string[]): string[] {
  const names = new Set([...Object.keys(works), ...copies, ...(present === null ? [] : [present])]);
  return [...names]
    .filter((name) => clusters[name]?.deleting !== false || !clusters[name].reachable)
    .toSorted();
}
