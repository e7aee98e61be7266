// Who is let in on the local stack, on a real API server that signs certificates and knows bootstrap tokens.
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshToken, tokenKey, tokenSecret, type TokenText } from '../../../crds/join/bootstrap-token.ts';
import { stateOfRequest, type SigningRequest } from '../../../crds/join/signing-request.ts';
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { openPki } from '../../../deploy/local/kubernetes/pki.ts';
import { acceptAgent, expectSite, spendToken } from '../../../deploy/local/ocm/registration.ts';
import { joinTestbed } from '../../support/testbeds/join/join.ts';

const hub = joinTestbed();
const folder = mkdtempSync(join(tmpdir(), 'registration-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function expected(site: string) {
  const ca = join(folder, 'ca.crt');
  writeFileSync(ca, 'a certificate');
  const dir = join(folder, site);
  return expectSite(hub.kube, { site, hub: 'https://hub.example', ca, dir, leaseSeconds: 5 });
}

function shownBy(bootstrap: string): TokenText {
  const [, id = '', secret = ''] =
    /token: ([a-z0-9]{6})\.([a-z0-9]{16})/.exec(readFileSync(bootstrap, 'utf8')) ?? [];
  return { id, secret };
}

const stateOf = async ({ metadata }: SigningRequest): Promise<string> => {
  const found = await hub.read(metadata.name);
  return found === null ? 'gone' : stateOfRequest(found);
};

test('the site’s agent is let in by its token, and nobody else who asks under its name', async () => {
  const site = 'site-1';
  const coming = await expected(site);
  expect((await hub.clusterOf(site))?.spec).toMatchObject({
    hubAcceptsClient: true,
    leaseDurationSeconds: 5,
  });
  const stranger = freshToken(randomBytes);
  await hub.kube.create<Secret>(SECRET, tokenSecret(stranger, Date.now() + 3_600_000, null));
  const theirs = await hub.asks(stranger, { cluster: site });
  const token = shownBy(coming.bootstrap);
  const another = await hub.asks(token, {
    cluster: site,
    organizations: [`system:open-cluster-management:${site}`, 'cappstan-admins'],
  });
  const own = await hub.asks(token, { cluster: site });
  await acceptAgent(hub.kube, coming);
  await acceptAgent(hub.kube, coming);
  expect(await Promise.all([own, theirs, another].map(stateOf))).toEqual(['Approved', 'Pending', 'Pending']);
  await spendToken(hub.kube, coming);
  await spendToken(hub.kube, coming);
  expect(await hub.kube.getMetadata(SECRET, tokenKey(token.id))).toBeNull();
});

test('a start that was interrupted goes on with its token, and makes another when that is gone', async () => {
  const first = await expected('site-2');
  expect(await expected('site-2')).toEqual(first);
  await hub.kube.remove(SECRET, tokenKey(shownBy(first.bootstrap).id));
  const second = await expected('site-2');
  expect(second.token).not.toBe(first.token);
  expect(readdirSync(join(folder, 'site-2'))).toHaveLength(1);
  expect(await hub.kube.getMetadata(SECRET, tokenKey(second.token ?? ''))).not.toBeNull();
});

test('an agent that has a good credential of its own needs no token', async () => {
  const { bootstrap } = await expected('site-3');
  const { cert } = await (await openPki(join(folder, 'pki'))).issue('agent', { name: 'agent' });
  mkdirSync(join(folder, 'site-3', 'hub'));
  copyFileSync(cert, join(folder, 'site-3', 'hub', 'tls.crt'));
  await hub.kube.remove(SECRET, tokenKey(shownBy(bootstrap).id));
  expect(await expected('site-3')).toEqual({ site: 'site-3', bootstrap, token: null });
});
