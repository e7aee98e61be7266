// An agent that waits for 5,000 Capps, the most that it does, gets all of its calls through the gateway's
// bounds: counted, over one connection of a real door, however far away the site is.
import { status } from '@grpc/grpc-js';
import { allowance, CALLS } from '../../../gateway/bounds/allowance.ts';
import { api } from '../../../gateway/calls/messages.ts';
import { seal } from '../../../gateway/seal.ts';
import { framed } from '../../../testbed/gateway-bytes.ts';
import { bareDoor, headersOf, siteNamed, type BareDoor } from '../../support/testbeds/door/bare-door.ts';

const WAITERS = 5_000;
/** The agent's: workflows/engine/proxies.ts has a heartbeat timeout of 20 s, of which it sends three. */
const BEAT_MS = 20_000 / 3;
/** A round trip between continents. */
const WAN_MS = 100;
const POLLS = 4;

let door: BareDoor | undefined;
afterEach(() => door?.stop());

test('the heartbeats of 5,000 waiters are under way together on one connection, where an answer takes 100 ms', async () => {
  const together = Math.ceil((WAITERS / BEAT_MS) * WAN_MS);
  const arrived = Promise.withResolvers<void>();
  let [beats, polls] = [0, 0];
  // Temporal, which answers no heartbeat before it has them all: as if each took as long as the way does.
  door = await bareDoor({
    recordActivityTaskHeartbeat: async () => {
      beats += 1;
      if (beats === together) arrived.resolve();
      await arrived.promise;
      return {};
    },
    pollActivityTaskQueue: async () => {
      polls += 1;
      await arrived.promise;
      return api.PollActivityTaskQueueResponse.create({});
    },
  });
  const agent = await door.caller();
  const taskQueue = { name: 'agent/site-1' };
  const poll = framed(api.PollActivityTaskQueueRequest.encode({ taskQueue }).finish());
  const task = { type: 'awaitVerdict', token: new Uint8Array(200) };
  const taskToken = seal(door.key, siteNamed('site-1'), task);
  const beat = framed(api.RecordActivityTaskHeartbeatRequest.encode({ taskToken }).finish());
  const send = (method: string, body: Buffer) => agent.call(method, headersOf('site-1'), body);
  const open = Array.from({ length: POLLS }, () => send('PollActivityTaskQueue', poll));
  const sent = Array.from({ length: together }, () => send('RecordActivityTaskHeartbeat', beat));
  const codes = await Promise.all([...open, ...sent]);
  expect(codes).toEqual(codes.map(() => status.OK));
  expect([beats, polls]).toEqual([together, POLLS]);
});

test('the calls of 5,000 waiters stay within what a site may ask for: while they wait, and whenever all are answered at once', () => {
  let now = 0;
  const calls = allowance('calls', CALLS, () => now);
  const take = (count: number): void => {
    for (let left = count; left > 0; left -= 1) calls.take('site-1');
  };
  const TICK_MS = 100;
  const beats = (WAITERS / BEAT_MS) * TICK_MS;
  /** `taken` are the tasks that the agent takes in a tick, each by a poll. */
  const pass = (ms: number, taken: number): void => {
    for (const end = now + ms; now < end; now += TICK_MS) take(beats + taken);
  };
  for (let storm = 0; storm < 3; storm += 1) {
    // The site is well again: every waiter answers, and is asked its next question. A poll takes 10 ms.
    take(WAITERS);
    pass(12_500, WAITERS / 125);
    pass(60_000, 0);
  }
});
