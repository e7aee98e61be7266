// In whose name the hub's API server asks.
import { callerOf, type FrontProxy } from '../../../reach/door/caller.ts';
import { frontProxyIn } from '../../../reach/door/front-proxy.ts';

const proxy: FrontProxy = {
  ca: 'PEM',
  names: ['front-proxy-client'],
  userHeaders: ['x-remote-user'],
  groupHeaders: ['x-remote-group'],
  uidHeaders: ['x-remote-uid'],
  extraPrefixes: ['x-remote-extra-'],
};
const name = 'front-proxy-client';

test('user, groups, uid and extra are those of the headers', () => {
  const headers = {
    'x-remote-user': ['alice'],
    'x-remote-group': ['team-a', 'system:authenticated'],
    'x-remote-uid': ['7'],
    'x-remote-extra-example.com%2fscopes': ['a', 'b'],
    'x-other': ['no'],
  };
  expect(callerOf(proxy, { name, headers })).toEqual({
    user: 'alice',
    groups: ['team-a', 'system:authenticated'],
    uid: '7',
    extra: { 'example.com/scopes': ['a', 'b'] },
  });
});

test('names in UTF-8 are read as they are', () => {
  const user = Buffer.from('jürgen', 'utf8').toString('latin1');
  expect(callerOf(proxy, { name, headers: { 'x-remote-user': [user] } }).user).toBe('jürgen');
});

test.each([
  ['another name in the certificate', 'somebody', { 'x-remote-user': ['alice'] }],
  ['no user', name, {}],
  ['an empty user', name, { 'x-remote-user': [''] }],
  ['a user in a header that the API server does not name', name, { 'impersonate-user': ['alice'] }],
])('%s is refused', (_what, shown, headers) => {
  expect(() => callerOf(proxy, { name: shown, headers })).toThrow(
    expect.objectContaining({ code: 401 }) as Error,
  );
});

test('where no names are listed, any certificate of the authority counts', () => {
  const any = { ...proxy, names: [] };
  expect(callerOf(any, { name: 'x', headers: { 'x-remote-user': ['alice'] } }).user).toBe('alice');
});

test('the API server says whom it lets speak for others', () => {
  const data = {
    'requestheader-client-ca-file': '-----BEGIN CERTIFICATE-----',
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-username-headers': '["X-Remote-User"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
  };
  expect(frontProxyIn(data)).toEqual({ ...proxy, ca: '-----BEGIN CERTIFICATE-----', uidHeaders: [] });
});

test('an API server without aggregation is a sentence', () => {
  expect(() => frontProxyIn({})).toThrow('no aggregation layer');
});
