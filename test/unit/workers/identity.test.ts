// An agent waits for the identity that the hub ships, and takes up each new token.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { identified, mayGetIn } from '../../../workers/agent/identity.ts';
import { transportOf } from '../../../workers/process/temporal.ts';
import { followToken } from '../../../workers/process/token.ts';
import { eventually } from '../../../testbed/eventually.ts';

const BASE = { TEMPORAL_ADDRESS: 'gateway.example:7443', TEMPORAL_NAMESPACE: 'default' };
const NEVER = new Promise<never>(() => undefined);
const log = { info: () => undefined, warn: () => undefined };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cappstan-identity-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('without a folder for it the settings stay as they are, and there is no TLS that nobody asked for', async () => {
  expect(await identified(BASE, { log, stopping: NEVER })).toBe(BASE);
  expect(transportOf(BASE)).toBeNull();
});

test('the agent waits until the token is there, and trusts the authority that came with it', async () => {
  const waiting = identified({ ...BASE, GATEWAY_IDENTITY: folder }, { log, stopping: NEVER });
  expect(await Promise.race([waiting, pause(50, 'waits')])).toBe('waits');
  await writeFile(join(folder, 'ca.crt'), 'PEM');
  await writeFile(join(folder, 'token'), 'first');
  const found = await waiting;
  expect(found).toMatchObject({
    TEMPORAL_TOKEN_FILE: join(folder, 'token'),
    TEMPORAL_TLS_CA: join(folder, 'ca.crt'),
  });
});

test('an agent that may not get in yet is not ready, so that the one before it goes on', async () => {
  expect(mayGetIn({})).toBe(true);
  const waiting = { GATEWAY_IDENTITY: join(folder, 'not-mounted-yet') };
  expect(mayGetIn(waiting)).toBe(false);
  expect(mayGetIn({ GATEWAY_IDENTITY: folder })).toBe(false);
  await writeFile(join(folder, 'token'), 'first');
  expect(mayGetIn({ GATEWAY_IDENTITY: folder })).toBe(true);
});

test('where the gateway has a certificate that Node trusts, the token still travels by TLS alone', async () => {
  await writeFile(join(folder, 'token'), 'first');
  const found = await identified({ ...BASE, GATEWAY_IDENTITY: folder }, { log, stopping: NEVER });
  expect(found).not.toHaveProperty('TEMPORAL_TLS_CA');
  expect(transportOf(found ?? BASE)).toEqual({});
});

test('an agent that is to stop waits no longer', async () => {
  const stopping = Promise.resolve('SIGTERM');
  expect(await identified({ ...BASE, GATEWAY_IDENTITY: folder }, { log, stopping })).toBeNull();
});

test('a new token is used once, and again if that failed; a file that is being replaced is waited for', async () => {
  const file = join(folder, 'token');
  await writeFile(file, 'first\n');
  const used: string[] = [];
  let isRefusing = true;
  const use = (token: string): void => {
    used.push(token);
    if (isRefusing) throw new Error('the connection is not ready');
  };
  const following = followToken({ TEMPORAL_TOKEN_FILE: file }, use, log, 5);
  await rm(file);
  await pause(20);
  await writeFile(file, 'second');
  await eventually(() => (used.length > 1 ? true : undefined));
  isRefusing = false;
  const tries = used.length;
  await eventually(() => (used.length > tries ? true : undefined));
  await pause(50);
  following.stop();
  expect(new Set(used)).toEqual(new Set(['second']));
  expect(used).toHaveLength(tries + 1);
});
