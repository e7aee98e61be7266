import { answerTo } from '../../../../deploy/local/dataplane/network/names.ts';
import {
  endpointsOf,
  serviceIn,
  type EndpointSlice,
} from '../../../../deploy/local/dataplane/network/services.ts';

const A = 1;
const AAAA = 28;

function query(name: string, type = A): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  const header = Buffer.from([0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, type, 0, 1])]);
}

const known = (name: string): readonly string[] | null =>
  name === 'activator.system.svc' ? ['10.0.0.7'] : null;

describe('the DNS of a site', () => {
  it('answers a question for an address with the id of the question', () => {
    const answer = answerTo(query('activator.system.svc'), known);
    expect(answer?.readUInt16BE(0)).toBe(0x1234);
    expect(answer?.readUInt16BE(6)).toBe(1);
    expect(answer?.subarray(-4)).toEqual(Buffer.from([10, 0, 0, 7]));
  });

  it('says that a name exists but has no IPv6 address, so that nobody stops looking', () => {
    const answer = answerTo(query('activator.system.svc', AAAA), known);
    expect(answer?.readUInt16BE(6)).toBe(0);
    expect((answer?.[3] ?? 0) & 0x0f).toBe(0);
  });

  it('says that there is no such name', () => {
    expect((answerTo(query('nobody.system.svc'), known)?.[3] ?? 0) & 0x0f).toBe(3);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a header alone', query('a').subarray(0, 12)],
    ['a name that does not end', query('activator').subarray(0, 15)],
    ['a pointer instead of a name', Buffer.concat([query('a').subarray(0, 12), Buffer.from([0xc0, 12])])],
  ])('does not answer %s', (_what, bytes) => expect(answerTo(bytes, known)).toBeNull());
});

describe('the names of Services', () => {
  it.each([
    ['hello.shop.svc', { namespace: 'shop', name: 'hello' }],
    ['Hello.shop.svc.cluster.local', { namespace: 'shop', name: 'hello' }],
    ['hello.shop.svc.cluster.local.', { namespace: 'shop', name: 'hello' }],
    ['hello.shop', null],
    ['a.hello.shop.svc', null],
    ['hello.shop.svc.svc.cluster.local', null],
  ])('%s', (name, key) => expect(serviceIn(name)).toEqual(key));
});

describe('the endpoints of a Service', () => {
  const slice = {
    metadata: { name: 's' },
    ports: [{ name: 'http', port: 8012 }, { port: 9 }],
    endpoints: [
      { addresses: ['10.244.0.8'], conditions: { ready: true } },
      { addresses: ['10.244.0.9'], conditions: { ready: false } },
      { addresses: ['10.244.0.10'] },
    ],
  } satisfies EndpointSlice;

  it('are the ready ones, at the port with the name of the Service’s port', () => {
    expect(endpointsOf([slice], 'http')).toEqual([
      { host: '10.244.0.8', port: 8012 },
      { host: '10.244.0.10', port: 8012 },
    ]);
    expect(endpointsOf([slice])).toContainEqual({ host: '10.244.0.8', port: 9 });
    expect(endpointsOf([slice], 'https')).toEqual([]);
  });

  it('are none while the slice is empty', () => {
    expect(endpointsOf([{ metadata: { name: 's' }, ports: null, endpoints: null }], 'http')).toEqual([]);
  });
});
