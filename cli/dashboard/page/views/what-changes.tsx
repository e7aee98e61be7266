// What would change where, by the planner of the hub, equal changes together.
import { useState } from 'preact/hooks';
import type { RolloutPlan } from '../../../../crds/rollout/plan.ts';
import { program } from '../program.ts';
import { sentence } from '../hub.ts';
import { PlanOfRollout } from '../parts/rollout-plan.tsx';
import type { SheetTarget } from '../parts/target.ts';
import { Nothing, Panel } from '../parts/words.tsx';

interface Props {
  readonly target: SheetTarget;
  /** Who may not write is not offered what the API server would refuse. */
  readonly mayPlan: boolean;
}

export function WhatChanges({ target: { kind, namespace, name }, mayPlan }: Props) {
  const [plan, setPlan] = useState<RolloutPlan | string | null>(null);
  const ask = (): void => {
    setPlan('The hub plans…');
    program()
      .read<{ plan: RolloutPlan }>({ what: 'plan', kind, namespace, name })
      .then(
        (answer) => setPlan(answer.plan),
        (error: unknown) => setPlan(sentence(error)),
      );
  };
  const again = (
    <button type="button" onClick={ask}>
      {plan === null ? 'Ask the planner' : 'Ask again'}
    </button>
  );
  return (
    <Panel title="What would change" aside={mayPlan ? again : null}>
      {plan === null ? (
        <Nothing>
          {mayPlan
            ? "The hub's planner says what is written next, where and when. Nothing is changed by asking."
            : 'The planner answers who may update it: a plan is a write that the hub does not store.'}
        </Nothing>
      ) : null}
      {typeof plan === 'string' ? <p role="status">{plan}</p> : null}
      {plan !== null && typeof plan === 'object' ? <PlanOfRollout plan={plan} /> : null}
    </Panel>
  );
}
