// Which certificate requests are those of an agent of a cluster. openssl and Go read the same bytes: what is
// taken here is what they read.
import { execFileSync } from 'node:child_process';
import { subjectOf } from '../../../crds/join/subject.ts';
import {
  clusterAskedFor,
  isOfAgent,
  keptOfRequest,
  stateOfRequest,
  unfitness,
} from '../../../crds/join/signing-request.ts';
import { x509 } from '../../../tls/x509.ts';
import { requestPem, signingRequest, type Asked } from '../../support/builders/join/requests.ts';

const GROUP = 'system:open-cluster-management';
const OWN = `${GROUP}:shop-7`;
const ALL = `${GROUP}:managed-clusters`;
const unfit = async (asked: Partial<Asked> = {}): Promise<string | null> =>
  unfitness(await signingRequest({ cluster: 'shop-7', ...asked }), 'shop-7');

test('takes what an agent asks for, with and without the group of all clusters', async () => {
  expect(await unfit()).toBeNull();
  expect(await unfit({ organizations: [OWN] })).toBeNull();
  expect(await unfit({ organizations: [ALL, OWN] })).toBeNull();
});

test.each<[string, Partial<Asked>, string]>([
  ['another cluster’s name', { commonName: `${GROUP}:shop-8:agent-1` }, 'another than an agent'],
  ['a name that only begins like it', { commonName: `${GROUP}:shop-77:agent-1` }, 'another than an agent'],
  ['no agent', { commonName: `${GROUP}:shop-7` }, 'another than an agent'],
  ['an empty agent', { commonName: `${GROUP}:shop-7:` }, 'another than an agent'],
  ['an agent of an agent', { commonName: `${GROUP}:shop-7:a:b` }, 'another than an agent'],
  ['the administrator’s name', { commonName: 'kubernetes-admin' }, 'another than an agent'],
  ['a ServiceAccount’s name', { commonName: 'system:serviceaccount:kube-system:x' }, 'another than an agent'],
  ['the masters', { organizations: [OWN, 'system:masters'] }, 'groups that no agent is in'],
  ['another cluster’s group beside its own', { organizations: [OWN, `${GROUP}:shop-8`] }, 'groups'],
  ['another cluster’s group', { organizations: [`${GROUP}:shop-8`] }, 'groups'],
  ['all clusters alone', { organizations: [ALL] }, 'without the group'],
  ['no group', { organizations: [] }, 'without the group'],
  ['its group twice', { organizations: [OWN, OWN] }, 'without the group'],
  ['a second name', { more: ', CN=kubernetes-admin' }, 'a form'],
  ['an organizational unit', { more: ', OU=x' }, 'a form'],
  ['a server’s usages', { usages: ['digital signature', 'key encipherment', 'server auth'] }, 'other usages'],
  [
    'more usages',
    { usages: ['client auth', 'digital signature', 'key encipherment', 'cert sign'] },
    'other usages',
  ],
  ['fewer usages', { usages: ['client auth'] }, 'other usages'],
  ['another signer', { signerName: 'kubernetes.io/kubelet-serving' }, 'another signer'],
  [
    'another name beside it',
    { extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'hub.example' }])] },
    'a form',
  ],
])('leaves alone who asks with %s', async (_what, asked, why) => {
  expect(await unfit(asked)).toContain(why);
});

test('what it reads is what openssl reads', async () => {
  const pem = await requestPem({ cluster: 'shop-7' });
  const args = ['req', '-noout', '-subject', '-nameopt', 'RFC2253'];
  const said = execFileSync('openssl', args, { input: pem }).toString().trim();
  const names = said
    .replace('subject=', '')
    .split(/[,+]/)
    .map((part) => part.split('='));
  const of = (type: string): string[] => names.flatMap(([key, value = '']) => (key === type ? [value] : []));
  const { commonName, organizations } = subjectOf(pem) ?? { commonName: '', organizations: [] };
  expect([commonName]).toEqual(of('CN'));
  expect(organizations.toSorted()).toEqual(of('O').toSorted());
});

test('a request that is cut, lengthened, or written in a form that DER forbids is not read', async () => {
  const pem = await requestPem({ cluster: 'shop-7' });
  const der = Buffer.from(pem.replaceAll(/-----[^-]+-----/g, ''), 'base64');
  const read = (bytes: Buffer): ReturnType<typeof subjectOf> => subjectOf(pemOf(bytes));
  const whole = read(der);
  expect(whole).not.toBeNull();
  for (let length = 0; length < der.length; length += 1) expect(read(der.subarray(0, length))).toBeNull();
  expect(read(Buffer.concat([der, Buffer.from([0])]))).toBeNull();
  for (const head of [
    [0x30, 0x80],
    [0x30, 0x84, 0, 0, 0, 1],
    [0x1f, 0x81, 0],
    [0x30, 0x81, 0x01, 0x05],
  ])
    expect(read(Buffer.concat([Buffer.from(head), der]))).toBeNull();
});

test.each(['', 'no PEM', '-----BEGIN CERTIFICATE REQUEST-----\n!\n-----END CERTIFICATE REQUEST-----\n'])(
  'reads nothing from %j',
  (text) => expect(subjectOf(text)).toBeNull(),
);

test('a second request behind the first is not taken: others may read that one', async () => {
  const [one, two] = [await requestPem({ cluster: 'shop-7' }), await requestPem({ cluster: 'shop-8' })];
  expect(subjectOf(one + two)).toBeNull();
  expect(subjectOf(`text before\n${one}`)).toBeNull();
});

test('requests of add-ons and without the label are for no cluster', async () => {
  const { metadata } = await signingRequest({ cluster: 'shop-7' });
  expect(clusterAskedFor({ metadata })).toBe('shop-7');
  const labels = { ...metadata.labels, 'open-cluster-management.io/addon-name': 'x' };
  expect(clusterAskedFor({ metadata: { ...metadata, labels } })).toBeNull();
  expect(clusterAskedFor({ metadata: { name: 'x' } })).toBeNull();
});

test('an agent that renews its certificate is known by its name, and no other', () => {
  const by = (username: string): boolean =>
    isOfAgent({ metadata: { name: 'x' }, spec: { request: '', signerName: '', username } }, 'shop-7');
  expect(by(`${OWN}:agent-1`)).toBe(true);
  expect(by(`${OWN}7:agent-1`)).toBe(false);
  expect(by('system:bootstrap:abcdef')).toBe(false);
});

test.each([
  [['Approved'], 'Approved'],
  [['Approved', 'Failed'], 'Denied'],
  [['Denied'], 'Denied'],
  [[], 'Pending'],
])('a request with conditions %j is %s', (types, state) => {
  const conditions = types.map((type) => ({ type, status: 'True' as const }));
  expect(stateOfRequest({ metadata: { name: 'x' }, status: { conditions } })).toBe(state);
});

function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join('\n')}\n-----END CERTIFICATE REQUEST-----\n`;
}

describe('of what whoever may join has stored', () => {
  test('an agent’s request is kept as it is, and is fit', async () => {
    const request = await signingRequest({ cluster: 'shop-7' });
    const { spec } = keptOfRequest(request);
    expect(spec).toEqual({
      request: request.spec?.request,
      signerName: request.spec?.signerName,
      usages: request.spec?.usages,
      username: request.spec?.username,
    });
    expect(unfitness(keptOfRequest(request), 'shop-7')).toBeNull();
  });

  test('a text that is too long for an agent’s is neither read nor kept', async () => {
    const request = await signingRequest({ cluster: 'shop-7' });
    const text = Buffer.from(request.spec?.request ?? '', 'base64').toString('latin1');
    // Lines behind the last one count for nothing otherwise.
    const withLines = (count: number): string =>
      Buffer.from(`${text}${'\n'.repeat(count)}`).toString('base64');
    const long = withLines(30_000);
    const usages = Array.from({ length: 5_000 }, () => 'client auth');
    const stored = { ...request, spec: { ...request.spec, request: long, usages } } as typeof request;
    const kept = keptOfRequest(stored);
    expect([kept.spec?.request, kept.spec?.usages?.length]).toEqual(['', 10]);
    const asUsual = { ...stored, spec: { ...stored.spec, usages: request.spec?.usages } } as typeof request;
    expect(unfitness(asUsual, 'shop-7')).toBe('in a form in which no agent asks');
    const shorter = { ...asUsual, spec: { ...asUsual.spec, request: withLines(300) } } as typeof request;
    expect(unfitness(shorter, 'shop-7')).toBeNull();
  });
});
