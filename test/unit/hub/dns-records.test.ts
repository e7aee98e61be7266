// Whose a DNS record is, when it no longer bears the label by which it is found.
import { leadsElsewhere, recordNamed } from '../../../activities/hub/dns/records.ts';
import { RECORDS, type NamedRecord } from '../../../crds/dns-record.ts';
import {
  CAPP_UID,
  MANAGED_BY,
  MANAGED_BY_HUB,
  PARENT_CAPP,
  PARENT_CAPP_NAMESPACE,
} from '../../../crds/labels.ts';
import { INGRESS_CLAIM } from '../../../crds/ocm/cluster-claim.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';

const REF = { namespace: 'apps', name: 'shop', uid: 'capp-uid' };
const NAME = 'shop.example.com';
const NAMED = { [PARENT_CAPP]: 'shop', [PARENT_CAPP_NAMESPACE]: 'apps', [MANAGED_BY]: MANAGED_BY_HUB };
const owned = (uid: string) => [{ apiVersion: 'v1', kind: 'Capp', name: 'shop', uid }];

type Marks = Pick<NamedRecord['metadata'], 'labels' | 'ownerReferences'>;

async function whose(marks: Marks): Promise<string[]> {
  const kube = { list: async () => ({ items: [{ metadata: { name: NAME, ...marks } }] }) } as unknown as Kube;
  const asked = { resource: RECORDS.Namespaced, name: NAME, ref: REF, own: [] };
  return Object.keys(await recordNamed(kube, asked));
}

test.each<[string, Marks]>([
  ['live', { ownerReferences: owned('capp-uid') }],
  ['live', { ownerReferences: owned('capp-uid'), labels: { [CAPP_UID]: 'forged' } }],
  ['live', { labels: NAMED }],
  ['other', { labels: { ...NAMED, [CAPP_UID]: 'namesake' } }],
  ['other', { labels: { ...NAMED, [PARENT_CAPP]: 'other' } }],
  ['other', { labels: { ...NAMED, [MANAGED_BY]: 'somebody' } }],
  ['other', { ownerReferences: owned('namesake') }],
  ['other', {}],
])(
  'the Capp’s is the record of the name with its owner or what it says of it: %s, with %j',
  async (is, marks) => {
    expect(await whose(marks)).toEqual([is]);
  },
);

const sites = ['site-1', 'site-2'].map((name) => ({
  metadata: { name },
  status: { clusterClaims: [{ name: INGRESS_CLAIM, value: `${name}.example.com` }] },
})) as unknown as ManagedCluster[];

test.each<[boolean, string, Marks]>([
  [true, 'site-1.example.com.', {}],
  [false, 'site-2.example.com.', {}],
  [false, 'elsewhere.example.com.', {}],
  [false, 'site-1.example.com.', { labels: { [CAPP_UID]: 'namesake' } }],
  [false, 'site-1.example.com.', { labels: { [PARENT_CAPP_NAMESPACE]: 'apps' } }],
  [false, 'site-1.example.com.', { ownerReferences: owned('namesake') }],
])('users may be led by a record that nobody owns: %s for %s with %j', (is, cname, marks) => {
  const record = { metadata: { name: NAME, ...marks }, spec: { forProvider: { cname } } };
  expect(leadsElsewhere(record, sites, 'site-2')).toBe(is);
});
