// What is sent: a body in one of two shapes, and the headers that sign it. Pure.
import { createHmac } from 'node:crypto';
import { NOTIFICATION, type Format, type QueuedMessage } from '../../crds/notify/notification.ts';

export interface MessageSender {
  /** The Notification. */
  readonly namespace: string;
  readonly name: string;
  /** A URI-reference that says which hub it is, as CloudEvents' `source` wants it. */
  readonly source: string;
}

export interface PostRequest {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The group of our kinds, as the types of CloudEvents have it. */
const TYPE_PREFIX = NOTIFICATION.apiVersion.split('/')[0]?.split('.').toReversed().join('.') ?? '';

/**
 * `now` is in milliseconds since the epoch. The body of a repeat is the same; its time and signature are not.
 */
export function requestOf(
  message: QueuedMessage,
  { format, keys }: { readonly format: Format; readonly keys: readonly Buffer[] },
  sender: MessageSender,
  now: number,
): PostRequest {
  const body = JSON.stringify(format === 'Slack' ? slackOf(message) : cloudEventOf(message, sender));
  const type = format === 'Slack' ? 'application/json' : 'application/cloudevents+json';
  return {
    body,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'cappstan-notifier',
      ...signed({ id: message.id, body, keys }, Math.floor(now / 1000)),
    },
  };
}

/**
 * The headers of Standard Webhooks (github.com/standard-webhooks/standard-webhooks, spec 1.0.0): the
 * signature is over `<id>.<seconds>.<body>`, one for each key.
 */
export function signed(
  { id, body, keys }: { readonly id: string; readonly body: string; readonly keys: readonly Buffer[] },
  seconds: number,
): Readonly<Record<string, string>> {
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    ...(signatures.length === 0 ? {} : { 'webhook-signature': signatures.join(' ') }),
  };
}

/**
 * A text, and nothing that Slack would follow or address: the three characters that it gives a meaning are
 * escaped (api.slack.com, "Escaping text"), and it is told not to format or unfurl.
 */
function slackOf({ id, topic, text }: QueuedMessage): object {
  const whole = `${topic}: ${text}\n(${id})`;
  const escaped = whole.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { text: escaped, mrkdwn: false, unfurl_links: false, unfurl_media: false };
}

/** CloudEvents 1.0.2, structured mode, with JSON. */
function cloudEventOf(message: QueuedMessage, { namespace, name, source }: MessageSender): object {
  const { id, topic, text, at, reason, kind } = message;
  const subject = [kind, message.namespace, message.name].filter((one) => one !== undefined).join('/');
  const about = kind === undefined ? {} : { kind, namespace: message.namespace, name: message.name };
  return {
    specversion: '1.0',
    id,
    source,
    type: `${TYPE_PREFIX}.${topic}`,
    time: at,
    ...(subject === '' ? {} : { subject }),
    datacontenttype: 'application/json',
    data: { topic, text, reason, ...about, notification: `${namespace}/${name}` },
  };
}
