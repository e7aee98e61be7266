// What a Notification's status says. Pure.
import type { Condition } from '../crds/capp/conditions.ts';
import { conditionSince } from '../crds/condition.ts';
import type {
  Notification,
  NotificationConditionType,
  NotificationReason,
  NotificationStatus,
} from '../crds/notify/notification.ts';
import type { NotifierMemory } from './memory.ts';

export interface NotificationSaid {
  readonly status: Condition['status'];
  readonly reason: NotificationReason;
  readonly message: string;
}

export interface Changes {
  readonly memory?: NotifierMemory;
  readonly ready?: NotificationSaid;
  readonly delivered?: NotificationSaid;
  /** RFC 3339. */
  readonly lastDelivered?: string;
  /** Messages that are given up now. */
  readonly givenUp?: number;
}

export const CONFIGURED: NotificationSaid = {
  status: 'True',
  reason: 'Configured',
  message: 'Messages can be sent.',
};
const NOTHING_SENT: NotificationSaid = {
  status: 'Unknown',
  reason: 'NothingSent',
  message: 'No message has been sent yet.',
};

export function memoryOf({ status }: Notification): NotifierMemory {
  return { told: status?.told ?? null, queue: status?.queue ?? [] };
}

export function conditionOf(
  { status }: Notification,
  type: NotificationConditionType,
): Condition | undefined {
  return status?.conditions?.find((one) => one.type === type);
}

/** The status with these changes; all else stays. `now` is in milliseconds since the epoch. */
export function changed(notification: Notification, changes: Changes, now: number): NotificationStatus {
  const before = notification.status ?? {};
  const { told, queue } = changes.memory ?? memoryOf(notification);
  const lastDelivered = changes.lastDelivered ?? before.lastDelivered;
  const givenUp = (before.givenUp ?? 0) + (changes.givenUp ?? 0);
  const { generation: observedGeneration = 0 } = notification.metadata;
  const at = new Date(now).toISOString();
  const said = (type: NotificationConditionType, one: NotificationSaid | undefined): Condition[] => {
    const known = before.conditions?.find((condition) => condition.type === type);
    if (one === undefined) return known === undefined ? [] : [known];
    return [conditionSince(before.conditions, { type, ...one, observedGeneration }, at)];
  };
  const isFirst = conditionOf(notification, 'Delivered') === undefined;
  return {
    observedGeneration,
    waiting: queue.length,
    ...(queue.length === 0 ? {} : { queue: [...queue] }),
    ...(told === null ? {} : { told: [...told] }),
    ...(lastDelivered === undefined ? {} : { lastDelivered }),
    ...(givenUp === 0 ? {} : { givenUp }),
    conditions: [
      ...said('Ready', changes.ready),
      ...said('Delivered', changes.delivered ?? (isFirst ? NOTHING_SENT : undefined)),
    ],
  };
}
