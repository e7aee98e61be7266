// What a workflow may answer a turn with, for histories written by hand.
import { Failure, TERMINAL } from '../../../workflows/failures.ts';
import { agentQueue, CAPP_PHASE, CAPP_SITE, HUB_QUEUE } from '../../../workflows/names.ts';
import type { Phase } from '../../../workflows/capp/state.ts';
import type { Book, Command, Name, Result } from './book.ts';
import { keyword, keywords, payloads, type Json } from './payloads.ts';

type Near =
  | 'place'
  | 'choose'
  | 'apply'
  | 'publish'
  | 'remove'
  | 'find'
  | 'retire'
  | 'point'
  | 'compare'
  | 'cappsOn'
  | 'answer'
  | 'reportDrain'
  | 'publishScore';

/** A local activity that was done within the turn. */
export function did<N extends Near>(name: N, result: Result<N>): Command {
  return (book) =>
    book.write('MARKER_RECORDED', marker(book, name, { details: { result: payloads(result ?? null) } }));
}

/** A local activity that was tried within the turn, in vain. */
export function couldNot(name: Near): Command {
  const failure = {
    message: `${name} could not be done`,
    applicationFailureInfo: { type: Failure.Unreachable },
  };
  return (book) => book.write('MARKER_RECORDED', marker(book, name, { failure }));
}

function marker(book: Book, name: Near, { details = {}, failure }: { details?: Json; failure?: Json }): Json {
  const data = {
    seq: book.nextActivity(name),
    attempt: 1,
    activity_id: '',
    activity_type: name,
    complete_time: book.stamp(),
    backoff: null,
    original_schedule_time: book.stamp(),
  };
  const told = { data: payloads({ ...data, activity_id: String(data.seq) }), ...details };
  return { markerName: 'core_local_activity', details: told, ...(failure === undefined ? {} : { failure }) };
}

/** An activity begun: on the hub, or on a site when its cluster is given. */
export function begins(name: Name, cluster: string | null = null): Command {
  return (book) => {
    const activityId = String(book.nextActivity(name));
    const scheduled = book.write('ACTIVITY_TASK_SCHEDULED', {
      activityId,
      activityType: { name },
      taskQueue: { name: cluster === null ? HUB_QUEUE : agentQueue(cluster), kind: 'TASK_QUEUE_KIND_NORMAL' },
      startToCloseTimeout: '30s',
      retryPolicy: { nonRetryableErrorTypes: TERMINAL },
    });
    book.running.push({ name, scheduled });
  };
}

/** Gives up an activity that is under way; of two of a name, the older. */
export function dropsActivity(name: Name): Command {
  return (book) => {
    const scheduled = book.takeActivity(name);
    book.write('ACTIVITY_TASK_CANCEL_REQUESTED', { scheduledEventId: String(scheduled) });
  };
}

/** Notes in the history that it goes on in a way that earlier builds did not know. */
export function patches(id: string): Command {
  return (book) => {
    book.write('MARKER_RECORDED', {
      markerName: 'core_patch',
      details: { 'patch-data': payloads({ id, deprecated: false }) },
    });
    book.write('UPSERT_WORKFLOW_SEARCH_ATTRIBUTES', {
      searchAttributes: { indexedFields: { TemporalChangeVersion: keywords([id]) } },
    });
  };
}

export function waits(milliseconds: number): Command {
  return (book) => {
    const timerId = String((book.timers += 1));
    const started = book.write('TIMER_STARTED', { timerId, startToFireTimeout: `${milliseconds / 1000}s` });
    book.waiting.push({ timerId, started });
  };
}

/** Gives up the timer begun last. */
export function stopsWaiting(): Command {
  return (book) => {
    const { timerId, started } = book.lastTimer();
    book.write('TIMER_CANCELED', { timerId, startedEventId: String(started) });
  };
}

/** Gives up the timer begun first. */
export function stopsFirstTimer(): Command {
  return (book) => {
    const [first] = book.waiting.splice(0, 1);
    if (first === undefined) throw new Error('no timer is under way');
    book.write('TIMER_CANCELED', { timerId: first.timerId, startedEventId: String(first.started) });
  };
}

export function shows(site: string, phase: Phase): Command {
  return (book) => {
    const indexedFields = { [CAPP_SITE]: keyword(site), [CAPP_PHASE]: keyword(phase) };
    book.write('UPSERT_WORKFLOW_SEARCH_ATTRIBUTES', { searchAttributes: { indexedFields } });
  };
}

export function rings(cappWorkflow: string): Command {
  return (book) => {
    const initiated = book.write('SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED', {
      workflowExecution: { workflowId: cappWorkflow },
      signalName: 'ring',
      input: payloads({ causes: ['site'], minimumVersions: {} }),
    });
    book.signalling.push({ initiated, workflowId: cappWorkflow });
  };
}

export function continuesAsNew(): Command {
  return (book) => {
    book.isOpen = false;
    book.write('WORKFLOW_EXECUTION_CONTINUED_AS_NEW', {
      newExecutionRunId: 'next',
      workflowType: { name: book.type },
      input: payloads({}),
    });
  };
}

export function completes(): Command {
  return (book) => {
    book.isOpen = false;
    book.write('WORKFLOW_EXECUTION_COMPLETED', {});
  };
}

/** The timer that every run of a Capp's workflow begins with. */
export const RESYNC: Command = (book) => {
  waits(24 * 3_600_000)(book);
  book.resync = book.lastTimer();
};
