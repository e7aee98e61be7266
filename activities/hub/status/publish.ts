// Publishes a Capp's status in one write, only what differs, and events for what has changed.
import { ApplicationFailure } from '@temporalio/common';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import type { Kube } from '../../../kube/client.ts';
import { keyOf } from '../../../kube/resource.ts';
import { retryOnConflict } from '../../../kube/failure.ts';
import { Failure } from '../../../workflows/failures.ts';
import { conditionsOf } from '../../../workflows/capp/conditions/conditions.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import type { State } from '../../../workflows/capp/state.ts';
import { acting } from '../../trying.ts';
import { notePlacement } from '../capps.ts';
import type { Audit } from '../audit/act.ts';
import { movesOf } from '../audit/moves.ts';
import type { EventRecorder } from './events.ts';
import { publishable, type PublishedSiteOptions } from './published-sites.ts';
import { happeningsOf, type CappTold } from './happenings.ts';
import { tellByCache } from './by-cache.ts';
import { statusPatch } from './one-write.ts';
import { isContested, isContestedSince, isNewborn, isOvertaken, partsOf } from './status.ts';
import { writeStatus } from './write-status.ts';
import { withLatestFacts } from './work-facts.ts';

/** What a Capp's publication needs. */
export interface Press extends PublishedSiteOptions, Desk {}

/** What the publication of any kind needs. */
export interface Desk {
  readonly kube: Kube;
  readonly events: EventRecorder;
  readonly audit: Audit;
}

export function hubPublish(press: Press): Pick<Hub, 'publish'> {
  return {
    publish: (ref, state, publication) =>
      acting(press.kube, async (kube) => {
        // Runs before the Capp is read: it may take a moment, and the write rests on that read.
        const latest = await withLatestFacts(kube, state);
        const by = { ...press, kube };
        const known = await tellByCache(by, ref, latest, publication);
        if (known.is === 'Told') return;
        const first = await kube.get<Capp>(CAPP, ref);
        if (first?.metadata.uid !== ref.uid || isOvertaken(first, state)) return;
        if (known.is === 'Late' && isContestedSince(known.capp, first, state)) throw contested(first);
        await upToDate(kube, first, state, async (capp) => {
          const said = await allowed(by, capp, latest, null);
          const noted = isNewborn(said) ? capp : await notePlacement(kube, capp, said.serving);
          if (noted !== null) await tell(by, noted, said, publication);
        });
      }),
  };
}

/** Takes the Capp as it was read. */
export function publishStatus(press: Press, capp: Capp, state: State, told: CappTold): Promise<void> {
  return upToDate(press.kube, capp, state, async (live) =>
    tell(press, live, await allowed(press, live, state, told.warranted ?? null), told),
  );
}

/**
 * Writes the status of a Capp as it was read, and reads it again if it has changed since. A state that is
 * older than the status is not written. Throws Conflict if another try has published something else meanwhile
 * and neither is known to be newer: Temporal tries again if the result is still needed.
 */
function upToDate(kube: Kube, read: Capp, state: State, write: (live: Capp) => Promise<void>): Promise<void> {
  return retryOnConflict(async (tries) => {
    const live = tries === 1 ? read : await kube.get<Capp>(CAPP, keyOf(read));
    if (live === null || live.metadata.uid !== read.metadata.uid || isOvertaken(live, state)) return;
    if (isContested(read, live, state)) throw contested(live);
    await write(live);
  });
}

function allowed(press: Press, capp: Capp, state: State, warranted: string | null): Promise<State> {
  return publishable(press, capp, state, { warranted, behind: () => contested(capp) });
}

function contested({ metadata: { namespace, name } }: Capp): ApplicationFailure {
  const message = `The status of ${namespace}/${name} was changed by another write meanwhile`;
  return ApplicationFailure.create({ type: Failure.Conflict, message });
}

/** Writes nothing that is unchanged. Throws Conflict if the Capp has changed. */
async function tell({ kube, events, audit }: Press, capp: Capp, state: State, told: CappTold): Promise<void> {
  const verdicts = conditionsOf(state, told.at);
  for (const act of movesOf(capp, state, verdicts)) audit(act);
  await writeStatus(kube, capp, statusPatch(capp, partsOf(capp, state, told), true));
  for (const happening of happeningsOf(capp, state, told, verdicts)) events.note(capp, happening);
}
