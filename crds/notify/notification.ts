// The Notification: where people want to be told what they must know. One in a namespace tells of that
// namespace, one in the namespace of the release of the whole hub.
import { z } from 'zod';
import type { ObjectMeta } from '../../kube/resource.ts';
import { Condition } from '../capp/conditions.ts';

export const NOTIFICATION = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'Notification',
  plural: 'notifications',
  namespaced: true,
} as const;

/** The only Secret of a namespace that the notifier may read, where a RoleBinding lets it. */
export const NOTIFICATIONS_SECRET = 'cappstan-notifications';
/** The ClusterRole that such a RoleBinding names. */
export const SECRET_ROLE = 'cappstan-notifier-secret';
export const NOTIFIER_ACCOUNT = 'cappstan-notifier';

/** `Slack`: one text, as Slack's incoming webhooks take it. `CloudEvents`: CloudEvents 1.0, structured. */
export const FORMATS = ['Slack', 'CloudEvents'] as const;
export type Format = (typeof FORMATS)[number];

export const TOPICS = [
  'ApprovalAwaited',
  'RolloutHeld',
  'AppMoved',
  'AppStuck',
  'SiteLost',
  // Of the whole hub alone.
  'DrainEnded',
] as const;
export type Topic = (typeof TOPICS)[number];

/** Beside the topics, what a message may be about: the Notification itself, or several topics at once. */
export const MESSAGE_TOPICS = [...TOPICS, 'Begun', 'Several', 'TooMany'] as const;
export type MessageTopic = (typeof MESSAGE_TOPICS)[number];

/** `Ready`: it can send. `Delivered`: the receiver took the last message. */
export const NOTIFICATION_CONDITION_TYPES = ['Ready', 'Delivered'] as const;
export type NotificationConditionType = (typeof NOTIFICATION_CONDITION_TYPES)[number];

/** Every reason that a condition of a Notification may carry. */
export const NOTIFICATION_REASONS = [
  // Ready
  'Configured',
  'SecretForbidden',
  'SecretMissing',
  'UrlMissing',
  'UrlInvalid',
  'HostNotListed',
  'KeyMissing',
  'KeyInvalid',
  'TooManyInNamespace',
  // Delivered
  'Accepted',
  'NothingSent',
  'Redirected',
  'Refused',
  'Unreachable',
  'CertificateInvalid',
  'TimedOut',
  'AddressNotAllowed',
] as const;
export type NotificationReason = (typeof NOTIFICATION_REASONS)[number];

/** So many Notifications of a namespace count: the oldest. */
export const MOST_IN_NAMESPACE = 5;
/** Messages that wait; what comes after waits where it was seen. */
export const MOST_QUEUED = 20;
/** So many happenings are remembered as told. */
export const MOST_TOLD = 5_000;
/** Bytes of the text of one message. */
export const LONGEST_TEXT = 4_096;
const LONGEST_NAME = 63;

export const NOTIFICATION_RULES = [
  {
    rule: `self.metadata.name.size() <= ${LONGEST_NAME}`,
    message: `metadata.name must have at most ${LONGEST_NAME} characters, since the keys of Secret ${NOTIFICATIONS_SECRET} begin with it: choose a shorter one`,
  },
];

export const NotificationSpec = z.object({
  format: z
    .enum(FORMATS)
    .describe(
      'Slack: a JSON object with one text, as incoming webhooks of Slack take it. CloudEvents: a CloudEvent 1.0 in structured mode.',
    ),
  topics: z
    .array(z.enum(TOPICS))
    .min(1)
    .max(TOPICS.length)
    .meta({ 'x-kubernetes-list-type': 'set' })
    .describe('What is told. Absent: all topics. DrainEnded is told of the whole hub alone.')
    .exactOptional(),
});
export type NotificationSpec = z.infer<typeof NotificationSpec>;

const time = () => z.iso.datetime({ offset: true });

const QueuedMessage = z.object({
  id: z.string().describe('A repeat has the same id.'),
  topic: z.enum(MESSAGE_TOPICS),
  text: z.string(),
  at: time().describe('When it happened.'),
  queuedAt: time(),
  reason: z.string().exactOptional(),
  kind: z.string().exactOptional(),
  namespace: z.string().exactOptional(),
  name: z.string().exactOptional(),
});
export type QueuedMessage = z.infer<typeof QueuedMessage>;

export const NotificationStatus = z.object({
  observedGeneration: z.int().exactOptional(),
  lastDelivered: time().describe('When the receiver last took a message.').exactOptional(),
  givenUp: z
    .int()
    .min(0)
    .describe('Messages that were given up, since the receiver did not take them in time.')
    .exactOptional(),
  waiting: z.int().min(0).describe('Messages that wait for the receiver.').exactOptional(),
  queue: z
    .array(QueuedMessage)
    .max(MOST_QUEUED)
    .describe('The messages that wait, the next one first.')
    .exactOptional(),
  told: z
    .array(z.string())
    .max(MOST_TOLD)
    .describe('What has been put into the queue, by a hash each: it is not told again.')
    .exactOptional(),
  conditions: z
    .array(Condition)
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
    .exactOptional(),
});
export type NotificationStatus = z.infer<typeof NotificationStatus>;

export interface Notification {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: NotificationSpec;
  readonly status?: NotificationStatus;
}
