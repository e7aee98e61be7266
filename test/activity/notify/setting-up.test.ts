// What a person reads on the way to a Notification that delivers, with a real API server and the rights of
// the chart; and what is refused.
import { NOTIFICATION } from '../../../crds/notify/notification.ts';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import { rightsOf } from '../../support/servers/api/rights.ts';
import { RECEIVER } from '../../support/servers/network/receiver.ts';
import {
  CANARY,
  KEY,
  startNotifierTestbed,
  type NotifierTestbed,
} from '../../support/testbeds/notify/notifier.ts';

let bed: NotifierTestbed;
beforeAll(async () => {
  bed = await startNotifierTestbed();
  await bed.start();
}, 300_000);
afterAll(() => bed?.stop());

const CHAT = { namespace: 'team-a', name: 'chat' };

test('each thing that is missing is named with what helps, and then it delivers', async () => {
  await bed.namespace('team-a');
  await bed.notify('team-a', 'chat');
  const forbidden = await bed.reason(CHAT, 'Ready', 'SecretForbidden');
  expect(forbidden).toContain(
    'kubectl -n team-a create rolebinding cappstan-notifier --clusterrole=cappstan-notifier-secret --serviceaccount=cappstan-system:cappstan-notifier',
  );
  await bed.bind('team-a');
  expect(await bed.reason(CHAT, 'Ready', 'SecretMissing')).toContain(
    'create secret generic cappstan-notifications',
  );
  const url = `https://${RECEIVER}:${bed.receiver.port}/team-a/chat?${CANARY}`;
  await bed.secret('team-a', { 'other.url': url });
  expect(await bed.reason(CHAT, 'Ready', 'UrlMissing')).toContain('chat.url');
  await bed.secret('team-a', { 'chat.url': url.replace('https', 'http') });
  await bed.reason(CHAT, 'Ready', 'UrlInvalid');
  await bed.secret('team-a', { 'chat.url': url });
  expect(await bed.reason(CHAT, 'Ready', 'HostNotListed')).toContain(
    'RCSConfig rcs-deployer-system/rcs-config',
  );
  await bed.list([{ host: RECEIVER, port: bed.receiver.port }]);
  await bed.reason(CHAT, 'Ready', 'KeyMissing');
  await bed.secret('team-a', { 'chat.url': url, 'chat.key': `whsec_${KEY.toString('base64')}` });
  expect(await bed.reason(CHAT, 'Delivered', 'AddressNotAllowed')).toContain('privateAddresses');
  expect(bed.receiver.connections()).toBe(0);
  await bed.list([{ host: RECEIVER, port: bed.receiver.port, privateAddresses: ['127.0.0.0/8'] }]);
  await bed.reason(CHAT, 'Ready', 'Configured');
  await bed.reason(CHAT, 'Delivered', 'Accepted');
  const [first, ...more] = bed.at('/team-a/chat');
  expect(more).toEqual([]);
  expect(JSON.parse(first?.body ?? '')).toMatchObject({
    data: { topic: 'Begun', notification: 'team-a/chat' },
  });
  expect(JSON.stringify(await bed.kube.list(NOTIFICATION))).not.toContain(CANARY);
  expect(bed.faults.map(String).join()).not.toContain(CANARY);
});

test('a namespace has five that count, and the sixth says so until one is deleted', async () => {
  await bed.namespace('team-many');
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await bed.notify('team-many', name);
  // Those of one second are in the order of their names.
  await bed.reason({ namespace: 'team-many', name: 'e' }, 'Ready', 'SecretForbidden');
  const sixth = { namespace: 'team-many', name: 'f' };
  expect(await bed.reason(sixth, 'Ready', 'TooManyInNamespace')).toContain('at most 5');
  await bed.kube.remove(NOTIFICATION, { namespace: 'team-many', name: 'a' });
  await bed.reason(sixth, 'Ready', 'SecretForbidden');
});

test.each([
  ['no format', 'x', {}, /spec\.format: Required value/],
  ['another format', 'x', { format: 'Teams' }, /spec\.format: Unsupported value.*"Slack", "CloudEvents"/],
  ['no topic', 'x', { format: 'Slack', topics: [] }, /spec\.topics.*at least 1/],
  [
    'another topic',
    'x',
    { format: 'Slack', topics: ['All'] },
    /spec\.topics\[0\]: Unsupported value.*"SiteLost"/,
  ],
  ['an address', 'x', { format: 'Slack', url: 'https://x.example' }, /unknown field "spec\.url"/],
  [
    'a name that is too long',
    'x'.repeat(64),
    { format: 'Slack' },
    /at most 63 characters.*choose a shorter one/,
  ],
])('the API server refuses one with %s', async (_what, name, spec, message) => {
  await bed.namespace('team-a');
  const { apiVersion, kind } = NOTIFICATION;
  const admin = await bed.cluster.as('kubernetes-admin', ['system:masters']);
  const path = '/apis/rcs.dana.io/v1alpha1/namespaces/team-a/notifications?fieldValidation=Strict';
  const reply = await admin('POST', path, { apiVersion, kind, metadata: { name }, spec });
  expect(reply.code).toBeGreaterThanOrEqual(400);
  expect(reply.message).toMatch(message);
});

test('the notifier may read one Secret of the namespaces that let it, and nothing of others', async () => {
  const own = rightsOf(bed.cluster, { namespace: RELEASE_NAMESPACE, name: 'cappstan-notifier' });
  const secret = 'get secrets named cappstan-notifications';
  expect((await own.listIn('team-a')).filter((right) => right.includes('secrets'))).toEqual([secret]);
  expect((await own.listIn(RELEASE_NAMESPACE)).filter((right) => right.includes('secrets'))).toEqual([
    secret,
  ]);
  expect((await own.listIn('team-many')).filter((right) => right.includes('secrets'))).toEqual([]);
});

test('whoever may edit a namespace writes Notifications there, and never what they have told', async () => {
  const role = (await bed.kube.raw(
    'GET',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/cappstan-notification-edit',
  )) as { metadata: { labels: object }; rules: { resources: string[]; verbs: string[] }[] };
  const parts = Object.keys(role.metadata.labels).filter((label) => label.includes('/aggregate-to-'));
  expect(parts.map((label) => label.split('/')[1])).toEqual(['aggregate-to-admin', 'aggregate-to-edit']);
  expect(role.rules.find(({ resources }) => resources.includes('notifications/status'))?.verbs).toEqual([
    'get',
  ]);
});
