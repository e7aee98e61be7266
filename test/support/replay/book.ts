// A builder of histories by hand: what came in, and the commands that the workflow must have answered with,
// turn by turn.
import { CAPP_PHASE, CAPP_SITE, FIRST_PHASE, HUB_QUEUE, NO_SITE } from '../../../workflows/names.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import type { Agent } from '../../../workflows/ports/agent.ts';
import type { Cause } from '../../../workflows/types/ring.ts';
import type { TurnRequest, Settled } from '../../../workflows/types/turns.ts';
import { keyword, payloads, type Json } from './payloads.ts';
import { attributesOf, Turns, type Event } from './turns.ts';

type Activities = Hub & Agent;
export type Name = keyof Activities;
export type Result<N extends Name> = Awaited<ReturnType<Activities[N]>>;

/** What a turn of the workflow answers with, in the order in which it says so. */
export type Command = (book: Book) => void;

export interface Written {
  readonly type: string;
  /** Done, in the JSON form of Temporal's histories. */
  readonly events: readonly Event[];
}

/** Written from front to back; every method says one thing that happened. */
export class Book implements Written {
  readonly type: string;
  readonly running: { readonly name: Name; readonly scheduled: number }[] = [];
  readonly waiting: { timerId: string; started: number }[] = [];
  readonly signalling: { initiated: number; workflowId: string }[] = [];
  timers = 0;
  resync: { timerId: string; started: number } | null = null;
  isOpen = true;
  #activities = 0;
  readonly #turns = new Turns();

  constructor(type: string, input: unknown, workflowId = type) {
    this.type = type;
    this.write('WORKFLOW_EXECUTION_STARTED', {
      workflowType: { name: type },
      taskQueue: { name: HUB_QUEUE },
      input: payloads(input),
      originalExecutionRunId: 'run',
      firstExecutionRunId: 'run',
      attempt: 1,
      workflowTaskTimeout: '10s',
      searchAttributes: {
        indexedFields: { [CAPP_SITE]: keyword(NO_SITE), [CAPP_PHASE]: keyword(FIRST_PHASE) },
      },
      workflowId,
    });
    this.#ask();
  }

  get events(): readonly Event[] {
    return this.#turns.events;
  }

  /** Everything so far is as in that history. */
  goesOnFrom(events: readonly Event[]): this {
    this.#turns.goOnFrom(events);
    const of = (type: string): Event[] =>
      events.filter(({ eventType }) => eventType === `EVENT_TYPE_${type}`);
    const ended = [...of('TIMER_FIRED'), ...of('TIMER_CANCELED')];
    const over = new Set(ended.map((event) => attributesOf(event)['timerId']));
    const timers = of('TIMER_STARTED');
    this.timers = timers.length;
    const standing = timers
      .map((event) => ({
        timerId: String(attributesOf(event)['timerId']),
        started: Number(event['eventId']),
      }))
      .filter(({ timerId }) => !over.has(timerId));
    this.waiting.splice(0, Infinity, ...standing);
    this.#activities = of('MARKER_RECORDED').length + of('ACTIVITY_TASK_SCHEDULED').length;
    return this;
  }

  /** The bridge or an agent rings. */
  ring(...causes: Cause[]): this {
    return this.#heard('ring', { causes, minimumVersions: {} });
  }

  inventory(...entries: readonly Json[]): this {
    return this.#heard('audit', { entries, after: null, upTo: null });
  }

  requestTurn(request: TurnRequest): this {
    return this.#heard('requestTurn', request);
  }

  settled(news: Settled): this {
    return this.#heard('settled', news);
  }

  /** A person says something that needs no words. */
  says(what: 'pause' | 'resume' | 'stop' | 'evacuate' | 'drainChanged'): this {
    return this.#heard(what, null);
  }

  /** An activity under way gives its result. */
  answers<N extends Name>(name: N, result: Result<N>): this {
    const { startedEventId, scheduledEventId } = this.#attempt(name);
    this.write('ACTIVITY_TASK_COMPLETED', {
      result: payloads(result ?? null),
      scheduledEventId,
      startedEventId,
    });
    return this.#ask();
  }

  /** An activity under way fails for good. */
  fails(name: Name, type: string): this {
    const { startedEventId, scheduledEventId } = this.#attempt(name);
    const failure = { message: `${name} was refused`, applicationFailureInfo: { type, nonRetryable: true } };
    this.write('ACTIVITY_TASK_FAILED', {
      failure,
      scheduledEventId,
      startedEventId,
      retryState: 'RETRY_STATE_NON_RETRYABLE_FAILURE',
    });
    return this.#ask();
  }

  /** Nobody polls the queue of an activity. */
  findsNobody(name: Name): this {
    const scheduled = this.takeActivity(name);
    const failure = {
      message: 'activity ScheduleToStart timeout',
      timeoutFailureInfo: { timeoutType: 'TIMEOUT_TYPE_SCHEDULE_TO_START' },
    };
    this.write('ACTIVITY_TASK_TIMED_OUT', {
      failure,
      scheduledEventId: String(scheduled),
      startedEventId: '0',
      retryState: 'RETRY_STATE_NON_RETRYABLE_FAILURE',
    });
    return this.#ask();
  }

  /** Time passes until the timer begun last fires, or by `milliseconds` if that is given. */
  fires(milliseconds: number): this {
    this.#turns.pass(milliseconds);
    const { timerId, started } = this.lastTimer();
    this.write('TIMER_FIRED', { timerId, startedEventId: String(started) });
    return this.#ask();
  }

  /** A day has passed. */
  resyncs(): this {
    if (this.resync === null) throw new Error('the daily timer has not begun');
    this.waiting.push(this.resync);
    return this.fires(24 * 3_600_000);
  }

  /** The rings that the workflow sent were delivered. */
  delivered(): this {
    for (const { initiated, workflowId } of this.signalling.splice(0)) {
      this.write('EXTERNAL_WORKFLOW_EXECUTION_SIGNALED', {
        initiatedEventId: String(initiated),
        workflowExecution: { workflowId },
      });
    }
    return this.#ask();
  }

  /** The workflow takes a turn, and these are its commands. */
  turn(...commands: readonly Command[]): this {
    return this.#turn(commands, false);
  }

  /** The same, told by the server that its history has grown long. */
  longTurn(...commands: readonly Command[]): this {
    return this.#turn(commands, true);
  }

  nextActivity(_name: Name): number {
    this.#activities += 1;
    return this.#activities;
  }

  takeActivity(name: Name): number {
    const index = this.running.findIndex((one) => one.name === name);
    const [found] = index < 0 ? [] : this.running.splice(index, 1);
    if (found === undefined) throw new Error(`${name} is not under way`);
    return found.scheduled;
  }

  lastTimer(): { timerId: string; started: number } {
    const found = this.waiting.pop();
    if (found === undefined) throw new Error('no timer is under way');
    return found;
  }

  stamp(): Json {
    return this.#turns.stamp();
  }

  /** Adds an event, a millisecond after the last, and gives its id. */
  write(type: string, attributes: Json): number {
    return this.#turns.write(type, attributes);
  }

  #heard(signalName: string, payload: unknown): this {
    this.write('WORKFLOW_EXECUTION_SIGNALED', { signalName, input: payloads(payload) });
    return this.#ask();
  }

  #attempt(name: Name): { startedEventId: string; scheduledEventId: string } {
    const scheduledEventId = String(this.takeActivity(name));
    return {
      scheduledEventId,
      startedEventId: String(this.write('ACTIVITY_TASK_STARTED', { scheduledEventId, attempt: 1 })),
    };
  }

  #ask(): this {
    this.#turns.ask();
    return this;
  }

  #turn(commands: readonly Command[], suggestContinueAsNew: boolean): this {
    this.#turns.take(() => commands.forEach((command) => command(this)), suggestContinueAsNew);
    return this;
  }
}
