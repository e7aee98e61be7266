// A site's CappConfig decides about hostnames and limits, on a real API server; the test plays Knative.
import { CAPP_CONFIG } from '../../../../crds/capp-config.ts';
import { CAPP_CONFIG_DEFINITION } from '../../../../crds/definitions/definitions.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import {
  DOMAIN_MAPPING,
  KNATIVE_REVISION,
  KNATIVE_SERVICE,
  NFS_PVC,
  type DomainMapping,
  type KnativeService,
} from '../../../../crds/kubernetes/knative.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { serve, serveBare } from '../../../support/servers/definitions.ts';
import { at, siteTestbed } from '../../../support/testbeds/site.ts';

const HEAD = { namespace: 'container-app-operator-system', name: 'capp-config' };

const testbed = siteTestbed();
beforeAll(async () => {
  for (const kind of [KNATIVE_SERVICE, KNATIVE_REVISION, NFS_PVC, DOMAIN_MAPPING])
    await serveBare(testbed.kube, kind);
  await serve(testbed.kube, CAPP_CONFIG_DEFINITION, CAPP_CONFIG);
  await testbed.kube.create(NAMESPACE, { metadata: { name: HEAD.namespace } });
}, 300_000);

const routed = (hostname: string) => ({ routeSpec: { hostname } });
const mapping = (domain: string) => testbed.kube.get<DomainMapping>(DOMAIN_MAPPING, at(domain));
const there = (domain: string) => eventually(async () => (await mapping(domain)) ?? undefined);
const gone = (domain: string) =>
  eventually(async () => ((await mapping(domain)) === null ? true : undefined));

function write(spec: object): Promise<unknown> {
  const object = { apiVersion: CAPP_CONFIG.apiVersion, kind: CAPP_CONFIG.kind, metadata: HEAD, spec };
  return testbed.kube.apply(CAPP_CONFIG, object, { fieldManager: 'test', force: true });
}

test('a bare hostname is served in the zone of the site as soon as the site has one, and follows it to another zone', async () => {
  await testbed.make('shop', routed('shop'));
  const capp = await testbed.says('shop', 'RouteReady', 'NotQualified');
  expect(capp.status?.conditions?.find(({ type }) => type === 'RouteReady')?.message).toContain(
    'dnsConfig.zone',
  );
  await write({ dnsConfig: { zone: 'one.example.com.' } });
  await there('shop.one.example.com');
  await testbed.says('shop', 'RouteReady', 'NotMapped');
  await write({ dnsConfig: { zone: 'two.example.com.' } });
  await there('shop.two.example.com');
  await gone('shop.one.example.com');
}, 300_000);

test('a name in the zone that somebody else has is taken when it is free, although the Capp names only its first part', async () => {
  const { apiVersion, kind } = DOMAIN_MAPPING;
  const name = 'taken.two.example.com';
  await testbed.kube.create<DomainMapping>(DOMAIN_MAPPING, { apiVersion, kind, metadata: at(name) });
  await testbed.make('taker', routed('taken'));
  await testbed.says('taker', 'RouteReady', 'NameTaken');
  await testbed.kube.remove(DOMAIN_MAPPING, at(name));
  await testbed.says('taker', 'RouteReady', 'NotMapped');
});

test('a hostname that the CappConfig does not allow is not mapped until it is allowed, and keeps its mapping when it is no longer', async () => {
  const only = (match: string) =>
    write({
      dnsConfig: { zone: 'two.example.com.' },
      allowedHostnamePatterns: [{ match, explanation: 'names of b' }],
    });
  await only(String.raw`b\..*`);
  await testbed.make('strict', routed('a'));
  await testbed.says('strict', 'RouteReady', 'HostnameRefused');
  expect(await mapping('a.two.example.com')).toBeNull();
  await only('.*');
  await there('a.two.example.com');
  await testbed.says('strict', 'RouteReady', 'NotMapped');
  await only(String.raw`b\..*`);
  await testbed.edit('strict', { state: 'disabled' });
  await testbed.says('strict', 'RouteReady', 'Disabled');
  expect(await mapping('a.two.example.com')).not.toBeNull();
  await testbed.edit('strict', routed('c'));
  await testbed.says('strict', 'RouteReady', 'HostnameRefused');
  await gone('a.two.example.com');
}, 300_000);

test('a Capp gets no more replicas than the CappConfig allows, says so, and gets what it asks for when that is allowed', async () => {
  const least = async (): Promise<string | undefined> => {
    const service = await testbed.kube.get<KnativeService>(KNATIVE_SERVICE, at('large'));
    return service?.spec?.template?.metadata?.annotations?.['autoscaling.knative.dev/min-scale'];
  };
  const until = (scale: string) => eventually(async () => ((await least()) === scale ? true : undefined));
  await write({ autoscaleConfig: { minReplicasLimit: 3 } });
  await testbed.make('large', { scaleSpec: { minReplicas: 9 } });
  await until('3');
  await testbed.says('large', 'ScaleReady', 'LimitExceeded');
  await write({ autoscaleConfig: { minReplicasLimit: 9 } });
  await until('9');
  await eventually(async () => {
    const { status } = await testbed.live('large');
    return status?.conditions?.some(({ type }) => type === 'ScaleReady') === true ? undefined : true;
  });
}, 300_000);
