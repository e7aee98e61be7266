// Writes what a user sees of a Capp: its status, in parts that differ from what stands there, and events for what has changed.
import { CAPP, type Capp } from '../../crds/capp.ts';
import { applyStatus } from '../../kube/apply-status.ts';
import type { Kube } from '../../kube/client.ts';
import { conditionsOf } from '../../workflows/decide/conditions.ts';
import { servingCopy } from '../../workflows/decide/copies.ts';
import type { Hub } from '../../workflows/ports.ts';
import type { State } from '../../workflows/state.ts';
import { acting } from '../trying.ts';
import { notePlacement } from './capps.ts';
import type { EventRecorder } from './events.ts';
import { happeningsOf, type Told } from './happenings.ts';
import { hubPart, isNewborn, mirrorPart } from './status.ts';

/** What it takes to tell users of a Capp. */
export interface Press {
  readonly kube: Kube;
  readonly events: EventRecorder;
}

export function hubPublish(press: Press): Pick<Hub, 'publish'> {
  return {
    publish: (ref, state, publication) =>
      acting(press.kube, async (kube) => {
        const capp = await kube.get<Capp>(CAPP, ref);
        if (capp === null || capp.metadata.uid !== ref.uid) return;
        if (!isNewborn(state)) await notePlacement(kube, capp, state.serving);
        await publishStatus({ ...press, kube }, capp, state, publication);
      }),
  };
}

/** Takes the Capp as it was just read. Parts that say what stands there are not written. Who reads Ready finds what it is about beside it. */
export async function publishStatus({ kube, events }: Press, capp: Capp, state: State, told: Told): Promise<void> {
  const verdicts = conditionsOf(state, told.at);
  const finding = servingCopy(state)?.finding ?? null;
  if (told.mirror !== null && finding !== null) await applyStatus(kube, CAPP, capp, mirrorPart(told.mirror, finding.statusHash));
  const part = hubPart(capp, { state, verdicts, record: told.record, at: told.at });
  if (part !== null) await applyStatus(kube, CAPP, capp, part);
  for (const happening of happeningsOf(capp, state, told, verdicts)) events.note(capp, happening);
}
