// Collects the placement inputs from the caches, and calls the pure functions that choose or review a site.
import type { Hub } from '../../../workflows/ports/hub.ts';
import type { Choice, Ask } from '../../../workflows/ports/choice.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';
import { standingDrain } from '../caches.ts';
import { caughtUp } from './caught-up.ts';
import { look, place } from './choice.ts';
import { claimOf, doubtfulWorks, knownWorks } from '../claim.ts';
import type { FleetHealth } from '../../../workflows/placement/outcome.ts';
import { fleetHealthOf } from './fleet-health.ts';
import { mustNotRunTwice } from './move-rules.ts';
import type { ChooseOptions } from './ground.ts';
import { placementInputs } from './placement-inputs.ts';
import { pending, type Pending } from './pending.ts';

export function hubChoose(options: ChooseOptions): Pick<Hub, 'choose'> {
  const waiting = pending();
  return { choose: (ref, ask) => choose(options, waiting, ref, ask) };
}

async function choose(options: ChooseOptions, waiting: Pending, ref: CappRef, ask: Ask): Promise<Choice> {
  const { caches } = options;
  if (!(await caughtUp(caches, ask.minimumVersions))) return { outcome: 'Behind' };
  const capp = caches.capps.get({ namespace: ref.namespace, name: ref.name });
  if (capp === undefined || capp.metadata.uid !== ref.uid || capp.metadata.deletionTimestamp !== undefined)
    return { outcome: 'Absent' };
  const key = `${ref.namespace}/${ref.name}`;
  const claim = claimOf(caches, ref, ask.present);
  const doubtful = mustNotRunTwice(capp) ? doubtfulWorks(caches, claim) : [];
  const inputs = placementInputs(options, waiting, {
    key,
    capp,
    works: knownWorks(caches, claim),
    doubtful,
    isRivalled: claim.rivals.length > 0,
    ask,
  });
  const now = Date.now();
  const choice =
    ask.history === null || ask.present === null
      ? place(inputs, capp, now)
      : look(
          { ...inputs, present: ask.present },
          ask.history,
          { capp, drain: standingDrain(caches, ask.present), fleet: fleetOf(options, ref.uid) },
          now,
        );
  const cluster =
    choice.outcome === 'Chosen' ? choice.cluster : choice.outcome === 'Leaves' ? choice.to : null;
  if (cluster !== null) waiting.note(key, cluster, now);
  return choice;
}

/** Asked only of a Capp that is unhealthy. */
function fleetOf({ caches, config }: ChooseOptions, uid: string): (since: number) => FleetHealth {
  const percent = caches.configs.get(config)?.spec.unhealthyPercent;
  return (since) => fleetHealthOf(caches.capps, { uid, since }, percent);
}
