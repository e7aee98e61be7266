// All that the site operator makes for a Capp goes with it, on a real API server that serves every kind.
import { CAPP_REVISION } from '../../../crds/capp-revision.ts';
import { RECORDS } from '../../../crds/dns-record.ts';
import { CERTIFICATE } from '../../../crds/kubernetes/certificate.ts';
import { KAFKA_SOURCE, PING_SOURCE } from '../../../crds/kubernetes/eventing.ts';
import {
  DOMAIN_MAPPING,
  KNATIVE_REVISION,
  KNATIVE_SERVICE,
  NFS_PVC,
} from '../../../crds/kubernetes/knative.ts';
import { SYSLOG_NG_FLOW, SYSLOG_NG_OUTPUT } from '../../../crds/kubernetes/logging.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { NS, siteTestbed } from '../../support/testbeds/site/site.ts';
import { serveCappConfig, writeCappConfig } from '../../support/testbeds/site/site-kinds.ts';

const BARE: readonly Resource[] = [
  KNATIVE_SERVICE,
  NFS_PVC,
  DOMAIN_MAPPING,
  CERTIFICATE,
  RECORDS.Namespaced,
  SYSLOG_NG_FLOW,
  SYSLOG_NG_OUTPUT,
  PING_SOURCE,
  KAFKA_SOURCE,
];
const MADE = [...BARE, CAPP_REVISION];

const testbed = siteTestbed();
beforeAll(async () => {
  const { kube } = testbed;
  for (const kind of [...BARE, KNATIVE_REVISION]) await serveBare(kube, kind);
  await serveCappConfig(kube);
  const issuerRef = { name: 'ca', kind: 'ClusterIssuer', group: 'cert-manager.io' };
  const dnsConfig = { zone: 'capp-zone.com.', cname: 'ingress.example.net.', provider: 'default', issuerRef };
  await writeCappConfig(kube, { dnsConfig });
}, 300_000);

const EVERYTHING = {
  routeSpec: { hostname: 'shop', tlsEnabled: true },
  volumesSpec: {
    nfsVolumes: [{ name: 'shop-data', server: 'nfs', path: '/data', capacity: { storage: '1Gi' } }],
  },
  logSpec: { type: 'elastic', host: 'logs', index: 'main', user: 'elastic', passwordSecret: 'logs' },
  eventSourcesSpec: {
    sources: [
      { name: 'tick', pingSourceConfiguration: { schedule: '* * * * *' } },
      {
        name: 'orders',
        kafkaSourceConfiguration: {
          bootstrapServers: ['kafka:9092'],
          topics: ['t'],
          secretRef: { name: 'kafka' },
        },
      },
    ],
  },
};

const madeOf = async (kind: Resource): Promise<KubeObject[]> =>
  (await testbed.kube.list<KubeObject>(kind, { namespace: NS })).items;

test('each object that is made for a Capp has this very Capp as its owner, so that it goes with it at any moment of its life', async () => {
  const { metadata } = await testbed.make('shop', EVERYTHING);
  const owner = { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'Capp', name: 'shop', uid: metadata.uid };
  for (const kind of MADE) {
    const owners = await eventually(async () => {
      const made = await madeOf(kind);
      return made.length === 0 ? undefined : made.map((one) => one.metadata.ownerReferences);
    });
    expect(owners).toEqual(owners.map(() => [expect.objectContaining(owner)]));
  }
  expect((await testbed.live('shop')).metadata.finalizers).toBeUndefined();
});
