// An interceptor for replayed workflows that reports every call with its arguments. A replay checks only the
// type of a command.
import { proxySinks, type Sinks, type WorkflowInterceptors } from '@temporalio/workflow';

export interface Said extends Sinks {
  readonly said: { note(kind: string, what: string): void };
}

const { said } = proxySinks<Said>();

function note(kind: string, ...what: readonly unknown[]): void {
  said.note(kind, JSON.stringify(what));
}

export function interceptors(): WorkflowInterceptors {
  return {
    outbound: [
      {
        scheduleActivity: (input, next) => {
          note(`activity ${input.activityType} on ${input.options.taskQueue ?? ''}`, ...input.args);
          return next(input);
        },
        scheduleLocalActivity: (input, next) => {
          note(`local activity ${input.activityType}`, ...input.args);
          return next(input);
        },
        startTimer: (input, next) => {
          note('timer', input.durationMs);
          return next(input);
        },
        signalWorkflow: (input, next) => {
          const { workflowId } =
            input.target.type === 'external' ? input.target.workflowExecution : { workflowId: '' };
          note(`signal ${input.signalName} to ${workflowId ?? ''}`, ...input.args);
          return next(input);
        },
        continueAsNew: (input, next) => {
          note('continue as new', ...input.args);
          return next(input);
        },
      },
    ],
  };
}
