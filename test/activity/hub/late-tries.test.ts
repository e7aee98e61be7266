// A try that the API server delays while a later one overtakes it, on a real API server: the newer write
// stays.
import { CAPP } from '../../../crds/capp/capp.ts';
import { HAS_PLACEMENT } from '../../../crds/labels.ts';
import type { CappRef, State } from '../../../workflows/capp/state.ts';
import type { FaultProxy, Seen } from '../../support/servers/network/fault-proxy.ts';
import type { HubForTests } from '../../support/testbeds/hub/hub.ts';
import { aPlacing } from '../../support/builders/states.ts';
import { aTry } from '../../support/builders/process/tries.ts';
import { reportedReady } from '../../support/testbeds/activities/reported-ready.ts';
import {
  change,
  isNote,
  isStatus,
  isWork,
  startSlowHub,
  valueShipped,
  withSecret,
  type SlowHub,
} from '../../support/testbeds/activities/slow-hub.ts';

let bed: SlowHub;
let stage: HubForTests;
let proxy: FaultProxy;
let slowly: SlowHub['slowly'];
let holdUp: SlowHub['holdUp'];
beforeAll(async () => {
  bed = await startSlowHub();
  ({ stage, proxy, slowly, holdUp } = bed);
}, 300_000);
afterEach(() => {
  proxy.heal();
  proxy.forget();
});
afterAll(() => bed?.stop());

const shippedValue = (ref: CappRef) => valueShipped(stage, ref);

describe('an apply that is delayed while the next one completes', () => {
  const isRead = (seen: Seen): boolean => isWork(seen) && seen.method === 'GET';
  /** The next request for the work after the Secret was read. */
  const isNext = (seen: Seen): boolean =>
    isWork(seen) && proxy.seen.some(({ path }) => path.includes('/secrets/'));

  it.each([
    ['reads the work', 'get', isRead, true],
    ['has read the Secret', 'next', isNext, true],
    ['creates the work', 'post', isNext, false],
  ])(
    'when it %s does not restore Secret data that the next one has replaced',
    async (_, id, isIt, isThere) => {
      const name = `late-${id}`;
      const ref = await withSecret(stage, name);
      const state = isThere ? (await stage.ship(ref)).state : aPlacing(ref);
      if (isThere) await change(stage, name, 'older');
      const held = holdUp(isIt);
      const first = slowly().apply(ref, 'site-1', state, null);
      await held.reached;
      await change(stage, name, 'newest');
      const next = await stage.ship(ref, state);
      held.release();
      const outcome = await first;
      expect(await shippedValue(ref)).toBe('newest');
      // It answers with the stamp of the work on the hub.
      expect(outcome).toMatchObject({
        outcome: 'Applied',
        stamp: next.applied.outcome === 'Applied' ? next.applied.stamp : '',
      });
      expect((await stage.read(ref)).status?.conditions?.find(({ type }) => type === 'Applied')?.status).toBe(
        'Unknown',
      );
    },
  );

  it('beyond its deadline writes nothing more', async () => {
    const ref = await withSecret(stage, 'too-late');
    const { state } = await stage.ship(ref);
    await change(stage, 'too-late', 'older');
    const tooLong = { answer: 429, headers: { 'retry-after': '60' } } as const;
    proxy.fault((seen) => (isWork(seen) && seen.method === 'PATCH' ? tooLong : undefined));
    const applying = aTry({ startToCloseMs: 30_000 }).run(() => slowly().apply(ref, 'site-1', state, null));
    await expect(applying).rejects.toMatchObject({ type: 'Unreachable' });
    proxy.heal();
    expect(proxy.seen.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
    expect(await shippedValue(ref)).toBe('old');
  });

  it.each([
    ['cancelled by its workflow', 'CANCELLED', { message: 'CANCELLED' }],
    ['ended by the shutdown of its worker', 'WORKER_SHUTDOWN', { type: 'Unreachable', nonRetryable: false }],
    ['timed out by Temporal', 'TIMED_OUT', { type: 'Unreachable', nonRetryable: false }],
  ] as const)(
    'and is %s ends before the API server answers, and writes nothing more',
    async (_, why, failure) => {
      const name = `ended-${why.toLowerCase().replace('_', '-')}`;
      const ref = await withSecret(stage, name);
      const { state } = await stage.ship(ref);
      await change(stage, name, 'older');
      const held = holdUp((seen) => isWork(seen) && seen.method === 'PATCH');
      const one = aTry();
      const applying = one
        .run(() => slowly().apply(ref, 'site-1', state, null))
        .catch((error: unknown) => error);
      await held.reached;
      one.cancel(why);
      expect(await applying).toMatchObject(failure);
      expect(proxy.seen.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
      expect(await shippedValue(ref)).toBe('old');
    },
  );
});

describe('a publication that is delayed', () => {
  const PUBLICATION = { record: null, mirror: null, at: Date.now() };
  const ready = (ref: CappRef) => reportedReady(stage, ref);
  const condition = async (ref: CappRef, type: string) =>
    (await stage.read(ref)).status?.conditions?.find((condition) => condition.type === type);

  it.each([
    ['the annotation', isNote],
    ['the status', isStatus],
  ])('while it writes %s does not undo a later one that completes meanwhile', async (_, isIt) => {
    const ref = await stage.make({ name: isIt === isNote ? 'overtaken-note' : 'overtaken-status' });
    const { before, after } = await ready(ref);
    const older: State = {
      ...before,
      statusDecidedAt: 2000,
      copies: {},
      serving: null,
      placing: { reason: 'NoDecision', message: 'none' },
      placedFor: '',
    };
    const held = holdUp(isIt);
    const publishing = slowly().publish(ref, older, PUBLICATION);
    await held.reached;
    await stage.hub.publish(ref, { ...after, statusDecidedAt: 3000 }, PUBLICATION);
    const stands = await stage.read(ref);
    held.release();
    await publishing;
    expect(await stage.read(ref)).toEqual(stands);
    expect(stands.metadata.annotations?.[HAS_PLACEMENT]).toBe('site-1');
    expect(await condition(ref, 'Ready')).toMatchObject({ status: 'True' });
  });

  it.each([
    ['the same time', 2000],
    ['no time', 0],
  ])(
    'while another one with %s completes fails with a Conflict, and its retry decides',
    async (_, statusDecidedAt) => {
      const ref = await stage.make({ name: `contested-${statusDecidedAt}` });
      const { before, after } = await ready(ref);
      const silent: State = {
        ...before,
        statusDecidedAt,
        refused: { reason: 'MissingReference', message: 'none' },
      };
      const held = holdUp(isStatus);
      const publishing = slowly()
        .publish(ref, silent, PUBLICATION)
        .catch((error: unknown) => error);
      await held.reached;
      await stage.hub.publish(ref, { ...after, statusDecidedAt }, PUBLICATION);
      held.release();
      expect(await publishing).toMatchObject({ type: 'Conflict', nonRetryable: false });
      expect(await condition(ref, 'Ready')).toMatchObject({ status: 'True' });
      await slowly().publish(ref, silent, PUBLICATION);
      expect(await condition(ref, 'Ready')).toMatchObject({ status: 'False', reason: 'MissingReference' });
    },
  );

  it('while an older one completes replaces that', async () => {
    const ref = await stage.make({ name: 'older-meanwhile' });
    const { before, after } = await ready(ref);
    const held = holdUp(isStatus);
    const publishing = slowly().publish(ref, { ...after, statusDecidedAt: 3000 }, PUBLICATION);
    await held.reached;
    await stage.hub.publish(
      ref,
      { ...before, statusDecidedAt: 2000, refused: { reason: 'MissingReference', message: 'none' } },
      PUBLICATION,
    );
    held.release();
    await publishing;
    expect(await condition(ref, 'Ready')).toMatchObject({ status: 'True' });
  });

  it('before its first read does not undo a newer one', async () => {
    const ref = await stage.make({ name: 'overtaken-early' });
    const { before, after } = await ready(ref);
    await stage.hub.publish(ref, { ...after, statusDecidedAt: 3000 }, PUBLICATION);
    const stands = await stage.read(ref);
    await stage.hub.publish(ref, { ...before, statusDecidedAt: 2000 }, PUBLICATION);
    expect(
      await stage.hub.apply(ref, 'site-1', { ...before, statusDecidedAt: 2000, published: 'x' }, null),
    ).toMatchObject({
      outcome: 'Applied',
    });
    expect(await stage.read(ref)).toEqual(stands);
  });

  it('while another client edits the Capp is written, and that edit stays', async () => {
    const ref = await stage.make({ name: 'edited-meanwhile' });
    const { after } = await ready(ref);
    const held = holdUp(isStatus);
    const publishing = slowly().publish(ref, { ...after, statusDecidedAt: 2000 }, PUBLICATION);
    await held.reached;
    await stage.kube.patch(CAPP, ref, { metadata: { annotations: { theirs: 'kept' } } });
    held.release();
    await publishing;
    expect(await condition(ref, 'Ready')).toMatchObject({ status: 'True' });
    expect((await stage.read(ref)).metadata.annotations?.['theirs']).toBe('kept');
  });

  it('does not replace a newer mirror of the site', async () => {
    const ref = await stage.make({ name: 'mirrored' });
    const { after } = await ready(ref);
    const mirror = (state: string) => ({ ...PUBLICATION, mirror: { stateStatus: { state } } });
    const held = holdUp(isStatus);
    const publishing = slowly().publish(ref, { ...after, statusDecidedAt: 2000 }, mirror('disabled'));
    await held.reached;
    await stage.hub.publish(ref, { ...after, statusDecidedAt: 3000 }, mirror('enabled'));
    held.release();
    await publishing;
    expect((await stage.read(ref)).status?.stateStatus).toEqual({ state: 'enabled' });
  });

  it('is not blocked by a decidedAt in the far future, as a wrong clock writes it', async () => {
    const ref = await stage.make({ name: 'from-the-future' });
    const { after } = await ready(ref);
    await stage.kube.patch(
      CAPP,
      ref,
      { status: { migration: { decidedAt: '2999-01-01T00:00:00.000Z' } } },
      { subresource: 'status' },
    );
    await stage.hub.publish(ref, { ...after, statusDecidedAt: 2000 }, PUBLICATION);
    expect((await stage.read(ref)).status?.migration?.decidedAt).toBe('1970-01-01T00:00:02.000Z');
    expect(await condition(ref, 'Ready')).toMatchObject({ status: 'True' });
  });
});
