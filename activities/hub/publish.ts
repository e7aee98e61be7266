// Writes what a user sees of a Capp: its status, in parts that differ from what stands there, and events for what has changed.
import { CAPP, type Capp } from '../../crds/capp.ts';
import { applyStatus } from '../../kube/apply-status.ts';
import type { Kube } from '../../kube/client.ts';
import { keyOf } from '../../kube/resource.ts';
import { uncontested } from '../../kube/uncontested.ts';
import { conditionsOf } from '../../workflows/decide/conditions.ts';
import { servingCopy } from '../../workflows/decide/copies.ts';
import type { Hub } from '../../workflows/ports.ts';
import type { State } from '../../workflows/state.ts';
import { acting } from '../trying.ts';
import { notePlacement } from './capps.ts';
import type { EventRecorder } from './events.ts';
import { happeningsOf, type Told } from './happenings.ts';
import { hubPart, isNewborn, isOvertaken, mirrorPart, type Part } from './status.ts';
import { withLatestFacts } from './work-facts.ts';

/** What it takes to tell users of a Capp. */
export interface Press {
  readonly kube: Kube;
  readonly events: EventRecorder;
}

export function hubPublish(press: Press): Pick<Hub, 'publish'> {
  return {
    publish: (ref, state, publication) =>
      acting(press.kube, (kube) =>
        uncontested(async () => {
          const capp = await kube.get<Capp>(CAPP, ref);
          if (capp === null || capp.metadata.uid !== ref.uid || isOvertaken(capp, state)) return;
          const noted = isNewborn(state) ? capp : await notePlacement(kube, capp, state.serving);
          if (noted !== null) await tell({ ...press, kube }, noted, await withLatestFacts(kube, state), publication);
        }),
      ),
  };
}

/** Takes the Capp as it was read, and reads it again if somebody has changed it since. */
export function publishStatus(press: Press, capp: Capp, state: State, told: Told): Promise<void> {
  return uncontested(async (tries) => {
    const live = tries === 1 ? capp : await press.kube.get<Capp>(CAPP, keyOf(capp));
    if (live === null || live.metadata.uid !== capp.metadata.uid || isOvertaken(live, state)) return;
    await tell(press, live, state, told);
  });
}

/** Parts that say what stands there are not written. Who reads Ready finds what it is about beside it. Throws Conflict if the Capp has changed. */
async function tell({ kube, events }: Press, capp: Capp, state: State, told: Told): Promise<void> {
  const verdicts = conditionsOf(state, told.at);
  const finding = servingCopy(state)?.finding ?? null;
  const write = async (to: Capp, part: Part): Promise<Capp> => (await applyStatus<Capp>(kube, CAPP, to, { ...part, asRead: true })) ?? to;
  const isMirrored = told.mirror !== null && finding !== null;
  const live = isMirrored ? await write(capp, mirrorPart(told.mirror, finding.statusHash, state)) : capp;
  const part = hubPart(capp, { state, verdicts, record: told.record, at: told.at });
  if (part !== null) await write(live, part);
  for (const happening of happeningsOf(capp, state, told, verdicts)) events.note(capp, happening);
}
