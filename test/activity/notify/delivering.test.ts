// What is told, to whom, and that it arrives: with a real API server, the rights of the chart, and a receiver
// that fails in every way.
import { createHmac } from 'node:crypto';
import { NOTIFICATION, type Notification } from '../../../crds/notify/notification.ts';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import type { Notifier } from '../../../notify/notifier.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { RECEIVER, type Behavior, type Received } from '../../support/servers/network/receiver.ts';
import {
  CANARY,
  KEY,
  QUICK,
  startNotifierTestbed,
  type NotifierTestbed,
} from '../../support/testbeds/notify/notifier.ts';
import { aMove, endDrain, loseSite, stuck, toldTo } from '../../support/testbeds/notify/told.ts';

let bed: NotifierTestbed;
let notifier: Notifier;
beforeAll(async () => {
  bed = await startNotifierTestbed();
  await bed.list([{ host: RECEIVER, port: bed.receiver.port, privateAddresses: ['127.0.0.1/32'] }]);
  notifier = await bed.start();
}, 300_000);
afterAll(() => bed?.stop());
afterEach(() => bed.receiver.behave(200));

const { eventsAt, named, heard, begun, hasRest } = toldTo(() => bed);

test('a stuck Capp is told to its namespace and to the hub, signed, and to no other namespace', async () => {
  for (const namespace of ['team-a', 'team-b']) await bed.ready(namespace);
  await bed.secret(RELEASE_NAMESPACE, {
    'all.url': `https://${RECEIVER}:${bed.receiver.port}/hub/all?${CANARY}`,
    'all.key': `whsec_${KEY.toString('base64')}`,
  });
  await bed.notify(RELEASE_NAMESPACE, 'all');
  for (const path of ['/team-a/chat', '/team-b/chat', '/hub/all']) await begun(path);
  await bed.capp('team-a', 'shop', stuck());
  const own = await heard('/team-a/chat', 'shop');
  const ofHub = await heard('/hub/all', 'shop');
  expect(own.data).toMatchObject({
    topic: 'AppStuck',
    text: 'Capp team-a/shop is stuck (DeadlinePassed): because of DeadlinePassed.',
  });
  expect(own.id).not.toBe(ofHub.id);
  const { headers, body } = bed.at('/team-a/chat').at(-1) as Received;
  const signed = `${own.id}.${String(headers['webhook-timestamp'])}.${body}`;
  expect(headers['webhook-id']).toBe(own.id);
  expect(headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', KEY).update(signed).digest('base64')}`,
  );
  await bed.capp('team-b', 'fence', stuck());
  await heard('/team-b/chat', 'fence');
  expect(named('/team-b/chat', 'shop')).toEqual([]);
});

test('a lost site is told to the hub and to the namespaces that have Capps there, a drain to the hub alone', async () => {
  await bed.ready('team-there');
  await bed.ready('team-elsewhere');
  for (const path of ['/team-there/chat', '/team-elsewhere/chat']) await begun(path);
  await bed.capp('team-there', 'app', { sites: [{ clusterName: 'site-9', role: 'Serving' }] });
  await loseSite(bed, 'site-9');
  expect((await heard('/hub/all', 'site-9')).data.text).toContain('1 Capp is there.');
  expect((await heard('/team-there/chat', 'site-9')).data.text).toContain(
    '1 Capp of namespace team-there is there.',
  );
  await endDrain(bed, 'site-9');
  await eventually(() => eventsAt('/hub/all').find(({ data }) => data.topic === 'DrainEnded'));
  await bed.capp('team-elsewhere', 'fence', stuck());
  await heard('/team-elsewhere/chat', 'fence');
  expect([named('/team-elsewhere/chat', 'site-9'), named('/team-there/chat', 'site-9')]).toMatchObject([
    [],
    [{}],
  ]);
});

test('only the topics that it names are told, and Slack gets its shape', async () => {
  await bed.ready('team-slack');
  await bed.notify('team-slack', 'chat', { format: 'Slack', topics: ['AppMoved'] });
  await eventually(() => bed.at('/team-slack/chat')[0]);
  await bed.capp('team-slack', 'app', { ...stuck(), migration: { lastMove: aMove() } });
  const { body } = await eventually(() =>
    bed.at('/team-slack/chat').find((one) => one.body.includes('site-2')),
  );
  expect((JSON.parse(body) as { text: string }).text).toMatch(
    /^AppMoved: Capp team-slack\/app has moved from site-1 to site-2: &lt;b&gt;\n\(msg_[0-9a-f]{32}\)$/,
  );
  expect(bed.at('/team-slack/chat').filter((one) => one.body.includes('AppStuck'))).toEqual([]);
});

test.each<[string, Behavior, string]>([
  ['fails', 503, 'Refused'],
  ['redirects', 'redirect', 'Redirected'],
  ['closes in the middle', 'close', 'Unreachable'],
  ['hangs up on us', 'drop', 'Unreachable'],
  ['never answers', 'hang', 'TimedOut'],
  ['asks for time', { retryAfter: '1' }, 'Refused'],
])(
  'a receiver that %s gets the same message again, in its order, once it takes it',
  async (_what, behavior, reason) => {
    const namespace = `team-${reason.toLowerCase()}-${typeof behavior === 'object' ? 'later' : behavior}`;
    await bed.ready(namespace);
    const [key, path] = [{ namespace, name: 'chat' }, `/${namespace}/chat`];
    await bed.reason(key, 'Delivered', 'Accepted');
    bed.receiver.behave(behavior);
    await bed.capp(namespace, 'first', stuck());
    const message = await bed.reason(key, 'Delivered', reason);
    expect(message).not.toMatch(new RegExp(`${CANARY}|${RECEIVER}|elsewhere"`));
    await bed.capp(namespace, 'second', stuck());
    await eventually(async () =>
      (await bed.read(namespace, 'chat')).status?.waiting === 2 ? true : undefined,
    );
    bed.receiver.behave(200);
    await bed.reason(key, 'Delivered', 'Accepted');
    await heard(path, 'second');
    const names = eventsAt(path).map(({ data }) => data.name);
    expect(names.lastIndexOf('first')).toBeLessThan(names.indexOf('second'));
    expect(new Set(named(path, 'first').map(({ id }) => id)).size).toBe(1);
    expect(bed.at('/elsewhere')).toEqual([]);
  },
);

test('a message that its receiver refuses is given up after five tries, and does not hold up the next', async () => {
  await bed.ready('team-refused');
  const key = { namespace: 'team-refused', name: 'chat' };
  await bed.reason(key, 'Delivered', 'Accepted');
  bed.receiver.behave(400);
  await bed.capp('team-refused', 'bad', stuck());
  await eventually(async () =>
    (await bed.read('team-refused', 'chat')).status?.givenUp === 1 ? true : undefined,
  );
  bed.receiver.behave(200);
  await bed.capp('team-refused', 'good', stuck());
  await heard('/team-refused/chat', 'good');
  expect(named('/team-refused/chat', 'bad')).toHaveLength(5);
});

test('a message that nobody has taken for a day is given up, and the next one is tried', async () => {
  await bed.ready('team-late');
  const key = { namespace: 'team-late', name: 'chat' };
  await bed.reason(key, 'Delivered', 'Accepted');
  bed.receiver.behave(503);
  await bed.capp('team-late', 'old', stuck());
  await bed.reason(key, 'Delivered', 'Refused');
  await notifier.stop();
  notifier = await bed.start({ now: () => Date.now() + 25 * 3_600_000 });
  await eventually(async () =>
    (await bed.read('team-late', 'chat')).status?.givenUp === 1 ? true : undefined,
  );
  bed.receiver.behave(200);
  await bed.capp('team-late', 'new', stuck());
  await heard('/team-late/chat', 'new');
  await notifier.stop();
  notifier = await bed.start();
});

test('a receiver that restarts, with its key changed meanwhile, gets what happened in between', async () => {
  await bed.ready('team-restart');
  const key = { namespace: 'team-restart', name: 'chat' };
  await bed.reason(key, 'Delivered', 'Accepted');
  await bed.receiver.stop();
  await bed.capp('team-restart', 'app', stuck());
  await bed.reason(key, 'Delivered', 'Unreachable');
  await bed.secret('team-restart', {
    'chat.url': `https://${RECEIVER}:${bed.receiver.port}/team-restart/new?${CANARY}`,
    'chat.key': `whsec_${Buffer.alloc(32, 8).toString('base64')}`,
  });
  await bed.receiver.start();
  const { id } = await heard('/team-restart/new', 'app');
  const { headers, body } = bed.at('/team-restart/new').at(-1) as Received;
  const signed = `${id}.${String(headers['webhook-timestamp'])}.${body}`;
  expect(headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', Buffer.alloc(32, 8)).update(signed).digest('base64')}`,
  );
});

test('a notifier that was away tells what has happened, once, and nothing of before again', async () => {
  await bed.ready('team-away');
  await begun('/team-away/chat');
  await bed.capp('team-away', 'before', stuck());
  await heard('/team-away/chat', 'before');
  await bed.reason({ namespace: 'team-away', name: 'chat' }, 'Delivered', 'Accepted');
  await hasRest('team-away');
  await notifier.stop();
  await bed.capp('team-away', 'meanwhile', stuck());
  notifier = await bed.start();
  await heard('/team-away/chat', 'meanwhile');
  await bed.capp('team-away', 'after', stuck());
  await heard('/team-away/chat', 'after');
  expect(eventsAt('/team-away/chat').map(({ data }) => data.name)).toEqual([
    undefined,
    'before',
    'meanwhile',
    'after',
  ]);
});

test('what changes without being news writes nothing', async () => {
  await bed.ready('team-rest');
  await begun('/team-rest/chat');
  const status = stuck();
  await bed.capp('team-rest', 'app', status);
  await heard('/team-rest/chat', 'app');
  await hasRest('team-rest');
  const before = await bed.read('team-rest', 'chat');
  for (let count = 0; count < 20; count += 1)
    await bed.capp('team-rest', 'app', { ...status, observedGeneration: count });
  await bed.list([
    { host: RECEIVER, port: bed.receiver.port, privateAddresses: ['127.0.0.1/32'] },
    { host: 'another.example' },
  ]);
  await bed.capp('team-b', 'fence-2', stuck());
  await heard('/team-b/chat', 'fence-2');
  expect((await bed.read('team-rest', 'chat')).metadata.resourceVersion).toBe(
    before.metadata.resourceVersion,
  );
});

test('a hundred at once are a few messages', async () => {
  await bed.ready('team-flood');
  await begun('/team-flood/chat');
  const names = Array.from({ length: 100 }, (_, index) => `app-${index}`);
  await notifier.stop();
  await Promise.all(names.map((name) => bed.capp('team-flood', name, stuck())));
  notifier = await bed.start({ times: { ...QUICK, gather: 500 } });
  const several = await eventually(() =>
    eventsAt('/team-flood/chat').find(({ data }) => data.topic === 'Several'),
  );
  expect(several.data.text).toContain('100 things have happened (100 AppStuck)');
  expect(eventsAt('/team-flood/chat').length).toBeLessThan(5);
});

test('no status, event or fault has anything of a Secret', async () => {
  const { items } = await bed.kube.list<Notification>(NOTIFICATION);
  const texts = [
    JSON.stringify(items),
    bed.faults.map((fault) => `${String(fault)} ${JSON.stringify(fault)}`).join(),
  ];
  expect(texts.join()).not.toMatch(
    new RegExp(`${CANARY}|${KEY.toString('base64').slice(0, 20)}|${RECEIVER}`),
  );
});
