// Where a Notification sends and how it signs, by its Secret and the hosts that the RCSConfig lists; or what
// is wrong, in a sentence without a value of the Secret. Pure.
import type { NotifiedHost } from '../../crds/hub/rcs-config.ts';
import type { Secret } from '../../crds/kubernetes/core.ts';
import {
  NOTIFICATIONS_SECRET,
  type Format,
  type NotificationReason,
} from '../../crds/notify/notification.ts';

export interface MessageTarget {
  /** https. Never to be logged or quoted. */
  readonly url: URL;
  /** The first signs first; a receiver accepts any. None: nothing is signed. */
  readonly keys: readonly Buffer[];
  /** Networks in which its address may be although they are not public. */
  readonly privateAddresses: readonly string[];
}

export interface TargetFault {
  readonly reason: NotificationReason;
  readonly message: string;
}

export type FoundTarget = { readonly target: MessageTarget } | { readonly fault: TargetFault };

export interface TargetWanted {
  readonly namespace: string;
  readonly name: string;
  readonly format: Format;
  readonly hosts: readonly NotifiedHost[];
  /** namespace/name of the RCSConfig. */
  readonly config: string;
}

const MOST_KEYS = 3;
/** Bytes of a key, as Standard Webhooks has it. */
const KEY_BYTES = { least: 24, most: 64 } as const;
const LONGEST_URL = 2_048;
const HTTPS_PORT = 443;

export function targetOf(secret: Secret, asked: TargetWanted): FoundTarget {
  const { name, hosts } = asked;
  const text = valueOf(secret, `${name}.url`);
  if (text === '')
    return fault(
      'UrlMissing',
      `${at(asked)} has no key ${name}.url: put the address there to which messages are sent, beginning with https://`,
    );
  const url = urlOf(text);
  if (url === null)
    return fault(
      'UrlInvalid',
      `${name}.url in ${at(asked)} must be one address that begins with https://, without a user, a password and a part after #: correct it there`,
    );
  const host = hosts.find((one) => one.host === url.hostname && (one.port ?? HTTPS_PORT) === portOf(url));
  if (host === undefined)
    return fault(
      'HostNotListed',
      `the host and port of ${name}.url in ${at(asked)} are not among spec.notifications.hosts of RCSConfig ${asked.config}: have whoever runs the hub list them there`,
    );
  const { keys, problem } = keysOf(secret, asked);
  return problem === null
    ? { target: { url, keys, privateAddresses: host.privateAddresses ?? [] } }
    : { fault: problem };
}

export function forbidden(
  namespace: string,
  account: { readonly namespace: string; readonly name: string },
): TargetFault {
  const command = `kubectl -n ${namespace} create rolebinding ${account.name} --clusterrole=cappstan-notifier-secret --serviceaccount=${account.namespace}:${account.name}`;
  return {
    reason: 'SecretForbidden',
    message: `the notifier may not read Secret ${NOTIFICATIONS_SECRET} of this namespace, and no other: have an admin of the namespace run: ${command}`,
  };
}

export function missing({ namespace, name }: Pick<TargetWanted, 'namespace' | 'name'>): TargetFault {
  const command = `kubectl -n ${namespace} create secret generic ${NOTIFICATIONS_SECRET} --from-file=${name}.url=<file>`;
  return {
    reason: 'SecretMissing',
    message: `there is no Secret ${NOTIFICATIONS_SECRET} in this namespace: make it, with the address in the key ${name}.url: ${command}`,
  };
}

function at({ namespace }: TargetWanted): string {
  return `Secret ${namespace}/${NOTIFICATIONS_SECRET}`;
}

function fault(reason: NotificationReason, message: string): FoundTarget {
  return { fault: { reason, message } };
}

function valueOf({ data = {} }: Secret, key: string): string {
  return Buffer.from(data[key] ?? '', 'base64')
    .toString('utf8')
    .trim();
}

/** Node's own reader of addresses lets much pass, so that a host is compared as it will be connected to. */
function urlOf(text: string): URL | null {
  if (text.length > LONGEST_URL || !/^https:\/\/[\x21-\x7e]+$/i.test(text) || !URL.canParse(text))
    return null;
  const url = new URL(text);
  const isPlain = url.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === '';
  return isPlain && url.hostname !== '' ? url : null;
}

function portOf({ port }: URL): number {
  return port === '' ? HTTPS_PORT : Number(port);
}

function keysOf(
  secret: Secret,
  asked: TargetWanted,
): { readonly keys: readonly Buffer[]; readonly problem: TargetFault | null } {
  const { name, format } = asked;
  const texts = valueOf(secret, `${name}.key`)
    .split(/\s+/)
    .filter((one) => one !== '');
  const how = `whsec_ and the base64 of ${KEY_BYTES.least} to ${KEY_BYTES.most} random bytes: echo "whsec_$(openssl rand -base64 32)"`;
  if (texts.length === 0 && format === 'CloudEvents')
    return {
      keys: [],
      problem: {
        reason: 'KeyMissing',
        message: `${at(asked)} has no key ${name}.key, by which a receiver of CloudEvents knows us: put there ${how}`,
      },
    };
  const keys = texts.map(keyOf).filter((one) => one !== null);
  const isGood = keys.length === texts.length && keys.length <= MOST_KEYS;
  const message = `${name}.key in ${at(asked)} must be ${how}; or up to ${MOST_KEYS} of these, a line each, the newest first`;
  return { keys, problem: isGood ? null : { reason: 'KeyInvalid', message } };
}

function keyOf(text: string): Buffer | null {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1];
  if (encoded === undefined) return null;
  const key = Buffer.from(encoded, 'base64');
  return key.length >= KEY_BYTES.least && key.length <= KEY_BYTES.most ? key : null;
}
