// No call goes round the answer of the gateway, whatever its path, content type, timeout or body: on a real
// door, counted. What grpc-js answers by itself would not be among the calls that ended.
import { Server, status } from '@grpc/grpc-js';
import { leadUnknownCalls } from '../../../gateway/unknown-calls.ts';
import { framed } from '../../../testbed/gateway-bytes.ts';
import { bareDoor, headersOf, type BareDoor } from '../../support/testbeds/door/bare-door.ts';

const EMPTY = framed(Buffer.alloc(0));
const SITE = headersOf('site-1');

let door: BareDoor;
beforeAll(async () => {
  door = await bareDoor({});
});
afterAll(() => door?.stop());

test.each([
  ['a path of no service', '/temporal.server.api.adminservice.v1.AdminService/DescribeCluster', {}],
  ['a call that the service does not have', 'NoSuchCall', {}],
  ['a path that is none', '/', {}],
  ['the name under which the gateway keeps unknown calls', '/UnknownCall', {}],
  ['the content type of a browser', 'GetSystemInfo', { 'content-type': 'application/json' }],
  ['no content type', 'GetSystemInfo', { 'content-type': '' }],
  ['another verb', '/healthz', { ':method': 'PUT' }],
])('%s is refused as every other call is, and counted', async (_what, method, headers) => {
  const caller = await door.caller();
  const before = door.ended.length;
  expect(await caller.call(method, { ...SITE, ...headers }, EMPTY)).toBe(status.PERMISSION_DENIED);
  expect(door.ended.slice(before)).toMatchObject([
    { method: 'UnknownCall', cluster: 'site-1', refusal: { code: status.PERMISSION_DENIED } },
  ]);
});

test.each(['nonsense', '1n', '0S'])(
  'a timeout of %s does not shorten what the gateway does with a call',
  async (timeout) => {
    const caller = await door.caller();
    const before = door.ended.length;
    expect(await caller.call('GetSystemInfo', { ...SITE, 'grpc-timeout': timeout }, EMPTY)).toBe(status.OK);
    expect(await caller.call('NoSuchCall', { ...SITE, 'grpc-timeout': timeout }, EMPTY)).toBe(
      status.PERMISSION_DENIED,
    );
    expect(door.ended.slice(before)).toHaveLength(2);
  },
);

test('who sends a call without a message loses the connection', async () => {
  const caller = await door.caller();
  expect(await caller.call('GetSystemInfo', SITE, EMPTY)).toBe(status.OK);
  expect(await caller.call('GetSystemInfo', SITE, Buffer.alloc(0))).toBeNull();
  expect(await caller.call('GetSystemInfo', SITE, EMPTY)).toBeNull();
});

test('a library that asks otherwise opens no door', () => {
  const changed = new Server();
  Reflect.set(changed, '_verifyContentType', undefined);
  expect(() => leadUnknownCalls(changed, new Set(), () => undefined)).toThrow('find out what it does');
});
