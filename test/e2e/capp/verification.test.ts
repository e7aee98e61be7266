// Checks of an app that moves, made by the agent of the new site through that site's ingress, as the app's
// users reach it.
import { CAPP } from '../../../crds/capp/capp.ts';
import {
  conditionOf,
  newNamespace,
  readCapp,
  readyCapp,
  siteOf,
  untilCondition,
  untilGone,
} from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { otherSite } from '../../../testbed/sites.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

let stack: TestbedStack;
let namespace: string;
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'checked');
});
afterAll(() => stack?.close());

/** A Capp that was asked to move, and where to. */
async function moving(name: string, expected: string) {
  const verify = [{ name: 'answers', http: { path: '/', expect: expected }, interval: '1s', count: 2 }];
  const { key, home } = await readyCapp(stack.hub, { namespace, name, spec: { migration: { verify } } });
  const to = otherSite(stack, home);
  await stack.hub.patch(CAPP, key, { metadata: { annotations: { 'rcs.dana.io/migrate': `${to}#one` } } });
  return { key, home, to };
}

test('a Capp moves once its new copy has answered as it should, and says what was measured', async () => {
  const { key, to } = await moving('passes', 'status == 200');
  await untilCondition(stack.hub, key, { type: 'Verified', status: 'True', reason: 'ChecksPassed' });
  await eventually(async () => {
    const capp = await readCapp(stack.hub, key);
    return siteOf(capp) === to && conditionOf(capp, 'Migrating')?.status === 'False' ? true : undefined;
  });
  await stack.hub.remove(CAPP, key);
  await untilGone(stack.hub, key);
});

test('a Capp stays where it is when its new copy does not answer as it should', async () => {
  const { key, home } = await moving('fails', 'status == 418');
  const { message } = await eventually(async () => {
    const last = (await readCapp(stack.hub, key)).status?.migration?.lastMove;
    return last?.result === 'Failed' ? last : undefined;
  });
  expect(message).toMatch(/Check answers failed on \S+:.*status 200/);
  expect(siteOf(await readCapp(stack.hub, key))).toBe(home);
  await stack.hub.remove(CAPP, key);
  await untilGone(stack.hub, key);
});
