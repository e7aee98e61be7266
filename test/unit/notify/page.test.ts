// docs/notifications.md shows how a receiver checks a signature: what the page shows accepts what we send,
// and nothing else.
import { readFileSync } from 'node:fs';
import type { QueuedMessage } from '../../../crds/notify/notification.ts';
import { requestOf } from '../../../notify/send/request.ts';

const page = readFileSync(new URL('../../../docs/notifications.md', import.meta.url), 'utf8');
const [, source = ''] = /```js\n([\s\S]+?)```/.exec(page) ?? [];
const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
  isGenuine: (headers: object, body: string, key: string, now?: number) => boolean;
};

const keyOf = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const NOW = Date.parse('2026-11-27T10:00:00.000Z');
const MESSAGE: QueuedMessage = {
  id: 'msg_1',
  topic: 'SiteLost',
  text: 'Site site-3 cannot be reached.',
  at: '2026-11-27T10:00:00.000Z',
  queuedAt: '2026-11-27T10:00:00.000Z',
};
const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const sender = { namespace: 'team-a', name: 'chat', source: 'cappstan' };
const { headers, body } = requestOf(MESSAGE, { format: 'CloudEvents', keys }, sender, NOW);

test('what the page shows accepts a message by the new key and by the old one', () => {
  expect([1, 2, 3].map((byte) => isGenuine(headers, body, keyOf(byte), NOW))).toEqual([true, true, false]);
});

test.each([
  ['another body', headers, `${body} `, NOW],
  ['another id', { ...headers, 'webhook-id': 'msg_2' }, body, NOW],
  ['another time', { ...headers, 'webhook-timestamp': String(NOW / 1000 + 1) }, body, NOW],
  ['no signature', { ...headers, 'webhook-signature': undefined }, body, NOW],
  ['a message of ten minutes ago', headers, body, NOW + 600_000],
])('it refuses %s', (_what, given, text, now) => {
  expect(isGenuine(given, text, keyOf(1), now)).toBe(false);
});
