// Whose a Temporal namespace is, by a stand-in for the one workflow that says it; the real Temporal is asked
// in test/flow/processes/claims.test.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { jest } from '@jest/globals';
import { eventually } from '../../../testbed/eventually.ts';
import {
  claimNamespace,
  endedOrLost,
  holdNamespace,
  NamespaceTaken,
  refuseForeign,
} from '../../../workers/process/claim.ts';
import { CLAIM_WORKFLOW_ID } from '../../../workflows/names.ts';

interface Standing {
  status: string;
  memo: Record<string, unknown>;
}

/** `meanwhile` is there by the time that one is started. */
class StandIn {
  starts = 0;
  looks = 0;
  /** What it answers instead. */
  fault: Error | null = null;
  standing: Standing | null;
  readonly #meanwhile: Standing | null;

  constructor(standing: Standing | null, meanwhile: Standing | null = null) {
    this.standing = standing;
    this.#meanwhile = meanwhile;
  }

  /** It takes calls and answers none: a look ends by its deadline alone, if that `isDue`. */
  silence: { isDue: boolean } | null = null;
  deadlines: number[] = [];

  asClient(): Pick<Client, 'workflow' | 'options' | 'withDeadline'> {
    const describe = async () => {
      this.looks += 1;
      if (this.silence !== null) await new Promise(() => undefined);
      if (this.fault !== null) throw this.fault;
      if (this.standing === null) throw new WorkflowNotFoundError('none', CLAIM_WORKFLOW_ID, undefined);
      return { status: { name: this.standing.status }, memo: this.standing.memo };
    };
    const start = async (
      type: string,
      { workflowId, memo }: { workflowId: string; memo: Standing['memo'] },
    ) => {
      this.starts += 1;
      this.standing = this.#meanwhile ?? this.standing;
      if (this.standing?.status === 'RUNNING')
        throw new WorkflowExecutionAlreadyStartedError('there', workflowId, type);
      this.standing = { status: 'RUNNING', memo };
    };
    const withDeadline = (at: number, ask: () => Promise<unknown>) => {
      this.deadlines.push(at - Date.now());
      const asked = ask();
      return this.silence?.isDue === true ? Promise.reject(new Error('4 DEADLINE_EXCEEDED')) : asked;
    };
    const workflow = { getHandle: () => ({ describe }), start };
    return { workflow, withDeadline, options: { namespace: 'shop' } } as never;
  }
}

const running = (hub: unknown): Standing => ({ status: 'RUNNING', memo: { hub } });
const claim = (temporal: StandIn) =>
  claimNamespace(temporal.asClient(), { hub: 'hub-a', address: 'temporal.example:7233' });

test('a namespace that nobody has is claimed, and found again without a write', async () => {
  const temporal = new StandIn(null);
  await claim(temporal);
  expect([temporal.starts, temporal.standing]).toEqual([1, running('hub-a')]);
  await claim(temporal);
  expect(temporal.starts).toBe(1);
});

test('one whose claim a person has ended is claimed again', async () => {
  const temporal = new StandIn({ status: 'TERMINATED', memo: { hub: 'hub-b' } });
  await claim(temporal);
  expect(temporal.standing).toEqual(running('hub-a'));
});

test('one of another hub is refused with both ids and what helps, and nothing is written', async () => {
  const temporal = new StandIn(running('hub-b'));
  await expect(claim(temporal)).rejects.toThrow(
    /^The Temporal namespace shop of temporal\.example:7233 belongs to the Cappstan hub hub-b, and this is hub hub-a\. .*temporal\.namespace .*hub-b is no more: temporal workflow terminate --namespace shop --workflow-id hub$/,
  );
  expect(temporal.starts).toBe(0);
});

test('of two that claim at once the slower one hears of the other, and another process of the same hub goes on', async () => {
  await expect(claim(new StandIn(null, running('hub-b')))).rejects.toThrow(NamespaceTaken);
  await expect(claim(new StandIn(null, running('hub-a')))).resolves.toBeUndefined();
});

test('a workflow of that id that names no hub is nobody’s to take over', async () => {
  await expect(claim(new StandIn({ status: 'RUNNING', memo: {} }))).rejects.toThrow(
    /a workflow hub that names no hub/,
  );
});

const OURS = { hub: 'hub-a', address: 'temporal.example:7233' };

describe('while a process of the hub lives', () => {
  const warned: unknown[] = [];
  const log = { warn: (...given: unknown[]) => void warned.push(given) } as never;
  const hold = (temporal: StandIn, hub: string | undefined = OURS.hub) =>
    holdNamespace(temporal.asClient(), { ...OURS, hub }, { log, everyMs: 5 });

  test('a namespace that has lost its claim is claimed again, also after no answer', async () => {
    const temporal = new StandIn(null);
    const held = await hold(temporal);
    temporal.fault = new Error('14 UNAVAILABLE');
    temporal.standing = null;
    await eventually(async () => (warned.length > 0 ? true : undefined));
    expect(temporal.standing).toBeNull();
    temporal.fault = null;
    await eventually(async () => (temporal.standing === null ? undefined : true));
    expect([temporal.starts, temporal.standing]).toEqual([2, running('hub-a')]);
    held.stop();
  });

  test('it hears that another hub has the namespace now, and takes nothing back', async () => {
    const temporal = new StandIn(null);
    const held = await hold(temporal);
    temporal.standing = running('hub-b');
    await expect(held.lost).rejects.toThrow(NamespaceTaken);
    // What runs there is its own: it is the other one that needs another namespace.
    await expect(held.lost).rejects.toThrow(
      /^The Temporal namespace shop of \S+ was of this hub, hub-a, and belongs to the Cappstan hub hub-b now\. .*Stop hub hub-b, and give it a namespace of its own: .*Then: temporal workflow terminate --namespace shop --workflow-id hub$/,
    );
    expect([temporal.starts, temporal.standing]).toEqual([1, running('hub-b')]);
    held.stop();
  });

  test('a process ends when it is asked to, with what ends it by itself, and when its hub has lost the namespace', async () => {
    const temporal = new StandIn(null);
    const never = new Promise<never>(() => undefined);
    await endedOrLost(Promise.resolve(), await hold(temporal));
    await expect(endedOrLost(Promise.reject(new Error('ill')), await hold(temporal))).rejects.toThrow('ill');
    const ending = endedOrLost(never, await hold(temporal));
    temporal.standing = running('hub-b');
    await expect(ending).rejects.toThrow(NamespaceTaken);
  });

  test('a Temporal that answers nothing is looked at once at a time, and each look ends', async () => {
    jest.useFakeTimers();
    try {
      const temporal = new StandIn(null);
      const held = await holdNamespace(temporal.asClient(), OURS, { log });
      const first = temporal.looks;
      temporal.silence = { isDue: false };
      await jest.advanceTimersByTimeAsync(300_000);
      expect(temporal.looks).toBe(first + 1);
      for (const ms of temporal.deadlines) expect([ms > 0, ms < 60_000]).toEqual([true, true]);
      held.stop();
    } finally {
      jest.useRealTimers();
    }
  });

  test.each([undefined, ''])('it asks nothing if it does not know its hub: %s', async (hub) => {
    const temporal = new StandIn(running('hub-b'));
    const held = await holdNamespace(temporal.asClient(), { ...OURS, hub }, { log, everyMs: 5 });
    // Long enough for a few looks, which would come every 5 ms.
    await sleep(20);
    expect([temporal.looks, temporal.starts]).toEqual([0, 0]);
    held.stop();
  });
});

describe('an agent that speaks to Temporal itself', () => {
  const log = { warn: () => undefined } as never;
  const refused = (temporal: StandIn, hub = OURS.hub) =>
    refuseForeign(temporal.asClient(), { ...OURS, hub }, log);

  test('does not take the questions of another hub', async () => {
    await expect(refused(new StandIn(running('hub-b')))).rejects.toThrow(
      /^The Temporal namespace shop of temporal\.example:7233 belongs to the Cappstan hub hub-b, and this agent is of hub hub-a\. /,
    );
  });

  test('goes on in the namespace of its own hub and in one that nobody has, and claims none', async () => {
    for (const standing of [running('hub-a'), null, { status: 'TERMINATED', memo: { hub: 'hub-b' } }]) {
      const temporal = new StandIn(standing);
      await refused(temporal);
      expect(temporal.starts).toBe(0);
    }
  });

  test('goes on where it may not ask, or gets no answer, and where it does not know its hub', async () => {
    const shut = new StandIn(running('hub-b'));
    shut.fault = new Error('7 PERMISSION_DENIED');
    await refused(shut);
    await refused(new StandIn(running('hub-b')), '');
    expect(shut.looks).toBe(1);
    const silent = new StandIn(running('hub-b'));
    silent.silence = { isDue: true };
    await refused(silent);
    expect(silent.looks).toBe(1);
  });
});
