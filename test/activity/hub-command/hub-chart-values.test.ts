// deploy/helm-hub: which values helm takes and refuses, and what of the Pod depends on them. No server runs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Secret } from '../../../crds/kubernetes/core.ts';
import { openPki } from '../../../deploy/local/kubernetes/pki.ts';
import { configIn, notesOf, podIn, renderHub } from '../../support/servers/chart/hub-chart.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hub-chart-values-'));
  await openPki(join(folder, 'given'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each<[string, Readonly<Record<string, string>>, readonly string[], number | undefined]>([
  ['a load balancer', { 'loadbalancer.enabled': 'true' }, [], 65_532],
  ['routes and no OpenShift', { 'route.enabled': 'true' }, [], 65_532],
  [
    'a load balancer on OpenShift',
    { 'loadbalancer.enabled': 'true' },
    ['security.openshift.io/v1'],
    undefined,
  ],
])('with %s the volume has the group that is allowed there', async (_, door, apis, group) => {
  const names = { 'apiserver.externalHostname': 'a.example', 'gateway.externalHostname': 'b.example' };
  const objects = await renderHub({ name: 'hub', namespace: 'hubs-d', values: { ...door, ...names }, apis });
  const { fsGroup, ...more } = podIn(objects).securityContext;
  expect(fsGroup).toBe(group);
  expect(more).toMatchObject({ runAsNonRoot: true, fsGroupChangePolicy: 'OnRootMismatch' });
});

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  [
    'an unknown value',
    { 'apiserver.externalHostName': 'a' },
    /at '\/apiserver'.*'externalHostName' not allowed/,
  ],
  [
    'two ways in',
    { 'route.enabled': 'true', 'nodeport.enabled': 'true' },
    /nodeport\.enabled and route\.enabled exclude/,
  ],
  [
    'a way in without a name',
    { 'loadbalancer.enabled': 'true' },
    /apiserver\.externalHostname must be set with loadbalancer/,
  ],
  [
    'a route without the gateway’s name',
    { 'route.enabled': 'true', 'apiserver.externalHostname': 'a.b' },
    /gateway\.externalHostname must be set/,
  ],
  ['an external etcd without servers', { 'etcd.mode': 'external' }, /etcd\.servers must be set/],
  ['servers of an etcd that is not external', { 'etcd.servers': '{https://e:1}' }, /etcd\.mode is embed/],
  [
    'an external Temporal without an address',
    { 'temporal.mode': 'external' },
    /temporal\.address must be set/,
  ],
  ['a path in place of what is in the file', { 'apiserver.ca': 'ca.crt' }, /at '\/apiserver\/ca'/],
  ['self-management', { enableSelfManagement: 'true' }, /enableSelfManagement is declined: .*cappstan join/],
  [
    'delegated authentication',
    { enableDelegatingAuthentication: 'true' },
    /enableDelegatingAuthentication is declined/,
  ],
])('helm refuses %s by its name', async (_, values, sentence) => {
  await expect(renderHub({ name: 'hub', namespace: 'x', values })).rejects.toThrow(sentence);
});

test.each([
  ['http://abcdefg.com', 'https://abcdefg.com:9443'],
  ['https://abcdefg.com/', 'https://abcdefg.com:9443'],
  ['abcdefg.com', 'https://abcdefg.com:9443'],
])('of the name %s helm says the address %s, as the hub reads it', async (name, address) => {
  const notes = await notesOf({
    name: 'hub',
    namespace: 'x',
    values: { 'apiserver.externalHostname': name, 'gateway.externalHostname': name },
  });
  expect(notes).toContain(`API server  ${address}\n`);
  expect(notes).toContain('gateway     abcdefg.com:7443\n');
});

test('helm refuses half of a pair by its name', async () => {
  const files = { 'apiserver.ca': join(folder, 'given', 'ca.crt') };
  await expect(renderHub({ name: 'hub', namespace: 'x', files })).rejects.toThrow(
    /apiserver\.ca is given without apiserver\.cakey/,
  );
});

test('with the way to sites, cappstan hub is told of it, and gets the authority as a file', async () => {
  const given = {
    values: { 'reader.userServer': 'https://proxy.example:9092' },
    files: { 'reader.ca': join(folder, 'given', 'ca.crt') },
  };
  const objects = await renderHub({ name: 'hub', namespace: 'x', ...given });
  const reader = { userServer: given.values['reader.userServer'], userServerCaFile: 'reader-ca.crt' };
  expect(configIn(objects)).toMatchObject({ reader });
  const secret: Secret | undefined = objects.find(({ metadata }) => metadata.name === 'hub-given');
  expect(Object.keys(secret?.data ?? {})).toEqual(['reader-ca.crt']);
  await expect(renderHub({ name: 'hub', namespace: 'x', values: given.values })).rejects.toThrow(
    /reader\.userServer is given without reader\.ca/,
  );
});
