// The loops of the workflows of SIPClusters and of hosts, on a runtime of the test in place of Temporal: what
// they ask of activities, in which order, how long they wait, and when they end.
import { ApplicationFailure } from '@temporalio/common';
import type { Runtime } from '../../../workflows/engine/runtime.ts';
import { Failure } from '../../../workflows/failures.ts';
import { liveInSipCluster } from '../../../workflows/metal/cluster.ts';
import { liveAsHosts } from '../../../workflows/metal/hosts.ts';
import type { Reserving, SipRef, SipTurned } from '../../../workflows/metal/port.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const GONE: SipTurned = { outcome: 'Gone' };
const turned = (more: Partial<Extract<SipTurned, { outcome: 'Turned' }>> = {}): SipTurned => ({
  outcome: 'Turned',
  needsHosts: false,
  wakeAt: null,
  says: '**Reserved**',
  ...more,
});
const refusal = () => ApplicationFailure.create({ type: Failure.Forbidden, message: 'sipclusters' });

function runtimeOf(
  id: string,
  done: string[],
  calls: object,
  handle: (handler: (given: unknown) => void) => void,
): Runtime {
  return {
    id: () => id,
    now: () => NOW,
    random: () => 0.5,
    hub: () => calls,
    reserve: () => calls,
    handle: (_signal: unknown, handler: (given: unknown) => void) => handle(handler),
    show: (text: string) => void done.push(`show ${text}`),
    isLong: () => false,
    isHandled: () => true,
    countUnreadable: () => void done.push('unreadable'),
    until: async (holds: () => boolean, atMost?: { ms: number }) =>
      void done.push(holds() ? 'rung' : `wait ${(atMost?.ms ?? 0) / 1_000} s`),
  } as unknown as Runtime;
}

/** `rungAt`: a ring comes while it looks for the n-th time. */
async function live(
  looks: readonly (SipTurned | Error)[],
  { id = 'sip/metal/edge-7', rungAt = [] as number[] } = {},
) {
  const done: string[] = [];
  let ring: (given: unknown) => void = () => undefined;
  let count = 0;
  const calls = {
    turnSipCluster: async ({ namespace, name }: SipRef) => {
      const look = looks[count];
      count += 1;
      done.push(`look ${namespace}/${name}`);
      if (rungAt.includes(count)) ring({});
      if (look === undefined) throw new Error('used up');
      if (look instanceof Error) throw look;
      return look;
    },
    askForHosts: async ({ name }: SipRef) => void done.push(`ask ${name}`),
  };
  const end = await liveInSipCluster(runtimeOf(id, done, calls, (handler) => (ring = handler))).then(
    () => 'ended',
    (error: Error) => error.message,
  );
  return {
    done: done.filter((one) => !one.startsWith('show')),
    shown: done.filter((one) => one.startsWith('show')),
    end,
  };
}

describe('the workflow of a SIPCluster', () => {
  test('asks for hosts where some are missing, waits a minute for its turn, and asks again', async () => {
    const { done, end } = await live([
      turned({ needsHosts: true }),
      turned({ needsHosts: true }),
      turned(),
      GONE,
    ]);
    expect({ done, end }).toEqual({
      done: [
        'look metal/edge-7',
        'ask edge-7',
        'wait 60 s',
        'look metal/edge-7',
        'ask edge-7',
        'wait 60 s',
        'look metal/edge-7',
        'wait 86400 s',
        'look metal/edge-7',
      ],
      end: 'ended',
    });
  });

  test('looks again when a failed host is to be replaced', async () => {
    expect((await live([turned({ wakeAt: NOW + 90_000 }), GONE])).done).toContain('wait 90 s');
    expect((await live([turned({ wakeAt: NOW - 5 }), GONE])).done).toContain('wait 1 s');
  });

  test('what the hub refuses for good is asked again in a minute, and is shown', async () => {
    const { done, shown, end } = await live([refusal(), GONE]);
    expect({ done, end }).toEqual({
      done: ['look metal/edge-7', 'wait 60 s', 'look metal/edge-7'],
      end: 'ended',
    });
    expect(shown[0]).toContain('sipclusters');
  });

  test('a ring that comes while it looks for the last time has it look once more', async () => {
    const { done, end } = await live([GONE, GONE], { rungAt: [1] });
    expect({ done, end }).toEqual({ done: ['look metal/edge-7', 'look metal/edge-7'], end: 'ended' });
  });

  test.each(['sip', 'sip/a', 'sip/a/b/c', 'sip/A/b', 'cappset/a/b'])(
    'fails at once under the id %s',
    async (id) => {
      expect((await live([], { id })).end).toContain('sip/<namespace>/<name>');
    },
  );
});

/** `asks`: who asks before the n-th wait. */
async function reserve(
  asks: readonly (readonly unknown[])[],
  answers: Readonly<Record<string, Reserving | Error>> = {},
  start?: unknown,
) {
  const done: string[] = [];
  let ask: (given: unknown) => void = () => undefined;
  let waits = 0;
  const calls = {
    reserveHosts: async ({ namespace, name }: SipRef) => {
      done.push(`serve ${namespace}/${name}`);
      if (name === 'again') {
        ask({ namespace, name: 'late' });
        ask({ namespace, name: 'again-later' });
      }
      const answer = answers[name] ?? { outcome: 'Reserved', hosts: 1 };
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const runtime = runtimeOf('hosts/hub', done, calls, (handler) => (ask = handler));
  const until: Runtime['until'] = async (holds) => {
    for (const given of asks[waits] ?? []) ask(given);
    waits += 1;
    if (!holds()) done.push('idle');
  };
  await liveAsHosts(start, { ...runtime, until });
  return done.filter((one) => !one.startsWith('show'));
}

const named = (name: string): SipRef => ({ namespace: 'metal', name });

describe('the workflow that reserves hosts', () => {
  test('serves one after the other as they asked, each once, and ends when nobody asks', async () => {
    expect(await reserve([[named('a'), named('b'), named('a'), named('c')]])).toEqual([
      'serve metal/a',
      'serve metal/b',
      'serve metal/c',
      'idle',
    ]);
  });

  test('who asks while it is served is served once more', async () => {
    expect(await reserve([[named('a')], [named('a')]])).toEqual(['serve metal/a', 'serve metal/a', 'idle']);
    expect(await reserve([[named('again'), named('b')]])).toEqual([
      'serve metal/again',
      'serve metal/b',
      'serve metal/late',
      'serve metal/again-later',
      'idle',
    ]);
  });

  test('one that is short, contended or fails keeps nobody waiting', async () => {
    const answers = { short: { outcome: 'Short', hosts: 0 }, failing: refusal() } as const;
    expect(await reserve([[named('short'), named('failing'), named('c')]], answers)).toEqual([
      'serve metal/short',
      'serve metal/failing',
      'serve metal/c',
      'idle',
    ]);
  });

  test('a bug is no failure of an activity: it is thrown', async () => {
    await expect(reserve([[named('bug')]], { bug: new TypeError('a bug') })).rejects.toThrow('a bug');
  });

  test('goes on with who waited before, and counts what it cannot read', async () => {
    const start = { version: 1, waiting: [named('a'), { namespace: 'A', name: 'b' }, null] };
    expect(await reserve([[null, { namespace: 'metal' }, named('b')]], {}, start)).toEqual([
      'unreadable',
      'unreadable',
      'serve metal/a',
      'serve metal/b',
      'idle',
    ]);
  });

  test('keeps a thousand waiting at most', async () => {
    const many = Array.from({ length: 1_200 }, (_, index) => named(`c${index}`));
    expect((await reserve([many])).filter((one) => one.startsWith('serve'))).toHaveLength(1_000);
  });
});
