// The line that a person takes from the hub to a site, and the token in it.
import { randomBytes } from 'node:crypto';
import { clusterInfoMap, clusterInfoOf } from '../../../crds/join/cluster-info.ts';
import {
  boundOf,
  endOfToken,
  freshToken,
  tokenOfUser,
  tokenSecret,
} from '../../../crds/join/bootstrap-token.ts';
import { joinLine, parseJoinLine } from '../../../crds/join/join-line.ts';

const HASH = 'ab'.repeat(32);
const TOKEN = { id: 'abcdef', secret: '0123456789abcdef' };
const LINE = {
  fingerprint: `sha256:${HASH}`,
  cluster: 'shop-7',
  token: TOKEN,
  endsAt: Date.parse('2026-03-01T12:00:00Z'),
  host: 'hub.example',
  port: 9443,
};

test('what is written is read again, for one cluster and for any', () => {
  const end = (LINE.endsAt / 1_000).toString(36);
  expect(joinLine(LINE)).toBe(`J2${HASH}::shop-7:abcdef.0123456789abcdef:${end}@hub.example:9443`);
  expect(parseJoinLine(` ${joinLine(LINE)}\n`)).toEqual(LINE);
  expect(parseJoinLine(joinLine({ ...LINE, cluster: null }))).toEqual({ ...LINE, cluster: null });
});

test.each([
  ['in quotes', `"${joinLine(LINE)}"`],
  ['broken by a terminal', `${joinLine(LINE).slice(0, 80)}\r\n${joinLine(LINE).slice(80)}\n`],
])('a line that was pasted %s is read', (_how, text) => expect(parseJoinLine(text)).toEqual(LINE));

test('an earlier line, which does not say when it ends, is still read', () => {
  const earlier = `J1${HASH}::shop-7:abcdef.0123456789abcdef@hub.example:9443`;
  expect(parseJoinLine(earlier)).toEqual({ ...LINE, endsAt: null });
  expect(joinLine({ ...LINE, endsAt: null })).toBe(earlier);
});

test.each([
  joinLine(LINE).slice(1),
  joinLine(LINE).replace('J2', 'J1'),
  joinLine(LINE).replace('J2', 'J3'),
  joinLine({ ...LINE, endsAt: null }).replace('J1', 'J2'),
  joinLine({ ...LINE, fingerprint: 'sha256:abcd' }),
  joinLine({ ...LINE, cluster: '-shop' }),
  joinLine({ ...LINE, cluster: 'a'.repeat(64) }),
  joinLine({ ...LINE, host: 'hub.example/path' }),
  joinLine({ ...LINE, host: 'user@hub.example' }),
  joinLine({ ...LINE, port: 0 }),
  joinLine({ ...LINE, port: 65_536 }),
  joinLine({ ...LINE, token: { ...TOKEN, secret: '0123' } }),
  `${joinLine(LINE)}\n${joinLine(LINE)}`,
  '',
])('does not take %s', (text) => expect(parseJoinLine(text)).toBeNull());

test('tokens are letters and digits that come evenly, and never twice', () => {
  expect(freshToken((count) => new Uint8Array(count).fill(35))).toEqual({
    id: '999999',
    secret: '9'.repeat(16),
  });
  // Bytes above the last whole round of the letters would make the first of them more frequent.
  const bytes = [255, 252, 0, 251];
  expect(freshToken((count) => Uint8Array.from({ length: count }, (_, at) => bytes[at % 4] ?? 0)).id).toBe(
    'a9a9a9',
  );
  const many = Array.from({ length: 200 }, () => freshToken(randomBytes));
  expect(new Set(many.map(({ secret }) => secret)).size).toBe(200);
  for (const { id, secret } of many) expect(`${id}.${secret}`).toMatch(/^[a-z0-9]{6}\.[a-z0-9]{16}$/);
});

test('a Secret says for whom and until when, in metadata that does not hold the token', () => {
  const endsAt = Date.parse('2026-03-02T12:00:00Z');
  const bound = { cluster: 'shop-7', uid: 'u-1' };
  const secret = tokenSecret(TOKEN, endsAt, bound);
  expect(boundOf(secret)).toEqual(bound);
  expect(endOfToken(secret)).toBe(endsAt);
  expect(JSON.stringify(secret.metadata)).not.toContain(TOKEN.secret);
  expect(secret.metadata.labels).toBeUndefined();
  const any = tokenSecret(TOKEN, endsAt, null);
  expect(boundOf(any)).toBeNull();
  expect(any.metadata.labels).toEqual({ app: 'cluster-manager' });
});

test('what is no token’s Secret is bound to nothing, whatever it says', () => {
  const { metadata } = tokenSecret(TOKEN, 0, { cluster: 'shop-7', uid: 'u-1' });
  expect(boundOf({ metadata: { ...metadata, namespace: 'team' } })).toBeNull();
  expect(boundOf({ metadata: { ...metadata, name: 'x' } })).toBeNull();
  expect(endOfToken({ metadata, data: {} })).toBeNull();
});

test.each([
  ['system:bootstrap:abcdef', 'abcdef'],
  ['system:bootstrap:abcdefg', null],
  ['system:bootstrap:', null],
  ['system:bootstrap:abc/ef', null],
  ['xsystem:bootstrap:abcdef', null],
  ['system:node:a', null],
])('the token of user %s is %s', (user, id) => expect(tokenOfUser(user)).toBe(id));

test('what a hub says of itself is read again, and nothing else is', () => {
  const info = { server: 'https://hub.example:9443', ca: 'PEM\n' };
  expect(clusterInfoOf(clusterInfoMap(info))).toEqual(info);
  for (const text of ['', '[]', '{', 'clusters: []', 'clusters: [{cluster: {server: 1}}]', '&a [*a]'])
    expect(clusterInfoOf({ data: { kubeconfig: text } })).toBeNull();
  expect(clusterInfoOf(null)).toBeNull();
});
