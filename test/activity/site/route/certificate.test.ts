// The certificate of a Capp's hostname, on a real API server; the test plays cert-manager and Knative.
import { CERTIFICATE, type CertificateObject } from '../../../../crds/kubernetes/certificate.ts';
import { DOMAIN_MAPPING, type DomainMapping } from '../../../../crds/kubernetes/knative.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { is } from '../../../support/builders/site/knative.ts';
import { serveBare } from '../../../support/servers/api/definitions.ts';
import { at, siteTestbed } from '../../../support/testbeds/site/site.ts';
import { serveCappConfig, serveKnative, writeCappConfig } from '../../../support/testbeds/site/site-kinds.ts';

const testbed = siteTestbed();
beforeAll(async () => {
  await serveKnative(testbed.kube);
  await serveCappConfig(testbed.kube);
  await writeConfig({ issuer: 'cert-issuer' });
}, 300_000);

function writeConfig(dnsConfig: object): Promise<unknown> {
  return writeCappConfig(testbed.kube, { dnsConfig });
}

const secure = (hostname: string, tlsEnabled = true) => ({ routeSpec: { hostname, tlsEnabled } });
const live = (name: string) => testbed.kube.get<CertificateObject>(CERTIFICATE, at(name));
const there = (name: string) => eventually(async () => (await live(name)) ?? undefined);
const mapping = (name: string) => testbed.kube.get<DomainMapping>(DOMAIN_MAPPING, at(name));
const untilTls = (name: string, tls: object | undefined): Promise<unknown> =>
  eventually(async () => {
    expect((await mapping(name))?.spec?.['tls']).toEqual(tls);
    return true;
  });

/** Plays cert-manager: it says this of the newest generation. */
async function says(name: string, ready: 'True' | 'False', reason: string): Promise<void> {
  const { metadata } = await there(name);
  const conditions = [
    { ...is('Ready', ready, reason), message: reason, observedGeneration: metadata.generation },
  ];
  await testbed.kube.patch(CERTIFICATE, at(name), { status: { conditions } }, { subresource: 'status' });
}

/** Plays Knative: it answers under this scheme. */
async function answers(name: string, scheme: 'http' | 'https'): Promise<void> {
  const { metadata } = await eventually(async () => (await mapping(name)) ?? undefined);
  const status = {
    observedGeneration: metadata.generation,
    url: `${scheme}://${name}`,
    conditions: [is('Ready', 'True')],
  };
  await testbed.kube.patch(DOMAIN_MAPPING, at(name), { status }, { subresource: 'status' });
}

test('without cert-manager a Capp with TLS is mapped without it and says so; as soon as the kind is served it gets its Certificate', async () => {
  await testbed.make('early', secure('early.example.com'));
  await testbed.says('early', 'CertificateReady', 'NotServed');
  await answers('early.example.com', 'http');
  await testbed.says('early', 'RouteReady', 'Mapped');
  await serveBare(testbed.kube, CERTIFICATE);
  const { spec } = await there('early.example.com');
  expect(spec).toMatchObject({
    issuerRef: { name: 'cert-issuer', kind: 'ClusterIssuer', group: 'cert.dana.io' },
  });
  await testbed.says('early', 'CertificateReady', 'NotIssued');
}, 300_000);

test('W-32 the mapping gets the Secret once the Certificate is issued, and keeps it through a renewal', async () => {
  const name = 'shop.example.com';
  const tls = { secretName: `${name}-tls` };
  await testbed.make('shop', secure(name));
  await answers(name, 'http');
  await says(name, 'False', 'DoesNotExist');
  await testbed.says('shop', 'CertificateReady', 'NotIssued');
  await untilTls(name, undefined);
  await says(name, 'True', 'Ready');
  await untilTls(name, tls);
  await testbed.says('shop', 'CertificateReady', 'NotMapped');
  await answers(name, 'https');
  const capp = await testbed.says('shop', 'CertificateReady', 'Provided');
  expect(capp.status?.routeStatus).toMatchObject({
    certificateObjectStatus: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
  await says(name, 'False', 'Expired');
  await testbed.says('shop', 'CertificateReady', 'NotIssued');
  await testbed.operator.idle();
  await untilTls(name, tls);
}, 300_000);

test('a changed issuer reaches every Certificate, and without an issuer none is changed or deleted', async () => {
  const name = 'signed.example.com';
  await testbed.make('signed', secure(name));
  await says(name, 'True', 'Ready');
  await answers(name, 'http');
  const issuerRef = { name: 'acme', kind: 'Issuer', group: 'cert-manager.io' };
  await writeConfig({ issuerRef });
  await eventually(async () => {
    expect((await live(name))?.spec?.['issuerRef']).toEqual(issuerRef);
    return true;
  });
  await writeConfig({});
  await testbed.says('signed', 'CertificateReady', 'NoIssuer');
  expect((await live(name))?.spec?.['issuerRef']).toEqual(issuerRef);
  await writeConfig({ issuerRef });
  await testbed.says('signed', 'CertificateReady', 'NotIssued');
}, 300_000);

test('TLS that is switched off takes the Secret out of the mapping and removes the Certificate, and a changed hostname replaces it', async () => {
  const name = 'off.example.com';
  await testbed.make('off', secure(name));
  await says(name, 'True', 'Ready');
  await untilTls(name, { secretName: `${name}-tls` });
  await testbed.edit('off', secure(name, false));
  await untilTls(name, undefined);
  await eventually(async () => ((await live(name)) === null ? true : undefined));
  await testbed.edit('off', secure('on.example.com'));
  await there('on.example.com');
  await testbed.edit('off', secure('other.example.com'));
  await there('other.example.com');
  await eventually(async () => ((await live('on.example.com')) === null ? true : undefined));
}, 300_000);

test('W-15 a Certificate of somebody else stays as it is, and its Secret is not used', async () => {
  const name = 'foreign.example.com';
  const { apiVersion, kind } = CERTIFICATE;
  const made = await testbed.kube.create<CertificateObject>(CERTIFICATE, {
    apiVersion,
    kind,
    metadata: at(name),
  });
  await says(name, 'True', 'Ready');
  await testbed.make('foreign', secure(name));
  await testbed.says('foreign', 'CertificateReady', 'NameTaken');
  await untilTls(name, undefined);
  expect((await live(name))?.metadata.uid).toBe(made.metadata.uid);
  expect((await live(name))?.spec).toBeUndefined();
});

test('a settled Capp with a certificate causes no write, even when the operator restarts', async () => {
  const name = 'calm.example.com';
  await testbed.make('calm', secure(name));
  await says(name, 'True', 'Ready');
  await untilTls(name, { secretName: `${name}-tls` });
  await answers(name, 'https');
  await testbed.says('calm', 'CertificateReady', 'Provided');
  await testbed.operator.idle();
  const versions = async () =>
    [await testbed.live('calm'), await live(name), await mapping(name)].map(
      (one) => one?.metadata.resourceVersion,
    );
  const before = await testbed.atRest(versions);
  await testbed.restart();
  await testbed.operator.idle();
  expect(await versions()).toEqual(before);
});

test('a Capp that brings its Secret is mapped with it, and no Certificate is asked for', async () => {
  const name = 'brings.example.com';
  await testbed.make('brings', secure(name));
  await there(name);
  await testbed.edit('brings', { routeSpec: { tlsSecret: 'of-the-user' } });
  await untilTls(name, { secretName: 'of-the-user' });
  await eventually(async () => (await live(name)) === null);
  await testbed.says('brings', 'CertificateReady', 'NotMapped');
  await answers(name, 'https');
  await testbed.says('brings', 'CertificateReady', 'Provided');
  await testbed.edit('brings', { routeSpec: { tlsSecret: '' } });
  await there(name);
}, 300_000);

test('a Capp that drops its hostname and keeps tlsEnabled loses mapping and Certificate, and is edited as before', async () => {
  const name = 'drops.example.com';
  await testbed.make('drops', secure(name));
  await there(name);
  await testbed.edit('drops', { routeSpec: { hostname: null } });
  await eventually(async () => (await live(name)) === null && (await mapping(name)) === null);
  const { spec } = await testbed.edit('drops', { scaleSpec: { minReplicas: 1 } });
  expect(spec.routeSpec).toEqual({ tlsEnabled: true });
  const { status } = await testbed.says('drops', 'Ready', 'Deploying');
  expect(status?.conditions?.map(({ type }) => type)).toEqual(['Ready', 'Serving']);
}, 300_000);
