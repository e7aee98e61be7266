// One try to send: over TLS to an allowed address, following nowhere, and saying nothing of the receiver.
import type { LookupAddress } from 'node:dns';
import {
  startReceiver,
  RECEIVER,
  type Behavior,
  type Receiver,
} from '../../support/servers/network/receiver.ts';
import { post, type PostOptions, type ResolveReceiver } from '../../../notify/send/post.ts';

let receiver: Receiver;
let other: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  other = await startReceiver(['other.test']);
});
afterAll(() => Promise.all([receiver?.stop(), other?.stop()]));
beforeEach(() => {
  receiver.behave(200);
  receiver.received.length = 0;
});

const LOOPBACK = ['127.0.0.0/8'];
const REQUEST = { body: '{"canary":1}', headers: { 'content-length': '12', 'webhook-id': 'msg_1' } };
const at = (...addresses: string[]): ResolveReceiver => {
  const found: LookupAddress[] = addresses.map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  return (_host, callback) => callback(null, found);
};
const target = (
  over: { readonly host?: string; readonly port?: number; readonly networks?: readonly string[] } = {},
) => ({
  url: new URL(`https://${over.host ?? RECEIVER}:${over.port ?? receiver.port}/hook/s3cret?token=s3cret`),
  keys: [],
  privateAddresses: over.networks ?? LOOPBACK,
});
const options = (more: PostOptions = {}): PostOptions => ({
  authorities: receiver.authority,
  resolve: at('127.0.0.1'),
  timeoutMs: 2_000,
  ...more,
});

test('a receiver that takes it gets path, headers and body', async () => {
  expect(await post(target(), REQUEST, options())).toEqual({ delivered: true });
  expect(receiver.received).toEqual([
    expect.objectContaining({ path: '/hook/s3cret?token=s3cret', body: REQUEST.body }),
  ]);
  expect(receiver.received[0]?.headers['webhook-id']).toBe('msg_1');
});

test.each<[string, Behavior, object]>([
  ['redirects', 'redirect', { reason: 'Redirected', isFinal: false }],
  ['closes in the middle of its answer', 'close', { reason: 'Unreachable', isFinal: false }],
  ['closes before it has read', 'drop', { reason: 'Unreachable', isFinal: false }],
  ['changes the protocol', 'upgrade', { reason: 'Unreachable', isFinal: false }],
  ['never answers', 'hang', { reason: 'TimedOut', isFinal: false }],
  ['fails', 503, { reason: 'Refused', isFinal: false }],
  ['does not know the address', 404, { reason: 'Refused', isFinal: false }],
  ['refuses the message', 400, { reason: 'Refused', isFinal: true }],
  ['asks to wait', { retryAfter: '30' }, { reason: 'Refused', retryAfterMs: 30_000 }],
  ['asks to wait for a year', { retryAfter: '999999' }, { retryAfterMs: 3_600_000 }],
  ['asks in another way', { retryAfter: 'Fri, 27 Nov 2099 00:00:00 GMT' }, { retryAfterMs: null }],
])('a receiver that %s has not taken it', async (_what, behavior, expected) => {
  receiver.behave(behavior);
  const outcome = await post(target(), REQUEST, options({ timeoutMs: 500 }));
  expect(outcome).toMatchObject({ delivered: false, ...expected });
  expect(receiver.received.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  expect(JSON.stringify(outcome)).not.toMatch(/s3cret|receiver\.test|127\.0\.0\.1|\/elsewhere/);
});

test.each<[string, Behavior, object]>([
  ['a body', 'endless', { delivered: true }],
  ['hints that an answer comes', 'hints', { delivered: false, reason: 'Unreachable' }],
  ['headers', 'headers', { delivered: false, reason: 'Unreachable' }],
])(
  'a receiver that sends %s without an end is left, and takes neither time nor memory',
  async (_what, behavior, expected) => {
    receiver.behave(behavior);
    const [before, cpu] = [process.memoryUsage().rss, process.cpuUsage()];
    expect(await post(target(), REQUEST, options({ timeoutMs: 1_000 }))).toMatchObject(expected);
    const { user, system } = process.cpuUsage(cpu);
    // The receiver runs in this process, too: both together take less than what would be a loop without an
    // end.
    expect((user + system) / 1_000).toBeLessThan(4_000);
    expect((process.memoryUsage().rss - before) / 1_048_576).toBeLessThan(128);
  },
);

test.each([
  ['loopback that is not listed', {}, at('127.0.0.1'), []],
  ['link-local', {}, at('169.254.169.254'), LOOPBACK],
  ['private, as IPv6 writes it', {}, at('::ffff:10.0.0.1'), LOOPBACK],
  ['loopback, as IPv6 writes it', {}, at('::ffff:7f00:1'), []],
  ['an address in place of a name', { host: '127.0.0.1' }, undefined, []],
  ['a number in place of a name', { host: '2130706433' }, undefined, []],
])('nothing is sent to %s', async (_what, over, resolve, networks) => {
  const before = receiver.connections();
  const outcome = await post(target({ ...over, networks }), REQUEST, {
    authorities: receiver.authority,
    ...(resolve === undefined ? {} : { resolve }),
  });
  expect(outcome).toMatchObject({ delivered: false, reason: 'AddressNotAllowed' });
  expect(receiver.connections()).toBe(before);
});

test('of several addresses only an allowed one is connected to', async () => {
  const mixed = options({ resolve: at('10.0.0.1', '169.254.169.254', '127.0.0.1') });
  expect(await post(target(), REQUEST, mixed)).toEqual({ delivered: true });
});

test('a name that resolves to another address the second time is judged by what is connected to', async () => {
  const asked: string[] = [];
  const resolve: ResolveReceiver = (_host, callback) => {
    asked.push('');
    callback(null, [{ address: asked.length === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }]);
  };
  const outcome = await post(target({ networks: ['127.0.0.2/32'] }), REQUEST, options({ resolve }));
  expect(outcome.delivered).toBe(false);
  expect(asked).toHaveLength(1);
  expect(receiver.received).toEqual([]);
});

test.each([
  ['for another name', () => ({ port: other.port }), () => other.authority],
  ['by an authority that nobody trusts', () => ({}), () => other.authority],
])('a certificate %s gets nothing', async (_what, over, authority) => {
  const outcome = await post(target(over()), REQUEST, options({ authorities: authority() }));
  expect(outcome).toMatchObject({ delivered: false, reason: 'CertificateInvalid' });
  expect(JSON.stringify(outcome)).not.toMatch(/receiver\.test|other\.test/);
});

test('a name that is not found, or a port where nobody listens, is tried again', async () => {
  const unknown: ResolveReceiver = (_host, callback) =>
    callback(Object.assign(new Error('getaddrinfo ENOTFOUND receiver.test'), { code: 'ENOTFOUND' }), []);
  const outcomes = [
    await post(target(), REQUEST, options({ resolve: unknown })),
    await post(target({ port: 1 }), REQUEST, options()),
  ];
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ delivered: false, reason: 'Unreachable', isFinal: false });
  expect(JSON.stringify(outcomes)).not.toContain(RECEIVER);
});
