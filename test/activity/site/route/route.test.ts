// The DomainMapping of a Capp with a hostname, on a real API server; the test plays Knative.
import type { Capp } from '../../../../crds/capp/capp.ts';
import {
  DOMAIN_MAPPING,
  KNATIVE_REVISION,
  KNATIVE_SERVICE,
  NFS_PVC,
  type DomainMapping,
} from '../../../../crds/kubernetes/knative.ts';
import { serveBare } from '../../../support/servers/api/definitions.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { is } from '../../../support/builders/site/knative.ts';
import { at, siteTestbed } from '../../../support/testbeds/site/site.ts';

const testbed = siteTestbed();

const routed = (hostname: string, more: object = {}) => ({ routeSpec: { hostname, ...more } });
const mapping = (domain: string) => testbed.kube.get<DomainMapping>(DOMAIN_MAPPING, at(domain));
const there = (domain: string) => eventually(async () => (await mapping(domain)) ?? undefined);
const gone = (domain: string) =>
  eventually(async () => ((await mapping(domain)) === null ? true : undefined));
const condition = (capp: Capp, type: string) => capp.status?.conditions?.find((one) => one.type === type);

/** Plays Knative: it maps the domain. */
async function maps(domain: string): Promise<void> {
  const { metadata } = await there(domain);
  const status = {
    observedGeneration: metadata.generation,
    url: `http://${domain}`,
    conditions: [is('Ready', 'True')],
  };
  await testbed.kube.patch(DOMAIN_MAPPING, at(domain), { status }, { subresource: 'status' });
}

describe('before the site serves DomainMapping', () => {
  it('a Capp with a hostname has RouteReady NotServed, is deployed all the same, and is mapped as soon as the kind is served', async () => {
    await Promise.all(
      [KNATIVE_SERVICE, KNATIVE_REVISION, NFS_PVC].map((kind) => serveBare(testbed.kube, kind)),
    );
    await testbed.make('early', routed('early.example.com'));
    await testbed.says('early', 'RouteReady', 'NotServed');
    await testbed.says('early', 'Ready', 'Deploying');
    await serveBare(testbed.kube, DOMAIN_MAPPING);
    await there('early.example.com');
    await testbed.says('early', 'RouteReady', 'NotMapped');
  }, 300_000);
});

describe('a Capp with a hostname', () => {
  it('gets a DomainMapping to its Service, and RouteReady follows the mapping', async () => {
    const { metadata } = await testbed.make('shop', routed('Shop.example.com'));
    const { metadata: made, spec } = await there('shop.example.com');
    expect(spec).toMatchObject({ ref: { kind: 'Service', name: 'shop', namespace: 'apps' } });
    expect(made.ownerReferences).toMatchObject([{ kind: 'Capp', name: 'shop', uid: metadata.uid }]);
    await maps('shop.example.com');
    const capp = await testbed.says('shop', 'RouteReady', 'Mapped');
    expect(capp.status?.routeStatus).toMatchObject({
      domainMappingObjectStatus: { url: 'http://shop.example.com' },
    });
    expect(condition(capp, 'CertificateReady')).toBeUndefined();
    expect(condition(capp, 'Ready')?.reason).toBe('Deploying');
  });

  it('loses the mapping of a domain that it no longer names', async () => {
    await testbed.make('mover', routed('old.example.com'));
    await maps('old.example.com');
    await testbed.says('mover', 'RouteReady', 'Mapped');
    await testbed.edit('mover', routed('new.example.com'));
    await there('new.example.com');
    await gone('old.example.com');
    await testbed.says('mover', 'RouteReady', 'NotMapped');
    await testbed.edit('mover', { routeSpec: null });
    await gone('new.example.com');
    const capp = await eventually(async () => {
      const now = await testbed.live('mover');
      return now.status?.observedGeneration === now.metadata.generation ? now : undefined;
    });
    expect(condition(capp, 'RouteReady')).toBeUndefined();
    expect(capp.status?.routeStatus).toBeUndefined();
  });

  it('neither takes nor deletes a mapping of another owner, and gets the domain when it is free', async () => {
    const foreign = {
      apiVersion: DOMAIN_MAPPING.apiVersion,
      kind: 'DomainMapping',
      metadata: at('taken.example.com'),
      spec: { mine: true },
    };
    const made = await testbed.kube.create<DomainMapping>(DOMAIN_MAPPING, foreign);
    await testbed.make('taker', routed('taken.example.com'));
    await testbed.says('taker', 'RouteReady', 'NameTaken');
    await testbed.edit('taker', routed('else.example.com'));
    await there('else.example.com');
    await testbed.edit('taker', routed('taken.example.com'));
    await gone('else.example.com');
    await testbed.says('taker', 'RouteReady', 'NameTaken');
    expect((await mapping('taken.example.com'))?.metadata.resourceVersion).toBe(
      made.metadata.resourceVersion,
    );
    await testbed.kube.remove(DOMAIN_MAPPING, at('taken.example.com'));
    await maps('taken.example.com');
    await testbed.says('taker', 'RouteReady', 'Mapped');
  });

  it('that is settled causes no write, even when the operator restarts', async () => {
    await testbed.make('calm', routed('calm.example.com'));
    await maps('calm.example.com');
    await testbed.says('calm', 'RouteReady', 'Mapped');
    await testbed.operator.idle();
    const versions = async () => [
      (await testbed.live('calm')).metadata.resourceVersion,
      (await there('calm.example.com')).metadata.resourceVersion,
    ];
    const before = await testbed.atRest(versions);
    await testbed.restart();
    await testbed.operator.idle();
    expect(await versions()).toEqual(before);
  });
});
