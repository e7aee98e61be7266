// Writes what a user sees of a Capp: its status, in parts that differ from what stands there, and events for what has changed.
import { CAPP, type Capp } from '../../crds/capp.ts';
import { applyStatus } from '../../kube/apply-status.ts';
import type { Kube } from '../../kube/client.ts';
import { conditionsOf, servingCopy, type Verdict } from '../../workflows/decide/conditions.ts';
import type { Hub, Publication } from '../../workflows/ports.ts';
import type { State } from '../../workflows/state.ts';
import { raising } from '../raise.ts';
import { emit, type Happening } from './events.ts';
import { hubPart, mirrorPart } from './status.ts';

export function hubPublish(kube: Kube): Pick<Hub, 'publish'> {
  return {
    publish: (ref, state, publication) =>
      raising(async () => {
        const capp = await kube.get<Capp>(CAPP, ref);
        if (capp === null || capp.metadata.uid !== ref.uid) return;
        await publishStatus(kube, capp, state, publication);
      }),
  };
}

/** What only the activity that did it can tell. */
interface Told extends Publication {
  readonly warnings?: readonly string[];
  readonly created?: boolean;
}

/** Takes the Capp as it was just read. Parts that say what stands there are not written. Who reads Ready finds what it is about beside it. */
export async function publishStatus(kube: Kube, capp: Capp, state: State, told: Told): Promise<void> {
  const verdicts = conditionsOf(state, told.at);
  const finding = servingCopy(state)?.finding ?? null;
  if (told.mirror !== null && finding !== null) await applyStatus(kube, CAPP, capp, mirrorPart(told.mirror, finding.statusHash));
  const part = hubPart(capp, { state, verdicts, record: told.record, at: told.at });
  const happenings = happeningsOf(capp, state, told, verdicts);
  await Promise.all([
    ...(part === null ? [] : [applyStatus(kube, CAPP, capp, part)]),
    ...happenings.map((happening) => emit(kube, capp, happening)),
  ]);
}

/** What differs from the Capp's status as it stood. */
function happeningsOf(capp: Capp, state: State, told: Told, verdicts: readonly Verdict[]): Happening[] {
  const occasion = String(told.at);
  const site = state.serving;
  const ignored = (told.warnings ?? []).map((note): Happening => ({
    type: 'Warning',
    reason: 'FieldIgnored',
    note,
    occasion: `generation ${state.generation}`,
  }));
  const isNewSite = site !== null && capp.status?.applicationLinks?.site !== site;
  return [
    ...(isNewSite ? [{ type: 'Normal', reason: 'CappScheduled', note: `Placed on ${site}`, occasion } as const] : []),
    ...(told.created === true
      ? [{ type: 'Normal', reason: 'ManifestWorkCreated', note: `Sent to ${site ?? 'a site'}`, occasion } as const]
      : []),
    ...ignored,
    ...turns(capp, verdicts).map((turn) => ({ ...turn, occasion })),
  ];
}

/** The news in the conditions: no site, Ready, or why not. */
function turns(capp: Capp, verdicts: readonly Verdict[]): Omit<Happening, 'occasion'>[] {
  const placed = verdicts.find(({ type }) => type === 'Placed');
  if (placed?.status === 'False') {
    if (!changed(capp, placed)) return [];
    return [{ type: 'Warning', reason: 'PlacementDecisionNotSatisfied', note: `${placed.reason}: ${placed.message}` }];
  }
  const ready = verdicts.find(({ type }) => type === 'Ready');
  if (ready === undefined || ready.status === 'Unknown' || ready.reason === 'Leaving' || !changed(capp, ready)) return [];
  return [
    { type: ready.status === 'True' ? 'Normal' : 'Warning', reason: ready.status === 'True' ? 'Ready' : ready.reason, note: ready.message },
  ];
}

function changed(capp: Capp, verdict: Verdict): boolean {
  const before = capp.status?.conditions?.find(({ type }) => type === verdict.type);
  return before?.status !== verdict.status || before.reason !== verdict.reason;
}
