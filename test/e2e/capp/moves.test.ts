// Moves by taint, request, spec.site and loss of a site, with make before break; and no moves without a
// reason.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import {
  conditionOf,
  createCapp,
  newNamespace,
  readCapp,
  readyCapp,
  siteOf,
  untilCondition,
  untilGone,
  untilReady,
} from '../../../testbed/capps.ts';
import { eventsAtRest, interimEvents } from '../../../testbed/at-rest/events.ts';
import { eventually } from '../../../testbed/eventually.ts';
import {
  otherSite,
  servingSites,
  untilAvailable,
  whileUnreachable,
  whileTainted,
} from '../../../testbed/sites.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const TIMEOUT = { withinMs: 180_000, everyMs: 100 };

let stack: TestbedStack;
let namespace: string;

beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'moves');
});
afterAll(() => stack.close());

const other = (site: string): string => otherSite(stack, site);

const ready = (name: string, spec: Readonly<Record<string, unknown>> = {}) =>
  readyCapp(stack.hub, { namespace, name, spec });

/** Waits until the Capp is Ready on a site, and its work on every other is gone. */
async function untilMoved(key: { namespace: string; name: string }, to: string): Promise<Capp> {
  const works = (site: string) =>
    stack.hub.get(MANIFEST_WORK, { namespace: site, name: `mw-create-${key.namespace}-${key.name}` });
  return eventually(async () => {
    const capp = await readCapp(stack.hub, key);
    const left = await works(other(to));
    const isThere =
      siteOf(capp) === to &&
      conditionOf(capp, 'Ready')?.status === 'True' &&
      conditionOf(capp, 'Migrating')?.status === 'False';
    if (isThere && left === null) return capp;
    throw new Error(
      `The Capp is on ${siteOf(capp)}, ${JSON.stringify(capp.status?.conditions)}; the old work ${left === null ? 'is gone' : 'exists'}.`,
    );
  }, TIMEOUT);
}

/** Reads both sites all the time while `meanwhile` runs. Returns how often no copy served. */
async function timesDown(
  key: { namespace: string; name: string },
  meanwhile: () => Promise<void>,
): Promise<number> {
  const over = new AbortController();
  let down = 0;
  const looking = (async () => {
    while (!over.signal.aborted) {
      if ((await servingSites(stack, key)).length === 0) down += 1;
    }
  })();
  await meanwhile().finally(() => over.abort());
  await looking;
  return down;
}

const annotate = (key: { namespace: string; name: string }, annotations: Record<string, string | null>) =>
  stack.hub.patch(CAPP, key, { metadata: { annotations } });

test('a taint moves a Capp within 60 events while a copy always serves, and its removal moves nothing back', async () => {
  const { key, home } = await ready('tainted');
  const handle = stack.temporal.workflow.getHandle(`capp/${namespace}/tainted`);
  const before = await eventsAtRest(handle);
  const down = await timesDown(key, () =>
    whileTainted(stack, home, async () => void (await untilMoved(key, other(home)))),
  );
  expect(down).toBe(0);
  const moved = await readCapp(stack.hub, key);
  expect(moved.status?.migration?.lastMove).toMatchObject({
    from: home,
    to: other(home),
    reason: 'Tainted',
    result: 'Moved',
  });
  // Some forty on a quiet machine. On a busy one a signal may come alone: its workflow task is three events
  // more. With Knative's own data plane a site rolls out for seconds, and each ring meanwhile is a look and a
  // question.
  const events = (await eventsAtRest(handle)) - before;
  expect(events - (await interimEvents(handle, before))).toBeLessThanOrEqual(
    process.env['DATAPLANE'] === 'real' ? 90 : 60,
  );
  await untilAvailable(stack, home);
  expect(siteOf(await untilReady(stack.hub, key))).toBe(other(home));
});

test('a taint NoSelectIfNew moves no Capp', async () => {
  const { key, home } = await ready('unmoved');
  const newcomer = { namespace, name: 'newcomer' };
  await whileTainted(
    stack,
    home,
    () => createCapp(stack.hub, newcomer).then(() => untilReady(stack.hub, newcomer)),
    'NoSelectIfNew',
  );
  const still = await untilReady(stack.hub, key);
  expect(siteOf(still)).toBe(home);
  expect(still.status?.migration).not.toHaveProperty('lastMove');
});

test('a pinned Capp stays on a tainted site and reports Pinned; an edit of spec.site moves it', async () => {
  const { key, home } = await ready('pinned', { site: stack.sites[0] });
  await whileTainted(stack, home, async () => {
    const held = await untilCondition(stack.hub, key, {
      type: 'Migrating',
      status: 'False',
      reason: 'Pinned',
    });
    expect(conditionOf(held, 'Migrating')?.message).toContain(`spec.site names ${home}`);
    await stack.hub.patch(CAPP, key, { spec: { site: other(home) } });
    await untilMoved(key, other(home));
  });
});

test('the annotation migrate moves a Capp to another site, only once', async () => {
  const { key, home } = await ready('annotated');
  await annotate(key, { 'rcs.dana.io/migrate': '#1' });
  await untilMoved(key, other(home));
  await annotate(key, { note: 'a change that rings' });
  await stack.hub.patch(CAPP, key, { spec: { scaleMetric: 'rps' } });
  const still = await untilReady(stack.hub, key);
  expect(siteOf(still)).toBe(other(home));
  expect(still.status?.migration?.handledRequest).toBe('1');
});

test('an Update returns when the Capp has moved, and fails with the reason when it may not', async () => {
  const { key, home } = await ready('updated');
  const handle = stack.temporal.workflow.getHandle(`capp/${namespace}/updated`);
  const moved = await handle.executeUpdate('move', {
    args: [{ to: other(home), by: 'ada', why: 'maintenance' }],
  });
  expect(moved).toEqual({ from: home, to: other(home) });
  await untilMoved(key, other(home));
  const refusal = await handle
    .executeUpdate('move', { args: [{ to: 'site-99' }] })
    .catch((error: unknown) => error);
  expect(String((refusal as Error).cause ?? refusal)).toContain('There is no site site-99');
});

test('a signal moves a Capp to a named site', async () => {
  const { key, home } = await ready('signalled');
  await stack.temporal.workflow
    .getHandle(`capp/${namespace}/signalled`)
    .signal('migrate', { to: other(home), by: 'ada' });
  const moved = await untilMoved(key, other(home));
  expect(moved.status?.migration).toMatchObject({
    pin: other(home),
    lastMove: { reason: 'Asked', asked: { via: 'Signal', claimed: 'ada' } },
  });
});

test('a Capp that is deleted during a move leaves nothing on both sites', async () => {
  const { key, home } = await ready('short-lived');
  await stack.freeze(`${other(home)}-operator`, async () => {
    await annotate(key, { 'rcs.dana.io/migrate': '#1' });
    await eventually(
      async () => ((await stack.site(other(home)).get(CAPP, key)) === null ? undefined : true),
      TIMEOUT,
    );
    await stack.hub.remove(CAPP, key);
    await Promise.all([stack.hub, ...stack.sites.map(stack.site)].map((kube) => untilGone(kube, key)));
  });
});

test('an edit during a move reaches both copies', async () => {
  const { key, home } = await ready('edited');
  await stack.freeze(`${other(home)}-operator`, async () => {
    await annotate(key, { 'rcs.dana.io/migrate': '#1' });
    await eventually(
      async () => ((await stack.site(other(home)).get(CAPP, key)) === null ? undefined : true),
      TIMEOUT,
    );
    await stack.hub.patch(CAPP, key, { spec: { scaleMetric: 'cpu' } });
    for (const site of stack.sites) {
      await eventually(
        async () => ((await readCapp(stack.site(site), key)).spec.scaleMetric === 'cpu' ? true : undefined),
        TIMEOUT,
      );
    }
  });
  await untilMoved(key, other(home));
});

test('a new copy that is not Ready at its deadline is removed, its site is avoided, and the old copy stays', async () => {
  const { key, home } = await ready('refused', { migration: { deadlineSeconds: 5 } });
  await stack.freeze(`${other(home)}-operator`, async () => {
    const down = await timesDown(key, () =>
      whileTainted(stack, home, async () => {
        const held = await untilCondition(stack.hub, key, {
          type: 'Migrating',
          status: 'False',
          reason: 'NoCandidate',
        });
        expect(conditionOf(held, 'Migrating')?.message).toContain(
          'failed to take over this Capp a short while ago',
        );
        expect(held.status?.migration?.lastMove).toMatchObject({ to: other(home), result: 'Failed' });
        await untilGone(stack.site(other(home)), key);
      }),
    );
    expect(down).toBe(0);
  });
  expect(siteOf(await untilReady(stack.hub, key))).toBe(home);
});

test('a Capp leaves a lost site, which cleans up when it returns', async () => {
  const { key, home } = await ready('lost');
  await whileUnreachable(stack, home, async () => {
    await eventually(
      async () => (siteOf(await readCapp(stack.hub, key)) === other(home) ? true : undefined),
      TIMEOUT,
    );
    const capp = await untilReady(stack.hub, key);
    expect(capp.status?.migration?.lastMove?.reason ?? 'SiteLost').toBe('SiteLost');
  });
  await untilAvailable(stack, home);
  await untilMoved(key, other(home));
  await untilGone(stack.site(home), key);
});
