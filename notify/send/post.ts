// Sends one message: over TLS, to an address that is allowed, without following anywhere.
import { lookup, type LookupAddress } from 'node:dns';
import { request, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates, type TLSSocket } from 'node:tls';
import type { NotificationReason } from '../../crds/notify/notification.ts';
import { isAllowedAddress } from '../target/addresses.ts';
import type { MessageTarget } from '../target/target.ts';
import { NOTIFIER_TIMES } from '../times.ts';
import type { PostRequest } from './request.ts';
import { bareHost } from '../../kube/http/bare-host.ts';

export type PostOutcome =
  | { readonly delivered: true }
  | {
      readonly delivered: false;
      readonly reason: NotificationReason;
      /** A sentence without a word of the receiver, its name or its address. */
      readonly message: string;
      /** The receiver refuses this message, whenever it comes. */
      readonly isFinal: boolean;
      /** How long it asked to be left alone, in milliseconds; null if it did not. */
      readonly retryAfterMs: number | null;
    };

export interface PostOptions {
  /** Further authorities (PEM), beside those that everybody trusts. */
  readonly authorities?: string;
  /** In place of the system's resolver. */
  readonly resolve?: ResolveReceiver;
  readonly timeoutMs?: number;
}

export type ResolveReceiver = (
  host: string,
  callback: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** An address was found, and none that is allowed. */
class NotAllowed extends Error {}

/** That an answer is to come (1xx), before it has to come. */
const MOST_HINTS = 16;

const systemResolve: ResolveReceiver = (host, callback) => lookup(host, { all: true }, callback);

/**
 * Never rejects. The body leaves only when the other end of the connection is an allowed address, whatever
 * names resolved to before. The body of the answer is not read.
 */
export function post(
  { url, privateAddresses }: MessageTarget,
  { body, headers }: PostRequest,
  options: PostOptions = {},
): Promise<PostOutcome> {
  const { authorities, resolve: find = systemResolve, timeoutMs = NOTIFIER_TIMES.send.ms } = options;
  const isAllowed = (address: string): boolean => isAllowedAddress(address, privateAddresses);
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0 && !isAllowed(host)) return Promise.resolve(failure(new NotAllowed()));
  const how: RequestOptions = {
    method: 'POST',
    headers,
    agent: false,
    lookup: allowedOnly(find, isAllowed),
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(authorities === undefined ? {} : { ca: [...rootCertificates, authorities] }),
    signal: AbortSignal.timeout(timeoutMs),
  };
  return new Promise((resolve) => {
    const sending = request(url, how, (answer) => {
      resolve(outcomeOf(answer.statusCode ?? 0, answer.headers['retry-after']));
      answer.destroy();
    });
    sending.on('error', (error) => resolve(failure(error)));
    let hints = 0;
    sending.on('information', () => {
      hints += 1;
      if (hints > MOST_HINTS) sending.destroy();
    });
    // An answer that changes the protocol (101) closes the connection without an answer and without an error.
    sending.on('close', () => resolve(failure(new Error('closed'))));
    sending.once('socket', (socket) => {
      socket.once('secureConnect', () => {
        const { remoteAddress = '' } = socket as TLSSocket;
        if (isAllowed(remoteAddress)) sending.end(body);
        else sending.destroy(new NotAllowed());
      });
    });
  });
}

/** Only what is allowed is connected to; Node asks for one address or for all. */
function allowedOnly(find: ResolveReceiver, isAllowed: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    find(host, (error, addresses) => {
      const [first, ...more] = addresses?.filter(({ address }) => isAllowed(address)) ?? [];
      if (error !== null) callback(error, '', 0);
      else if (first === undefined) callback(new NotAllowed(), '', 0);
      else if (options.all === true) callback(null, [first, ...more]);
      else callback(null, first.address, first.family);
    });
  };
}

/** What is wrong with this message will be wrong with it again; the next one may be taken. */
const REFUSED = new Set([400, 411, 413, 415, 422]);
/** The address or the key may be wrong, or the receiver is being set up. */
const MISDIRECTED = new Set([401, 403, 404, 405, 410]);

function outcomeOf(status: number, retryAfter: string | undefined): PostOutcome {
  if (status >= 200 && status < 300) return { delivered: true };
  const retryAfterMs = askedBy(retryAfter);
  if (status >= 300 && status < 400)
    return failed(
      'Redirected',
      `the receiver answered ${status}, which leads elsewhere, and the notifier does not follow: put the address to which it leads into the Secret, and have its host listed`,
      { retryAfterMs },
    );
  const help = REFUSED.has(status)
    ? 'check that spec.format is what the receiver takes'
    : MISDIRECTED.has(status)
      ? 'check that the address and the key in the Secret are those that the receiver knows'
      : 'it is tried again';
  return failed('Refused', `the receiver answered ${status}: ${help}`, {
    isFinal: REFUSED.has(status),
    retryAfterMs,
  });
}

/** Seconds alone count: a date would trust the receiver's clock. */
function askedBy(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,6}$/.test(text)) return null;
  return Math.min(Number(text) * 1000, NOTIFIER_TIMES.retryAsked.ms);
}

/** The error itself is not repeated: it can name the host, the address, or what a certificate says. */
function failure(error: Error & { readonly code?: string }): PostOutcome {
  const { code = '' } = error;
  if (error instanceof NotAllowed)
    return failed(
      'AddressNotAllowed',
      'the host has no public address: correct the Secret, or have whoever runs the hub list its network in privateAddresses of the host in spec.notifications.hosts of the RCSConfig',
    );
  if (error.name === 'AbortError' || error.name === 'TimeoutError' || code === 'ETIMEDOUT')
    return failed(
      'TimedOut',
      `the receiver did not answer within ${NOTIFIER_TIMES.send.ms / 1000} s: it is tried again`,
    );
  if (/CERT|ALTNAME|SELF_SIGNED|UNABLE_TO_|^ERR_TLS|^ERR_SSL|EPROTO/.test(code))
    return failed(
      'CertificateInvalid',
      'the receiver has no certificate for its name by an authority that is trusted, or does not speak TLS: renew it there, or have whoever runs the hub add its authority (notifications.authorities.secretName of the chart)',
    );
  const how = code === 'ENOTFOUND' ? 'its name was not found' : 'the connection failed or was closed';
  return failed('Unreachable', `the receiver could not be reached, ${how}: it is tried again`);
}

function failed(
  reason: NotificationReason,
  message: string,
  {
    isFinal = false,
    retryAfterMs = null,
  }: { readonly isFinal?: boolean; readonly retryAfterMs?: number | null } = {},
): PostOutcome {
  return { delivered: false, reason, message, isFinal, retryAfterMs };
}
