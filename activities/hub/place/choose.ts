// Collects the placement inputs from the caches, and calls the pure functions that choose or review a site.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import type { Choice, ChoiceAsk } from '../../../workflows/ports/choice.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';
import { standingDrain } from '../caches.ts';
import { trying } from '../../trying.ts';
import { caughtUp } from './caught-up.ts';
import { look, place } from './choice.ts';
import { claimOf, doubtfulWorks, knownWorks } from '../claim.ts';
import type { FleetHealth } from '../../../workflows/placement/outcome.ts';
import { fleetHealthOf } from './fleet-health.ts';
import { mustNotRunTwice } from './move-rules.ts';
import type { ChooseOptions } from './ground.ts';
import { placementInputs } from './placement-inputs.ts';
import { pending, type PendingChoices } from './pending.ts';
import type { PlacementInputs } from '../../../workflows/placement/inputs.ts';
import { stillThere, waitsForRemoval } from './still-leaving.ts';

export interface ChooserOptions extends ChooseOptions {
  readonly kube: Pick<Kube, 'within'>;
}

export function hubChoose(options: ChooserOptions): Pick<Hub, 'choose'> {
  const waiting = pending();
  return { choose: (ref, ask) => choose(options, waiting, ref, ask) };
}

async function choose(
  options: ChooserOptions,
  waiting: PendingChoices,
  ref: CappRef,
  ask: ChoiceAsk,
): Promise<Choice> {
  const { caches, kube } = options;
  if (!(await caughtUp(caches, ask.minimumVersions))) return { outcome: 'Behind' };
  const capp = caches.capps.get({ namespace: ref.namespace, name: ref.name });
  if (capp === undefined || capp.metadata.uid !== ref.uid || capp.metadata.deletionTimestamp !== undefined)
    return { outcome: 'Absent' };
  const key = `${ref.namespace}/${ref.name}`;
  const claim = claimOf(caches, ref, ask.present);
  const isRivalled = claim.rivals.length > 0;
  const now = Date.now();
  const among = (works: readonly KubeObject[], doubtful: readonly KubeObject[]): Choice =>
    choiceOf(options, placementInputs(options, waiting, { key, capp, works, doubtful, isRivalled, ask }), {
      capp,
      ask,
      now,
    });
  const works = knownWorks(caches, claim);
  const doubtful = mustNotRunTwice(capp) ? doubtfulWorks(caches, claim) : [];
  const first = among(works, doubtful);
  const choice = waitsForRemoval(first)
    ? await trying(async (bounds) => {
        const live = kube.within(bounds);
        return among(...(await Promise.all([stillThere(live, works), stillThere(live, doubtful)])));
      })
    : first;
  const cluster =
    choice.outcome === 'Chosen' ? choice.cluster : choice.outcome === 'Leaves' ? choice.to : null;
  if (cluster !== null) waiting.note(key, cluster, now);
  return choice;
}

interface Chooser {
  readonly capp: Capp;
  readonly ask: ChoiceAsk;
  readonly now: number;
}

function choiceOf(options: ChooseOptions, inputs: PlacementInputs, { capp, ask, now }: Chooser): Choice {
  const { history, present } = ask;
  if (history === null || present === null) return place(inputs, capp, now);
  const drain = standingDrain(options.caches, present);
  const fleet = fleetOf(options, capp, present);
  return look({ ...inputs, present }, history, { capp, drain, fleet }, now);
}

/** Asked only of a Capp that is unhealthy. */
function fleetOf(
  { caches, config }: ChooseOptions,
  capp: Capp,
  site: string,
): (since: number) => FleetHealth {
  const percent = caches.configs.get(config)?.spec.unhealthyPercent;
  return (since) => fleetHealthOf(caches.capps, { capp, site, since }, percent);
}
