// What services read of Secrets: network data and credentials of BMCs, with SIP's cases (bmh_test.go) by
// their numbers; and that what is said of a fault quotes nothing of them.
import { bmcOf } from '../../../../activities/hub/metal/services/bmc.ts';
import { addressesOf } from '../../../../activities/hub/metal/services/network-data.ts';

const encode = (text: string): string => Buffer.from(text).toString('base64');
const networkData = (text: string) => ({ data: { networkData: encode(text) } });

const OAM = new Set(['oam-ipv4']);

const JSON_DATA = JSON.stringify({
  links: [{ id: 'eno4' }],
  networks: [
    { id: 'oam-ipv6', ip_address: '2001:1890:1001:293d::139' },
    { id: 'oam-ipv4', ip_address: '32.68.51.139', netmask: '255.255.255.128' },
    { id: 'oam-ipv4', ip_address: '32.68.51.1' },
    { id: 'pxe', type: 'ipv4_dhcp' },
  ],
});
const YAML_DATA = `
links: [{ id: eno4 }]
networks:
- id: oam-ipv4
  ip_address: 32.68.51.139
`;

test.each([
  ['4. JSON', JSON_DATA],
  ['5. YAML', YAML_DATA],
])('%s: the first network of the id has the address', (_what, text) => {
  expect(addressesOf(networkData(text), OAM).get('oam-ipv4')).toBe('32.68.51.139');
});

test('IPv6, and a network without an address of its own', () => {
  const found = addressesOf(networkData(JSON_DATA), new Set(['oam-ipv6', 'pxe']));
  expect(found.get('oam-ipv6')).toBe('2001:1890:1001:293d::139');
  expect(found.has('pxe')).toBe(false);
});

const CANARY = 'c4n4ry-S3cret';
const bad: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ['10. only another key', { foo: encode(CANARY) }, 'it has no key networkData'],
  ['neither YAML nor JSON', { networkData: encode(`{ ${CANARY}: [`) }, 'neither YAML nor JSON'],
  ['two documents', { networkData: encode(`a: ${CANARY}\n---\nb: 1\n`) }, 'one document'],
  ['no list', { networkData: encode(`networks: ${CANARY}`) }, 'no list of networks'],
  ['a network without id', { networkData: encode(`networks: [{ name: ${CANARY} }]`) }, 'has no id'],
  ['no address', { networkData: encode(`networks: [{ id: a, ip_address: ${CANARY} }]`) }, 'is no IP address'],
  [
    'an address that would be a line of a configuration',
    { networkData: encode(JSON.stringify({ networks: [{ id: 'a', ip_address: '1.2.3.4\n  server x' }] })) },
    'is no IP address',
  ],
  ['too much', { networkData: encode(CANARY.repeat(6_000)) }, 'more than 65536 bytes'],
  [
    'too many',
    {
      networkData: encode(
        JSON.stringify({ networks: Array.from({ length: 101 }, (_, id) => ({ id: `${id}` })) }),
      ),
    },
    'more than 100 networks',
  ],
];

test.each(bad)('%s is a fault, in words without what is in it', (_what, data, words) => {
  const said = thrownBy(() => addressesOf({ data }, new Set(['a'])));
  expect(said).toContain(words);
  expect(said).not.toContain(CANARY);
});

function thrownBy(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return `${String(error)} ${String((error as Error & { cause?: string }).cause)}`;
  }
  throw new Error('nothing was thrown');
}

const one = (address: string) =>
  networkData(JSON.stringify({ networks: [{ id: 'oam', ip_address: address }] }));

test.each([
  'fe80::1%eth0',
  '2001:db8::1%eth0',
  'fe80::1',
  'febf::1',
  '::',
  '::1',
  '::ffff:192.0.2.1',
  '::ffff:127.0.0.1',
  'ff02::1',
  '0.0.0.0',
  '127.0.0.1',
  '127.255.0.1',
  '169.254.1.1',
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
])('%s is a fault of that host: nobody else is reached by it', (address) => {
  const said = thrownBy(() => addressesOf(one(address), new Set(['oam'])));
  expect(said).toContain('the ip_address of its network oam leads to no host from elsewhere');
  expect(said).not.toContain(address);
  // A network that nobody asks for may have it.
  expect(addressesOf(one(address), new Set(['pxe']))).toEqual(new Map());
});

test.each([
  '10.0.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '223.255.255.1',
  '128.0.0.1',
  'fd00::1',
  '2001:db8::1',
  'fec0::1',
])('%s is taken', (address) => {
  expect(addressesOf(one(address), new Set(['oam'])).get('oam')).toBe(address);
});

const BMC = { address: 'redfish+https://32.68.51.12/redfish/v1/Systems/System.Embedded.1' };
const ROOT = { data: { username: encode('root'), password: encode('test') } };

test('6. username and password are read', () => {
  expect(bmcOf(BMC, ROOT)).toEqual({
    authority: '32.68.51.12',
    system: 'https://32.68.51.12/redfish/v1/Systems/System.Embedded.1',
    isInsecure: false,
    username: 'root',
    password: 'test',
  });
});

test('8. only another key is a fault', () => {
  const said = thrownBy(() => bmcOf(BMC, { data: { foo: encode(CANARY) } }));
  expect(said).toContain('its Secret has no key username');
  expect(said).not.toContain(CANARY);
});

test.each([
  [
    'redfish-virtualmedia+http://192.0.2.1:8000/redfish/v1/Systems/1',
    'http://192.0.2.1:8000/redfish/v1/Systems/1',
  ],
  ['idrac-virtualmedia://[2001:db8::1]/redfish/v1/Systems/1/', 'https://[2001:db8::1]/redfish/v1/Systems/1'],
  ['https://bmc.example/redfish/v1/Systems/1', 'https://bmc.example/redfish/v1/Systems/1'],
  ['redfish://bmc.example', null],
  ['ipmi://192.0.2.1:6230', null],
])('the Redfish system of %s is %s', (address, system) => {
  expect(bmcOf({ address }, ROOT).system).toBe(system);
});

test.each([
  ['32.68.51.12', ROOT],
  ['redfish+https://a$(b)/redfish/v1/Systems/1', ROOT],
  [BMC.address, { data: { username: encode('a:b'), password: encode(CANARY) } }],
  [BMC.address, { data: { username: encode('a'), password: encode(`${CANARY}\nurl = "x"`) } }],
])('what no script could carry is a fault: %s', (address, secret) => {
  expect(thrownBy(() => bmcOf({ address }, secret))).not.toContain(CANARY);
});
