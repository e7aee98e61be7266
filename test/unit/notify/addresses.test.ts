// Which addresses count as public, and what a listed network opens.
import { isNetwork } from '../../../crds/notify/network.ts';
import { isAllowedAddress } from '../../../notify/target/addresses.ts';

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '::',
  '::1',
  'fe80::1',
  'fc00::1',
  'fd12::1',
  'ff02::1',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  '::10.0.0.1',
  '64:ff9b::a00:1',
  '2002:a00:1::1',
  '2001::1',
  '2001:db8::1',
  'fec0::1',
  '',
  'localhost',
  '1.2.3',
  '010.0.0.1',
])('%s is not allowed by itself', (address) => {
  expect(isAllowedAddress(address, [])).toBe(false);
});

test.each(['1.1.1.1', '93.184.215.14', '172.32.0.1', '2606:4700::1111', '::ffff:1.1.1.1'])(
  '%s is public',
  (address) => {
    expect(isAllowedAddress(address, [])).toBe(true);
  },
);

test('a listed network opens its own addresses, and no others', () => {
  const networks = ['10.20.0.0/16', 'fd00:1::/32', 'nonsense'];
  expect(
    ['10.20.3.4', '::ffff:10.20.3.4', 'fd00:1::9'].map((one) => isAllowedAddress(one, networks)),
  ).toEqual([true, true, true]);
  expect(['10.21.0.1', '127.0.0.1', 'fd00:2::9'].map((one) => isAllowedAddress(one, networks))).toEqual([
    false,
    false,
    false,
  ]);
});

test.each([
  ['10.0.0.0/8', true],
  ['10.0.0.0/33', false],
  ['fd00::/129', false],
  ['fd00::/64', true],
  ['10.0.0.0', false],
  ['a/8', false],
  ['10.0.0.0/8/8', false],
  ['10.0.0.0/', false],
])('whether %s is a network: %s', (text, expected) => {
  expect(isNetwork(text)).toBe(expected);
});
