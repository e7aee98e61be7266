// Goes into the bundle of replayed workflows: records each activation, which is what Temporal's core gives a
// workflow at one moment and the commands that the workflow answers with.
import {
  workflowInfo,
  proxySinks,
  type ActivateInput,
  type ConcludeActivationInput,
  type Sinks,
  type WorkflowInterceptors,
} from '@temporalio/workflow';

export interface Activation {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The server suggests to continue as new. */
  readonly isLong: boolean;
  readonly jobs: NonNullable<ActivateInput['activation']['jobs']>;
  readonly commands: ConcludeActivationInput['commands'];
}

export interface Recorder extends Sinks {
  readonly activations: { record(activation: Activation): void };
}

const { activations } = proxySinks<Recorder>();

export function interceptors(): WorkflowInterceptors {
  let jobs: Activation['jobs'] = [];
  return {
    internals: [
      {
        activate: (input, next) => {
          jobs = [...(input.activation.jobs ?? [])];
          next(input);
        },
        concludeActivation: (input, next) => {
          if (jobs.every(({ queryWorkflow }) => !queryWorkflow))
            activations.record({
              at: Date.now(),
              isLong: workflowInfo().continueAsNewSuggested,
              jobs,
              commands: [...input.commands],
            });
          return next(input);
        },
      },
    ],
  };
}
