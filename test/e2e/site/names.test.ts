// Users of a hostname notice nothing: DNS, TLS and the app answer through a rollout, moves, and crashes of
// our processes. The issuer of certificates and the provider of DNS records are stand-ins.
import { CAPP_CONFIG, CAPP_CONFIG_KEYS } from '../../../crds/capp-config.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { DRAIN } from '../../../crds/drain/drain.ts';
import { RECORDS, type CnameRecord } from '../../../crds/dns-record.ts';
import { CERTIFICATE } from '../../../crds/kubernetes/certificate.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { ingressNameOf } from '../../../crds/ocm/cluster-claim.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { conditionOf, newNamespace, readCapp, readyCapp, siteOf, untilGone } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { configure } from '../../../testbed/rcs-config.ts';
import { otherSite, whileTainted } from '../../../testbed/sites.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';
import { askSecurely, whileUsed, type Users } from '../../../testbed/people/users.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { fakeDns, fakeIssuer, type Issuer, type Names } from '../../support/servers/site/fake-names.ts';

const TIMEOUT = { withinMs: 180_000, everyMs: 100 };
const ZONE = 'names.example';
const TTL_S = 2;
const [CONFIG] = CAPP_CONFIG_KEYS;

let stack: TestbedStack;
let namespace: string;
let issuer: Issuer;
let dns: Names;
let restore: () => Promise<void> = () => Promise.resolve();

beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'names');
  await serveBare(stack.hub, RECORDS.Namespaced);
  for (const site of stack.sites) await prepare(site);
  issuer = await fakeIssuer(new Map(stack.sites.map((site) => [site, stack.site(site)])));
  dns = fakeDns(stack.hub);
  restore = await configure(stack.hub, {
    dns: { zone: `${ZONE}.`, provider: 'fake', ttlSeconds: TTL_S, allowedTargets: ['*.example.net'] },
  });
  // Agents look once a minute; one that starts looks at once.
  await Promise.all(stack.sites.map((site) => stack.kill(`${site}-agent`)));
  for (const site of stack.sites) await untilClaimed(site);
}, 480_000);
afterAll(async () => {
  await restore();
  for (const site of stack.sites)
    if (CONFIG !== undefined) await stack.site(site).remove(CAPP_CONFIG, CONFIG);
  await Promise.all([issuer.stop(), dns.stop()]);
  await stack.close();
}, 480_000);

const ingress = (site: string): string => `ingress.${site}.example.net`;

/** The site's administrator says to which name records lead, and who issues certificates. */
async function prepare(site: string): Promise<void> {
  const kube = stack.site(site);
  await serveBare(kube, CERTIFICATE);
  const { apiVersion, kind } = CAPP_CONFIG;
  const issuerRef = { name: 'fake', kind: 'ClusterIssuer', group: 'cert-manager.io' };
  const dnsConfig = { zone: `${ZONE}.`, cname: ingress(site), issuerRef };
  const metadata = { name: CONFIG?.name ?? '', namespace: CONFIG?.namespace ?? '' };
  await kube.apply(
    NAMESPACE,
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: metadata.namespace } },
    { fieldManager: 'test', force: true },
  );
  await kube.apply(CAPP_CONFIG, { apiVersion, kind, metadata, spec: { dnsConfig } } as never, {
    fieldManager: 'test',
    force: true,
  });
}

function untilClaimed(site: string): Promise<true> {
  return eventually(async () => {
    const found = await stack.hub.get<ManagedCluster & { metadata: { name: string } }>(MANAGED_CLUSTER, {
      namespace: null,
      name: site,
    });
    if (found !== null && ingressNameOf(found) === ingress(site)) return true as const;
    throw new Error(`${site} claims ${JSON.stringify(found?.status?.clusterClaims)}`);
  }, TIMEOUT);
}

interface Served {
  readonly key: { readonly namespace: string; readonly name: string };
  readonly home: string;
  readonly users: Users;
}

/** A Capp with a hostname that answers by DNS and TLS. */
async function served(name: string): Promise<Served> {
  const hostname = `${name}-${namespace}.${ZONE}`;
  const migration = { cooldownSeconds: 0 };
  const spec = { routeSpec: { hostname, tlsEnabled: true }, migration };
  const { key, home } = await readyCapp(stack.hub, { namespace, name, image: 'ghcr.io/me/app:v1', spec });
  const users: Users = {
    hostname,
    ca: issuer.ca,
    ttlMs: TTL_S * 1000,
    resolve: () => dns.answers.get(hostname),
  };
  await eventually(async () => {
    const capp = await readCapp(stack.hub, key);
    const said = ['RecordReady', 'CertificateReady', 'RouteReady'].map((type) => conditionOf(capp, type));
    if (said.some((one) => one?.status !== 'True')) throw new Error(JSON.stringify(said));
    const failure = await askSecurely(stack, users, home);
    if (failure !== null) throw new Error(failure);
    return true;
  }, TIMEOUT);
  return { key, home, users };
}

/** Milliseconds until users are led to the site, and the old copy is gone. */
async function arrived({ key, users }: Served, to: string): Promise<number> {
  const begun = Date.now();
  await eventually(async () => {
    const capp = await readCapp(stack.hub, key);
    const migrating = conditionOf(capp, 'Migrating');
    const isThere = siteOf(capp) === to && migrating?.status === 'False';
    if (isThere && users.resolve() === ingress(to)) return true;
    throw new Error(`${siteOf(capp)}, ${users.resolve()}: ${migrating?.reason} ${migrating?.message}`);
  }, TIMEOUT);
  await untilGone(stack.site(otherSite(stack, to)), key);
  return Date.now() - begun;
}

const took = (what: string, ms: number): void =>
  void process.stdout.write(`${what} took ${(ms / 1000).toFixed(1)} s with a time to live of ${TTL_S} s\n`);

const move = ({ key }: Served, to: string, id: number): Promise<unknown> =>
  stack.hub.patch(CAPP, key, { metadata: { annotations: { 'rcs.dana.io/migrate': `${to}#${id}` } } });

test('users notice neither a rollout nor moves by hand, by a taint and by a drain', async () => {
  const capp = await served('moved');
  const away = otherSite(stack, capp.home);
  const key = { namespace, name: capp.users.hostname };
  const before = await stack.hub.get<CnameRecord & { metadata: { name: string } }>(RECORDS.Namespaced, key);
  const { from, failures } = await whileUsed(stack, capp.users, async () => {
    const containers = [{ name: 'app', image: 'ghcr.io/me/app:v2' }];
    await stack.hub.patch(CAPP, capp.key, {
      spec: { configurationSpec: { template: { spec: { containers } } } },
    });
    await eventually(async () => {
      const ready = conditionOf(await readCapp(stack.hub, capp.key), 'Ready');
      return ready?.status === 'True' && (ready.observedGeneration ?? 0) > 1 ? true : undefined;
    }, TIMEOUT);
    await move(capp, away, 1);
    took('A move by hand', await arrived(capp, away));
    await whileTainted(stack, away, async () => took('A move by a taint', await arrived(capp, capp.home)));
    const drain = { apiVersion: DRAIN.apiVersion, kind: DRAIN.kind, metadata: { name: capp.home }, spec: {} };
    await stack.hub.create(DRAIN, drain as never);
    took('A move by a drain', await arrived(capp, away));
    await stack.hub.remove(DRAIN, { namespace: null, name: capp.home });
  });
  expect(failures).toEqual([]);
  expect(new Set(from.keys())).toEqual(new Set(stack.sites));
  const after = await stack.hub.get<CnameRecord & { metadata: { name: string } }>(RECORDS.Namespaced, key);
  expect(after?.metadata.uid).toBe(before?.metadata.uid);
}, 900_000);

test('users notice no crash of hub worker, agents and site operators during a move', async () => {
  const capp = await served('killed');
  const away = otherSite(stack, capp.home);
  const { failures } = await whileUsed(stack, capp.users, async () => {
    await move(capp, away, 1);
    const names = ['hub-worker', ...stack.sites.flatMap((site) => [`${site}-agent`, `${site}-operator`])];
    const restarted = await Promise.all(names.map((process) => stack.killNow(process)));
    await Promise.all(restarted.map((back) => back()));
    took('A move with all our processes killed', await arrived(capp, away));
  });
  expect(failures).toEqual([]);
}, 900_000);

test('users are not sent to a site that has no certificate for their hostname yet', async () => {
  const capp = await served('waiting');
  const away = otherSite(stack, capp.home);
  issuer.paused.add(away);
  const { failures } = await whileUsed(stack, capp.users, async () => {
    await move(capp, away, 1);
    await eventually(async () => {
      const migrating = conditionOf(await readCapp(stack.hub, capp.key), 'Migrating');
      if (migrating?.reason === 'AwaitsHostname') return true;
      throw new Error(`${migrating?.reason}: ${migrating?.message}`);
    }, TIMEOUT);
    expect(siteOf(await readCapp(stack.hub, capp.key))).toBe(capp.home);
    issuer.paused.delete(away);
    took('A move after its certificate was issued', await arrived(capp, away));
  }).finally(() => issuer.paused.delete(away));
  expect(failures).toEqual([]);
}, 900_000);

test('the record goes with its Capp', async () => {
  const { key, users } = await served('gone');
  await stack.hub.remove(CAPP, key);
  await eventually(async () => (users.resolve() === undefined ? true : undefined), TIMEOUT);
}, 480_000);
