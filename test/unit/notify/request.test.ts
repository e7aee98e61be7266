// The two shapes of a body, and the signature that a receiver checks.
import { createHmac } from 'node:crypto';
import type { QueuedMessage } from '../../../crds/notify/notification.ts';
import { requestOf, signed } from '../../../notify/send/request.ts';

const MESSAGE: QueuedMessage = {
  id: 'msg_0a1b',
  topic: 'RolloutHeld',
  text: 'CappSet team-a/shop is held (SitesFailed): <!channel> & <https://evil.example|here>',
  at: '2026-11-27T10:00:00.000Z',
  queuedAt: '2026-11-27T10:00:02.000Z',
  reason: 'SitesFailed',
  kind: 'CappSet',
  namespace: 'team-a',
  name: 'shop',
};
const SENDER = { namespace: 'team-a', name: 'chat', source: 'cappstan' };
const KEYS = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const NOW = 1_764_237_600_000;

test('Slack gets one text, in which nothing has a meaning, and the id for people', () => {
  const { body, headers } = requestOf(MESSAGE, { format: 'Slack', keys: [] }, SENDER, NOW);
  expect(JSON.parse(body)).toEqual({
    text: 'RolloutHeld: CappSet team-a/shop is held (SitesFailed): &lt;!channel&gt; &amp; &lt;https://evil.example|here&gt;\n(msg_0a1b)',
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
  });
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': 'msg_0a1b',
  });
  expect(headers).not.toHaveProperty('webhook-signature');
});

test('a CloudEvent has all that the specification requires, and what it is about', () => {
  const { body, headers } = requestOf(MESSAGE, { format: 'CloudEvents', keys: KEYS }, SENDER, NOW);
  expect(JSON.parse(body)).toEqual({
    specversion: '1.0',
    id: 'msg_0a1b',
    source: 'cappstan',
    type: 'io.dana.rcs.RolloutHeld',
    time: '2026-11-27T10:00:00.000Z',
    subject: 'CappSet/team-a/shop',
    datacontenttype: 'application/json',
    data: {
      topic: 'RolloutHeld',
      text: MESSAGE.text,
      reason: 'SitesFailed',
      kind: 'CappSet',
      namespace: 'team-a',
      name: 'shop',
      notification: 'team-a/chat',
    },
  });
  expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
});

test('each key signs id, time and body, as Standard Webhooks has it', () => {
  const { body, headers } = requestOf(MESSAGE, { format: 'CloudEvents', keys: KEYS }, SENDER, NOW);
  const expected = KEYS.map(
    (key) => `v1,${createHmac('sha256', key).update(`msg_0a1b.1764237600.${body}`).digest('base64')}`,
  );
  expect(headers).toMatchObject({
    'webhook-id': 'msg_0a1b',
    'webhook-timestamp': '1764237600',
    'webhook-signature': expected.join(' '),
  });
});

test('the vector that the libraries of Standard Webhooks are tested with has its signature', () => {
  const keys = [Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')];
  const vector = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}', keys };
  expect(signed(vector, 1_614_265_330)['webhook-signature']).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test('a repeat has the same body and the same id, and a new time', () => {
  const [first, second] = [NOW, NOW + 60_000].map((now) =>
    requestOf(MESSAGE, { format: 'CloudEvents', keys: KEYS }, SENDER, now),
  );
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
});
