// A site's CappConfig decides about hostnames and limits, on a real API server; the test plays Knative.
import {
  DOMAIN_MAPPING,
  KNATIVE_SERVICE,
  type DomainMapping,
  type KnativeService,
} from '../../../../crds/kubernetes/knative.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { at, siteTestbed } from '../../../support/testbeds/site/site.ts';
import { serveCappConfig, serveKnative, writeCappConfig } from '../../../support/testbeds/site/site-kinds.ts';

const testbed = siteTestbed();
beforeAll(async () => {
  await serveKnative(testbed.kube);
  await serveCappConfig(testbed.kube);
}, 300_000);

const routed = (hostname: string) => ({ routeSpec: { hostname } });
const mapping = (domain: string) => testbed.kube.get<DomainMapping>(DOMAIN_MAPPING, at(domain));
const there = (domain: string) => eventually(async () => (await mapping(domain)) ?? undefined);
const gone = (domain: string) =>
  eventually(async () => ((await mapping(domain)) === null ? true : undefined));

function write(spec: object): Promise<unknown> {
  return writeCappConfig(testbed.kube, spec);
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
