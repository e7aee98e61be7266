import type { Capp } from '../../../crds/capp/capp.ts';
import { DOMAIN_MAPPING, KNATIVE_REVISION, KNATIVE_SERVICE, NFS_PVC, type DomainMapping } from '../../../crds/kubernetes/knative.ts';
import { serveBare } from '../../support/servers/definitions.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { is } from '../../support/builders/knative.ts';
import { at, raiseSiteStage } from '../../support/testbeds/site.ts';

const stage = raiseSiteStage();

const routed = (hostname: string, more: object = {}) => ({ routeSpec: { hostname, ...more } });
const mapping = (domain: string) => stage.kube.get<DomainMapping>(DOMAIN_MAPPING, at(domain));
const there = (domain: string) => eventually(async () => (await mapping(domain)) ?? undefined);
const gone = (domain: string) => eventually(async () => ((await mapping(domain)) === null ? true : undefined));
const condition = (capp: Capp, type: string) => capp.status?.conditions?.find((one) => one.type === type);

/** Plays Knative: it maps the domain. */
async function maps(domain: string): Promise<void> {
  const { metadata } = await there(domain);
  const status = { observedGeneration: metadata.generation, url: `http://${domain}`, conditions: [is('Ready', 'True')] };
  await stage.kube.patch(DOMAIN_MAPPING, at(domain), { status }, { subresource: 'status' });
}

describe('before the site serves DomainMapping', () => {
  it('a Capp with a hostname says so, deploys all the same, and is mapped as soon as it does', async () => {
    await Promise.all([KNATIVE_SERVICE, KNATIVE_REVISION, NFS_PVC].map((kind) => serveBare(stage.kube, kind)));
    await stage.make('early', routed('early.example.com'));
    await stage.says('early', 'RouteReady', 'NotServed');
    await stage.says('early', 'Ready', 'Deploying');
    await serveBare(stage.kube, DOMAIN_MAPPING);
    await there('early.example.com');
    await stage.says('early', 'RouteReady', 'NotMapped');
  }, 60_000);
});

describe('a Capp with a hostname', () => {
  it('leads the domain to its Service, and tells what Knative says', async () => {
    const { metadata } = await stage.make('shop', routed('Shop.example.com'));
    const { metadata: made, spec } = await there('shop.example.com');
    expect(spec).toMatchObject({ ref: { kind: 'Service', name: 'shop', namespace: 'apps' } });
    expect(made.ownerReferences).toMatchObject([{ kind: 'Capp', name: 'shop', uid: metadata.uid }]);
    await maps('shop.example.com');
    const capp = await stage.says('shop', 'RouteReady', 'Mapped');
    expect(capp.status?.routeStatus).toMatchObject({ domainMappingObjectStatus: { url: 'http://shop.example.com' } });
    expect(condition(capp, 'CertificateReady')).toBeUndefined();
    expect(condition(capp, 'Ready')?.reason).toBe('Deploying');
  });

  it('lets go of the domain that it no longer names', async () => {
    await stage.make('mover', routed('old.example.com'));
    await maps('old.example.com');
    await stage.says('mover', 'RouteReady', 'Mapped');
    await stage.edit('mover', routed('new.example.com'));
    await there('new.example.com');
    await gone('old.example.com');
    await stage.says('mover', 'RouteReady', 'NotMapped');
    await stage.edit('mover', { routeSpec: null });
    await gone('new.example.com');
    const capp = await eventually(async () => {
      const now = await stage.live('mover');
      return now.status?.observedGeneration === now.metadata.generation ? now : undefined;
    });
    expect(condition(capp, 'RouteReady')).toBeUndefined();
    expect(capp.status?.routeStatus).toBeUndefined();
  });

  it('takes no domain that is not its own, also not when it lets go, and goes on when it is free', async () => {
    const foreign = {
      apiVersion: DOMAIN_MAPPING.apiVersion,
      kind: 'DomainMapping',
      metadata: at('taken.example.com'),
      spec: { mine: true },
    };
    const made = await stage.kube.create<DomainMapping>(DOMAIN_MAPPING, foreign);
    await stage.make('taker', routed('taken.example.com'));
    await stage.says('taker', 'RouteReady', 'NameTaken');
    await stage.edit('taker', routed('else.example.com'));
    await there('else.example.com');
    await stage.edit('taker', routed('taken.example.com'));
    await gone('else.example.com');
    await stage.says('taker', 'RouteReady', 'NameTaken');
    expect((await mapping('taken.example.com'))?.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    await stage.kube.remove(DOMAIN_MAPPING, at('taken.example.com'));
    await maps('taken.example.com');
    await stage.says('taker', 'RouteReady', 'Mapped');
  });

  it('that is settled costs no write, also when the operator starts anew', async () => {
    await stage.make('calm', routed('calm.example.com'));
    await maps('calm.example.com');
    await stage.says('calm', 'RouteReady', 'Mapped');
    await stage.operator.idle();
    const versions = async () => [
      (await stage.live('calm')).metadata.resourceVersion,
      (await there('calm.example.com')).metadata.resourceVersion,
    ];
    const before = await versions();
    await stage.restart();
    await stage.operator.idle();
    expect(await versions()).toEqual(before);
  });
});

it('a Capp that asks for what nobody makes yet reads that, and is held back by nothing', async () => {
  const logSpec = { type: 'elastic', host: 'h', index: 'i', user: 'u', passwordSecret: 'p' };
  await stage.make('asking', { ...routed('asking.example.com', { tlsEnabled: true }), logSpec });
  await stage.says('asking', 'CertificateReady', 'NotSupported');
  const capp = await stage.says('asking', 'LoggingReady', 'NotSupported');
  expect(condition(capp, 'Ready')?.reason).toBe('Deploying');
});
