// Writes the history of a run of the simulator, as Temporal's server would have.
import {
  agentQueue,
  CAPP_PHASE,
  CAPP_SITE,
  FIRST_PHASE,
  HUB_QUEUE,
  NO_SITE,
} from '../../../workflows/names.ts';
import { allOf, keyword, keywords, payloads, type Json } from '../replay/payloads.ts';
import type { Batch, Said, Update } from '../simulator/engine/batch.ts';
import type { Command, End, Entry, Outcome } from '../simulator/engine/exchange.ts';
import type { Recorded } from './replayed-runs.ts';
import { Events } from './events.ts';
import { failureOf } from './failure.ts';
import { Numbers } from './simulated-lines.ts';
import type { SimulatedRun } from './simulated-runs.ts';

/** `runId` tells it from others. */
export function historyOf(run: SimulatedRun, runId: string): Recorded {
  return { events: new Writer(run, runId).events };
}

class Writer {
  readonly #log = new Events();
  readonly #numbers = new Numbers();
  /** Events that began what is under way, by its number in the simulator. */
  readonly #begun = new Map<number, { readonly command: Command; readonly eventId: string }>();
  readonly #local = new Map<number, Command>();
  readonly #accepted = new Map<Update, { readonly updateId: string; readonly eventId: string }>();
  #completed: Json = {};
  #started = '';
  #index = '';

  constructor({ id, type, start, tasks, end }: SimulatedRun, runId: string) {
    this.#log.at = tasks[0]?.[0]?.at ?? 0;
    const searchAttributes = indexedBy(NO_SITE, FIRST_PHASE);
    this.#index = JSON.stringify(searchAttributes);
    this.#log.write('WORKFLOW_EXECUTION_STARTED', {
      workflowType: { name: type },
      taskQueue: { name: HUB_QUEUE },
      input: payloads(start),
      originalExecutionRunId: runId,
      firstExecutionRunId: runId,
      attempt: 1,
      workflowTaskTimeout: '10s',
      searchAttributes,
      workflowId: id,
    });
    for (const task of tasks) this.#task(task, task === tasks.at(-1) ? end : null);
  }

  get events(): readonly unknown[] {
    return this.#log.events;
  }

  #task(batches: readonly Batch[], end: End | null): void {
    const [first] = batches;
    this.#log.at = first?.at ?? this.#log.at;
    for (const entry of first?.entries ?? []) this.#happens(entry);
    const { startedEventId, ...completed } = this.#log.workflowTask(first?.isLong === true);
    this.#completed = completed;
    this.#started = startedEventId;
    const begunBefore = new Set(this.#begun.keys());
    const cancelled = new Set(
      batches.flatMap(({ said }) => said.flatMap((one) => (one.is === 'cancel' ? [one.seq] : []))),
    );
    const isNothing = (seq: number): boolean => cancelled.has(seq) && !begunBefore.has(seq);
    for (const { at, entries, said } of batches) {
      this.#log.at = at;
      for (const entry of entries) if (entry.is === 'result' && entry.isLocal) this.#marks(entry);
      for (const one of said) this.#says(one, isNothing);
    }
    if (end !== null) this.#ends(end);
  }

  #happens(entry: Entry): void {
    if (entry.is === 'signal')
      this.#log.write('WORKFLOW_EXECUTION_SIGNALED', { signalName: entry.name, input: allOf(entry.given) });
    if (entry.is !== 'result' || entry.isLocal) return;
    const begun = this.#begun.get(entry.seq);
    // Temporal forgets that a timer has fired when the workflow task that runs meanwhile cancels it.
    if (begun === undefined) return;
    this.#begun.delete(entry.seq);
    const { number } = this.#numbers.of(entry.seq);
    if (begun.command.do === 'wait')
      this.#log.write('TIMER_FIRED', { timerId: String(number), startedEventId: begun.eventId });
    else this.#answers(begun.eventId, entry.outcome);
  }

  #answers(scheduledEventId: string, outcome: Outcome): void {
    const startedEventId = this.#log.write('ACTIVITY_TASK_STARTED', { scheduledEventId, attempt: 1 });
    const attributes = { scheduledEventId, startedEventId };
    if (!('error' in outcome))
      return void this.#log.write('ACTIVITY_TASK_COMPLETED', {
        ...attributes,
        result: allOf([outcome.value]),
      });
    const failure = failureOf(outcome.error);
    const type = 'timeoutFailureInfo' in failure ? 'TIMED_OUT' : 'FAILED';
    this.#log.write(`ACTIVITY_TASK_${type}`, {
      ...attributes,
      failure,
      retryState: 'RETRY_STATE_NON_RETRYABLE_FAILURE',
    });
  }

  #marks({ seq, outcome }: Extract<Entry, { is: 'result' }>): void {
    const { number } = this.#numbers.of(seq);
    const command = this.#local.get(seq);
    const stamp = { seconds: Math.floor(this.#log.at / 1_000), nanos: (this.#log.at % 1_000) * 1_000_000 };
    const data = {
      seq: number,
      attempt: 1,
      activity_id: String(number),
      activity_type: command?.do === 'local' ? command.name : '',
      complete_time: stamp,
      backoff: null,
      original_schedule_time: stamp,
    };
    const told = { data: payloads(data) };
    const end = 'error' in outcome ? { failure: failureOf(outcome.error) } : {};
    const details = 'error' in outcome ? told : { ...told, result: allOf([outcome.value]) };
    this.#log.write('MARKER_RECORDED', {
      markerName: 'core_local_activity',
      details,
      ...end,
      ...this.#completed,
    });
  }

  #says(said: Said, isNothing: (seq: number) => boolean): void {
    switch (said.is) {
      case 'command':
        return this.#begins(said.seq, said.command, isNothing(said.seq));
      case 'cancel':
        return isNothing(said.seq) ? undefined : this.#cancels(said.seq);
      case 'index': {
        const searchAttributes = indexedBy(said.index.site, said.index.phase);
        if (JSON.stringify(searchAttributes) === this.#index) return;
        this.#index = JSON.stringify(searchAttributes);
        return void this.#log.write('UPSERT_WORKFLOW_SEARCH_ATTRIBUTES', {
          searchAttributes,
          ...this.#completed,
        });
      }
      case 'patch':
        return this.#patches(said.id);
      case 'accept':
        return this.#accepts(said.update);
      case 'answer':
        return this.#replies(said.update, said.outcome);
    }
  }

  #patches(id: string): void {
    const details = { 'patch-data': payloads({ id, deprecated: false }) };
    this.#log.write('MARKER_RECORDED', { markerName: 'core_patch', details, ...this.#completed });
    this.#log.write('UPSERT_WORKFLOW_SEARCH_ATTRIBUTES', {
      searchAttributes: { indexedFields: { TemporalChangeVersion: keywords([id]) } },
      ...this.#completed,
    });
  }

  #begins(seq: number, command: Command, isNothing: boolean): void {
    const number = this.#numbers.note(seq, command);
    if (command.do === 'local') return void this.#local.set(seq, command);
    if (!isNothing) this.#begun.set(seq, { command, eventId: this.#begin(command, String(number)) });
  }

  #begin(command: Command, number: string): string {
    if (command.do === 'wait')
      return this.#log.write('TIMER_STARTED', {
        timerId: number,
        startToFireTimeout: `${Math.max(1, command.ms) / 1_000}s`,
        ...this.#completed,
      });
    return this.#log.write('ACTIVITY_TASK_SCHEDULED', {
      activityId: number,
      activityType: { name: command.name },
      taskQueue: {
        name: command.do === 'agent' ? agentQueue(command.cluster) : HUB_QUEUE,
        kind: 'TASK_QUEUE_KIND_NORMAL',
      },
      input: allOf(command.given),
      startToCloseTimeout: '30s',
      ...this.#completed,
    });
  }

  #cancels(seq: number): void {
    const begun = this.#begun.get(seq);
    if (begun === undefined) throw new Error(`${seq} is given up and never began`);
    const { what, number } = this.#numbers.of(seq);
    if (what === 'timer') this.#begun.delete(seq);
    if (what === 'activity')
      this.#log.write('ACTIVITY_TASK_CANCEL_REQUESTED', {
        scheduledEventId: begun.eventId,
        ...this.#completed,
      });
    else
      this.#log.write('TIMER_CANCELED', {
        timerId: String(number),
        startedEventId: begun.eventId,
        ...this.#completed,
      });
  }

  #accepts(update: Update): void {
    const updateId = `update-${this.#accepted.size + 1}`;
    const eventId = this.#log.write('WORKFLOW_EXECUTION_UPDATE_ACCEPTED', {
      protocolInstanceId: updateId,
      acceptedRequestMessageId: `${updateId}/request`,
      acceptedRequestSequencingEventId: this.#started,
      acceptedRequest: {
        meta: { updateId, identity: 'test' },
        input: { name: update.name, args: allOf(update.given) },
      },
    });
    this.#accepted.set(update, { updateId, eventId });
  }

  #replies(update: Update, outcome: Outcome): void {
    const { updateId, eventId } = this.#accepted.get(update) ?? {};
    const answer =
      'error' in outcome ? { failure: failureOf(outcome.error) } : { success: allOf([outcome.value]) };
    this.#log.write('WORKFLOW_EXECUTION_UPDATE_COMPLETED', {
      meta: { updateId, identity: 'test' },
      acceptedEventId: eventId,
      outcome: answer,
    });
  }

  #ends(end: End): void {
    if ('error' in end)
      this.#log.write('WORKFLOW_EXECUTION_FAILED', { failure: failureOf(end.error), ...this.#completed });
    else if (end.is === 'done')
      this.#log.write('WORKFLOW_EXECUTION_COMPLETED', { result: allOf([end.value]), ...this.#completed });
    else
      this.#log.write('WORKFLOW_EXECUTION_CONTINUED_AS_NEW', {
        newExecutionRunId: 'next',
        input: allOf([end.value]),
        ...this.#completed,
      });
  }
}

function indexedBy(site: string, phase: string): Json {
  return { indexedFields: { [CAPP_SITE]: keyword(site), [CAPP_PHASE]: keyword(phase) } };
}
