// An app that is no longer healthy on its site, as Knative there sees it: its Capp moves to the other site,
// if it asked for that, and stays there.
import { CAPP } from '../../../crds/capp/capp.ts';
import { CONFIG_MAP } from '../../../crds/kubernetes/core.ts';
import { CRASHES } from '../../../deploy/local/standins/pods/container-status.ts';
import { conditionOf, newNamespace, readCapp, readyCapp, siteOf, untilGone } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { configure } from '../../../testbed/rcs-config.ts';
import { otherSite } from '../../../testbed/sites.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

let stack: TestbedStack;
let restore: (() => Promise<void>) | undefined;
beforeAll(async () => {
  stack = await openStack();
  // Capps of other tests may be unhealthy as well, which would keep this one where it is.
  restore = await configure(stack.hub, { unhealthyPercent: 100 });
});
afterAll(async () => {
  await restore?.();
  await stack?.close();
});

/** A Capp that was Ready, in a namespace of its own in which all Pods crash on its site from now on. */
async function failing(name: string, spec: Record<string, unknown>) {
  const namespace = await newNamespace(stack.hub, 'unhealthy');
  const { key, home } = await readyCapp(stack.hub, { namespace, name, spec });
  await stack.site(home).create(CONFIG_MAP, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: CRASHES },
  } as never);
  return { key, home };
}

test('a Capp whose Pods crash moves to the other site after its time; one that did not ask stays, and says why it is not Ready', async () => {
  const asks = await failing('asks', { migration: { unhealthy: { afterSeconds: 60 } } });
  const stays = await failing('stays', {});
  const to = otherSite(stack, asks.home);
  const moved = await eventually(
    async () => {
      const capp = await readCapp(stack.hub, asks.key);
      const isReady = conditionOf(capp, 'Ready')?.status === 'True';
      const { lastMove } = capp.status?.migration ?? {};
      if (siteOf(capp) !== to || lastMove?.result !== 'Moved' || !isReady)
        throw new Error(JSON.stringify(capp.status));
      return capp;
    },
    { withinMs: 300_000 },
  );
  expect(moved.status?.migration?.lastMove).toMatchObject({ from: asks.home, to, reason: 'Unhealthy' });
  const left = await readCapp(stack.hub, stays.key);
  expect(siteOf(left)).toBe(stays.home);
  expect(conditionOf(left, 'Ready')).toMatchObject({ status: 'False' });
  for (const { key } of [asks, stays]) {
    await stack.hub.remove(CAPP, key);
    await untilGone(stack.hub, key);
  }
});
