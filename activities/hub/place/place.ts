// Chooses a site for a Capp that has none and ships it there, in one activity.
import { nextStep } from '../../../workflows/capp/next/next-step.ts';
import { askOf } from '../../../workflows/capp/next/questions.ts';
import { recordIn, afterChoice } from '../../../workflows/capp/after/choice.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import { trying } from '../../trying.ts';

export function hubPlace(hub: Pick<Hub, 'choose' | 'apply'>): Pick<Hub, 'place'> {
  return {
    place: (ref, state) =>
      trying(async () => {
        const choice = await hub.choose(ref, askOf(state));
        const at = Date.now();
        const next = afterChoice(state, state, choice, at);
        const step = nextStep(next, at);
        if (choice.outcome !== 'Chosen' || choice.isSole === true || step.do !== 'apply')
          return { choice, at, shipped: null };
        const answer = await hub.apply(ref, step.cluster, next, recordIn(choice));
        return { choice, at, shipped: { cluster: step.cluster, answer } };
      }),
  };
}
