// The events of a history, one after the other, and the turns that a worker takes between them.
import { HUB_QUEUE } from '../../../workflows/names.ts';
import { NOW } from '../builders/states.ts';
import type { Json } from './payloads.ts';

export type Event = Record<string, unknown>;

/** In the JSON form of Temporal's histories. */
export class Turns {
  readonly events: Event[] = [];
  #time = NOW;
  /** The event that asked for a turn which has not begun. */
  #asked: number | null = null;
  /** While the commands of a turn are written, the event that completed it; 0 otherwise. */
  #completed = 0;

  /** Everything so far is as in that history. */
  goOnFrom(events: readonly Event[]): void {
    this.events.splice(0, this.events.length, ...events);
    this.#time = Date.parse(String(events.at(-1)?.['eventTime']));
    this.#asked = null;
  }

  /** The time now, as Temporal's markers write it. */
  stamp(): Json {
    return { seconds: Math.floor(this.#time / 1000), nanos: (this.#time % 1000) * 1_000_000 };
  }

  pass(milliseconds: number): void {
    this.#time += milliseconds;
  }

  /** Adds an event, a millisecond after the last, and gives its id. */
  write(type: string, attributes: Json): number {
    const eventId = this.events.length + 1;
    this.#time += 1;
    const isCommand = this.#completed > 0 ? { workflowTaskCompletedEventId: String(this.#completed) } : {};
    const eventTime = new Date(this.#time).toISOString();
    this.events.push({
      eventId: String(eventId),
      eventTime,
      eventType: `EVENT_TYPE_${type}`,
      [attributesName(type)]: { ...attributes, ...isCommand },
    });
    return eventId;
  }

  /** A turn is to be taken. Asked for twice, it is one. */
  ask(): number {
    this.#asked ??= this.write('WORKFLOW_TASK_SCHEDULED', {
      taskQueue: { name: HUB_QUEUE },
      startToCloseTimeout: '10s',
      attempt: 1,
    });
    return this.#asked;
  }

  /** Takes the turn, and writes what the workflow answers it with. */
  take(commands: () => void, suggestContinueAsNew: boolean): void {
    const scheduledEventId = String(this.ask());
    const started = this.write('WORKFLOW_TASK_STARTED', {
      scheduledEventId,
      suggestContinueAsNew,
      historySizeBytes: '1',
    });
    const sdkMetadata = {
      coreUsedFlags: [1, 2, 3],
      langUsedFlags: [2],
      sdkName: 'temporal-typescript',
      sdkVersion: '1.24.0',
    };
    this.#asked = null;
    this.#completed = this.write('WORKFLOW_TASK_COMPLETED', {
      scheduledEventId,
      startedEventId: String(started),
      sdkMetadata,
    });
    commands();
    this.#completed = 0;
  }
}

export function attributesOf(event: Event): Event {
  return event[attributesName(String(event['eventType']).replace('EVENT_TYPE_', ''))] as Event;
}

/** `WORKFLOW_TASK_STARTED` → `workflowTaskStartedEventAttributes`. */
function attributesName(type: string): string {
  const camel = type.toLowerCase().replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
  return `${camel}EventAttributes`;
}
