// Events of a history, one by one.
import { HUB_QUEUE } from '../../../workflows/names.ts';
import type { Json } from '../replay/payloads.ts';

type Event = Record<string, unknown>;

/** In the JSON form of Temporal's histories. */
export class Events {
  readonly events: Event[] = [];
  /** Of all that is written now, milliseconds since the epoch. */
  at = 0;

  /** `WORKFLOW_TASK_STARTED` is written as `workflowTaskStartedEventAttributes`. Gives the event's id. */
  write(type: string, attributes: Json): string {
    const camel = type.toLowerCase().replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
    const eventId = String(this.events.length + 1);
    const eventTime = new Date(this.at).toISOString();
    this.events.push({
      eventId,
      eventTime,
      eventType: `EVENT_TYPE_${type}`,
      [`${camel}EventAttributes`]: attributes,
    });
    return eventId;
  }

  /** A workflow task that a worker begins and completes. */
  workflowTask(suggestContinueAsNew: boolean): {
    readonly workflowTaskCompletedEventId: string;
    readonly startedEventId: string;
  } {
    const scheduledEventId = this.write('WORKFLOW_TASK_SCHEDULED', {
      taskQueue: { name: HUB_QUEUE },
      startToCloseTimeout: '10s',
      attempt: 1,
    });
    const startedEventId = this.write('WORKFLOW_TASK_STARTED', {
      scheduledEventId,
      suggestContinueAsNew,
      historySizeBytes: '1',
    });
    const sdkMetadata = {
      coreUsedFlags: [1, 2, 3],
      langUsedFlags: [1, 2],
      sdkName: 'temporal-typescript',
      sdkVersion: '1.24.0',
    };
    const workflowTaskCompletedEventId = this.write('WORKFLOW_TASK_COMPLETED', {
      scheduledEventId,
      startedEventId,
      sdkMetadata,
    });
    return { workflowTaskCompletedEventId, startedEventId };
  }
}
