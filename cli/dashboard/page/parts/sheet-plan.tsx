// What an act would do, asked before it is done: by the planner of the hub, which changes nothing.
import { useState } from 'preact/hooks';
import type { RolloutPlan } from '../../../../crds/rollout/plan.ts';
import type { DrainView } from '../../../explain/drain.ts';
import type { RollbackView } from '../../feed/reads.ts';
import type { SheetPlan } from '../../view/sheets/sheet.ts';
import { sentence } from '../hub.ts';
import { program } from '../program.ts';
import { DrainPlan } from './drain-plan.tsx';
import { PlanOfRollout } from './rollout-plan.tsx';
import type { SheetTarget } from './target.ts';

type Answer =
  | { readonly drain: DrainView }
  | { readonly plan: RolloutPlan }
  | { readonly rollback: RollbackView };

interface Props {
  readonly plan: SheetPlan;
  readonly target: SheetTarget;
  /** What is chosen beside it; empty for nothing. */
  readonly what: string;
}

/** What was asked of another choice is no answer to this one: give it the choice as its key. */
export function SheetPlanBeside({ plan, target, what }: Props) {
  const [answer, setAnswer] = useState<Answer | string | null>(null);
  const ask = (): void => {
    setAnswer('The hub plans…');
    answerTo(plan, target, what).then(setAnswer, (error: unknown) => setAnswer(sentence(error)));
  };
  if (answer === null)
    return (
      <button type="button" onClick={ask}>
        What would happen?
      </button>
    );
  return typeof answer === 'string' ? <p role="status">{answer}</p> : <Answered answer={answer} />;
}

async function answerTo(plan: SheetPlan, target: SheetTarget, what: string): Promise<Answer> {
  const { kind, namespace, name } = target;
  const about = { kind, namespace, name, text: what };
  switch (plan) {
    case 'drain':
      return { drain: await program().act<DrainView>({ ...target, act: 'plan-drain' }) };
    case 'rollback':
      return program().read<{ rollback: RollbackView }>({ ...about, what: 'rollback' });
    default:
      return program().read<{ plan: RolloutPlan }>({ ...about, what: 'plan', of: plan });
  }
}

function Answered({ answer }: { readonly answer: Answer }) {
  if ('drain' in answer) return <DrainPlan plan={answer.drain} />;
  if ('rollback' in answer) return <RollbackPlan rollback={answer.rollback} />;
  return (
    <div class="plan">
      <PlanOfRollout plan={answer.plan} />
    </div>
  );
}

function RollbackPlan({ rollback: { to, changes, says } }: { readonly rollback: RollbackView }) {
  return (
    <div class="plan">
      <p>
        {changes === 0 ? (
          `It has the spec of revision ${to} already.`
        ) : (
          <>
            <strong>
              Revision {to}: {changes} {changes === 1 ? 'field changes' : 'fields change'}
            </strong>
            , {says}.
          </>
        )}{' '}
        Nothing has been changed.
      </p>
    </div>
  );
}
