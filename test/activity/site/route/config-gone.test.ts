// What stands for a hostname stays when the site's CappConfig, which says in which zone it is, goes; on a
// real API server.
import { CAPP_CONFIG } from '../../../../crds/capp-config.ts';
import { CERTIFICATE } from '../../../../crds/kubernetes/certificate.ts';
import { DOMAIN_MAPPING } from '../../../../crds/kubernetes/knative.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { at, siteTestbed } from '../../../support/testbeds/site/site.ts';
import {
  CONFIG_KEY,
  serveCappConfig,
  serveKnative,
  writeCappConfig,
} from '../../../support/testbeds/site/site-kinds.ts';

const ISSUER = { name: 'letsencrypt', kind: 'ClusterIssuer', group: 'cert-manager.io' };
const DNS = { zone: 'one.example.com.', issuerRef: ISSUER };

const testbed = siteTestbed();
beforeAll(async () => {
  await serveKnative(testbed.kube, CERTIFICATE);
  await serveCappConfig(testbed.kube);
}, 300_000);

const routed = (hostname: string) => ({ routeSpec: { hostname, tlsEnabled: true } });

async function configure(dnsConfig: object): Promise<void> {
  await writeCappConfig(testbed.kube, { dnsConfig });
}

/** A new bare hostname says that the operator has noticed. */
async function removeConfig(probe: string): Promise<void> {
  await testbed.kube.remove(CAPP_CONFIG, CONFIG_KEY);
  await testbed.make(probe, routed(probe));
  await testbed.says(probe, 'RouteReady', 'NotQualified');
  await testbed.operator.idle();
}

const live = (kind: Resource, name: string) => testbed.kube.get<KubeObject>(kind, at(name));
const there = (kind: Resource, name: string) => eventually(async () => (await live(kind, name)) ?? undefined);
const gone = (kind: Resource, name: string) =>
  eventually(async () => ((await live(kind, name)) === null ? true : undefined));

const uidsOf = (names: readonly string[]) =>
  Promise.all(
    names.flatMap((name) =>
      [DOMAIN_MAPPING, CERTIFICATE].map(async (kind) => (await live(kind, name))?.metadata.uid),
    ),
  );

test('a deleted CappConfig takes neither mapping nor certificate from a hostname in its zone, also after a restart', async () => {
  const names = ['shop.one.example.com', 'capp.dev.one.example.com'];
  await configure(DNS);
  await testbed.make('shop', routed('shop'));
  await testbed.make('outside', routed('capp.dev'));
  for (const name of names) for (const kind of [DOMAIN_MAPPING, CERTIFICATE]) await there(kind, name);
  const before = await uidsOf(names);
  await removeConfig('early');
  expect(await uidsOf(names)).toEqual(before);
  expect(await live(DOMAIN_MAPPING, 'capp.dev')).toBeNull();
  await testbed.says('shop', 'RouteReady', 'NotMapped');
  await testbed.restart();
  await testbed.edit('shop', { scaleSpec: { minReplicas: 1 } });
  await testbed.says('shop', 'RouteReady', 'NotMapped');
  await testbed.operator.idle();
  expect(await uidsOf(names)).toEqual(before);
}, 300_000);

test('without a zone in the CappConfig what stands stays, and another zone is followed', async () => {
  const name = 'shop.one.example.com';
  const before = await uidsOf([name]);
  await configure({ issuerRef: ISSUER });
  await testbed.says('shop', 'CertificateReady', 'NotIssued');
  expect(await uidsOf([name])).toEqual(before);
  await configure({ ...DNS, zone: 'two.example.com.' });
  for (const kind of [DOMAIN_MAPPING, CERTIFICATE]) {
    await there(kind, 'shop.two.example.com');
    await gone(kind, name);
  }
}, 300_000);

test('while no zone is known a hostname that is edited gives up its mapping, and the former name is no zone', async () => {
  await removeConfig('later');
  await testbed.make('whole', routed('whole.dev'));
  await there(DOMAIN_MAPPING, 'whole.dev');
  await testbed.edit('whole', routed('whole'));
  await testbed.edit('shop', routed('store'));
  for (const name of ['whole', 'shop']) await testbed.says(name, 'RouteReady', 'NotQualified');
  await gone(DOMAIN_MAPPING, 'whole.dev');
  await gone(DOMAIN_MAPPING, 'shop.two.example.com');
}, 300_000);
