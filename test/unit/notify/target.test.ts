// Where a Notification sends: what its Secret must have, and what is said when it has not. No value of it is
// ever repeated.
import { forbidden, missing, targetOf, type TargetWanted } from '../../../notify/target/target.ts';

const GOOD_KEY = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const ASKED: TargetWanted = {
  namespace: 'team-a',
  name: 'chat',
  format: 'CloudEvents',
  hosts: [
    { host: 'hooks.example.com', port: 443 },
    { host: 'in.example.com', port: 8443, privateAddresses: ['10.0.0.0/8'] },
  ],
  config: 'rcs-deployer-system/rcs-config',
};

const secretOf = (data: Readonly<Record<string, string>>) => ({
  metadata: { name: 'cappstan-notifications' },
  data: Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  ),
});
const found = (data: Readonly<Record<string, string>>, over: object = {}) =>
  targetOf(secretOf(data), { ...ASKED, ...over });

test.each([
  ['https://hooks.example.com/s3cret', []],
  ['https://hooks.example.com:443/s3cret\n', []],
  ['https://HOOKS.example.com/s3cret?token=s3cret', []],
  ['https://in.example.com:8443/s3cret', ['10.0.0.0/8']],
])('%s is an address of a listed host', (url, privateAddresses) => {
  expect(found({ 'chat.url': url, 'chat.key': GOOD_KEY })).toMatchObject({
    target: { keys: [Buffer.alloc(32, 7)], privateAddresses },
  });
});

test.each([
  ['', 'UrlMissing'],
  ['hooks.example.com/s3cret', 'UrlInvalid'],
  ['http://hooks.example.com/s3cret', 'UrlInvalid'],
  ['https://user:s3cret@hooks.example.com/', 'UrlInvalid'],
  ['https://hooks.example.com/#s3cret', 'UrlInvalid'],
  ['https://hooks.example.com/s3cret\nhttps://in.example.com', 'UrlInvalid'],
  [`https://hooks.example.com/${'s3cret'.repeat(500)}`, 'UrlInvalid'],
  ['https://s3cret.example.com/', 'HostNotListed'],
  ['https://hooks.example.com.s3cret.com/', 'HostNotListed'],
  ['https://hooks.example.com.:443/s3cret', 'HostNotListed'],
  ['https://hooks.example.com:8443/s3cret', 'HostNotListed'],
  ['https://in.example.com/s3cret', 'HostNotListed'],
  ['https://hooks.example.com@s3cret.com/', 'UrlInvalid'],
  ['https://127.0.0.1/s3cret', 'HostNotListed'],
])('%s is refused, in words without it', (url, reason) => {
  const { fault } = found({ 'chat.url': url, 'chat.key': GOOD_KEY }) as {
    fault: { reason: string; message: string };
  };
  expect(fault.reason).toBe(reason);
  expect(fault.message).toContain('chat.url');
  expect(fault.message).not.toMatch(/s3cret|hooks\.example|127\.0/);
});

test('an empty list of hosts lets nothing be sent', () => {
  expect(
    found({ 'chat.url': 'https://hooks.example.com/', 'chat.key': GOOD_KEY }, { hosts: [] }),
  ).toMatchObject({
    fault: { reason: 'HostNotListed' },
  });
});

test.each([
  ['', 'KeyMissing'],
  ['s3cret', 'KeyInvalid'],
  ['whsec_s3cret', 'KeyInvalid'],
  [`whsec_${Buffer.alloc(23).toString('base64')}`, 'KeyInvalid'],
  [`whsec_${Buffer.alloc(65).toString('base64')}`, 'KeyInvalid'],
  [`${GOOD_KEY} s3cret`, 'KeyInvalid'],
  [Array.from({ length: 4 }, () => GOOD_KEY).join('\n'), 'KeyInvalid'],
])('the key %j is refused, in words without it', (key, reason) => {
  const { fault } = found({ 'chat.url': 'https://hooks.example.com/', 'chat.key': key }) as {
    fault: { reason: string; message: string };
  };
  expect(fault.reason).toBe(reason);
  expect(fault.message).toContain('chat.key');
  expect(fault.message).not.toContain('s3cret');
});

test('two keys sign both, so that one can be replaced; Slack needs none', () => {
  const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
  const url = { 'chat.url': 'https://hooks.example.com/' };
  expect(found({ ...url, 'chat.key': `${other}\n${GOOD_KEY}\n` })).toMatchObject({
    target: { keys: [Buffer.alloc(24, 9), Buffer.alloc(32, 7)] },
  });
  expect(found(url, { format: 'Slack' })).toMatchObject({ target: { keys: [] } });
});

test('what is missing is said with the command that helps', () => {
  expect(missing(ASKED).message).toContain('kubectl -n team-a create secret generic cappstan-notifications');
  expect(forbidden('team-a', { namespace: 'cappstan-system', name: 'cappstan-notifier' }).message).toContain(
    'kubectl -n team-a create rolebinding cappstan-notifier --clusterrole=cappstan-notifier-secret --serviceaccount=cappstan-system:cappstan-notifier',
  );
});
