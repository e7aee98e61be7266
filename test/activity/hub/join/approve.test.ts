// Who is let in, on a real API server that signs certificates and knows bootstrap tokens: only who comes with
// the token for a cluster, as an agent of it, once.
import { randomBytes, X509Certificate } from 'node:crypto';
import { hubJoins } from '../../../../activities/hub/join/approve.ts';
import { freshToken, tokenKey, tokenSecret, type TokenText } from '../../../../crds/join/bootstrap-token.ts';
import {
  SIGNING_REQUEST,
  stateOfRequest,
  type SigningRequest,
} from '../../../../crds/join/signing-request.ts';
import { JOIN_TOKEN, JOINED_BY, TOKEN_ENDS_AT } from '../../../../crds/labels.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import { applyObjects, ourManifests } from '../../../../deploy/local/kubernetes/apply.ts';
import { writeKubeconfig } from '../../../../deploy/local/kubernetes/kubeconfig.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import { isConflict } from '../../../../kube/failure.ts';
import { endpointOf } from '../../../../kube/http/credentials.ts';
import { API_TIMEOUT_MS, eventually } from '../../../../testbed/eventually.ts';
import { joinVerdict } from '../../../../workflows/join/verdict.ts';
import { signingRequest, type Asked } from '../../../support/builders/join/requests.ts';
import { startApiServer, type ApiServerForTests } from '../../../support/servers/api-server.ts';
import { serveBare } from '../../../support/servers/definitions.ts';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let server: ApiServerForTests;
let kube: Kube;
const visitors: Kube[] = [];
let names = 0;

beforeAll(async () => {
  server = await startApiServer({
    flags: ['--enable-bootstrap-token-auth=true'],
    controllers: ['certificatesigningrequest-signing-controller'],
  });
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serveBare(kube, MANAGED_CLUSTER);
  await serveBare(kube, MANAGED_CLUSTER_ADD_ON);
  await applyObjects(kube, await ourManifests('hub'));
}, 300_000);
afterAll(async () => {
  for (const one of [...visitors, kube]) await one?.close();
  await server?.stop();
});

interface Expected {
  readonly cluster: string;
  readonly token: TokenText;
}

/** As `cappstan token --cluster` does it. */
async function expected(more: { endsAt?: number; isFor?: string; uid?: string } = {}): Promise<Expected> {
  names += 1;
  const cluster = `shop-${names}`;
  const token = freshToken(randomBytes);
  const { endsAt = Date.now() + 3_600_000, isFor = cluster } = more;
  const annotations = { [JOIN_TOKEN]: token.id, [TOKEN_ENDS_AT]: new Date(endsAt).toISOString() };
  const made = await kube.create<ManagedCluster>(MANAGED_CLUSTER, {
    metadata: { name: cluster, annotations },
    spec: { hubAcceptsClient: false },
  });
  const bound = { cluster: isFor, uid: more.uid ?? made.metadata.uid ?? '' };
  await kube.create<Secret>(SECRET, tokenSecret(token, endsAt, bound));
  return { cluster, token };
}

/** Somebody who has only this token. */
async function visitor({ id, secret }: TokenText): Promise<Kube> {
  const endpoint = endpointOf({ kubeconfig: server.kubeconfig });
  const { ca = '' } = (await endpoint.credentials()).tls;
  const dir = mkdtempSync(join(tmpdir(), 'visitor-'));
  writeFileSync(join(dir, 'ca.crt'), String(ca));
  const file = join(dir, 'kubeconfig');
  await writeKubeconfig(file, {
    cluster: 'hub',
    server: endpoint.origin,
    ca: join(dir, 'ca.crt'),
    credential: { token: `${id}.${secret}` },
  });
  const made = connect({ kubeconfig: file, deadlineMs: API_TIMEOUT_MS });
  visitors.push(made);
  return made;
}

async function asks(token: TokenText, asked: Asked): Promise<SigningRequest> {
  const who = await visitor(token);
  // The API server learns of a new token by its watch.
  return eventually(async () => who.create<SigningRequest>(SIGNING_REQUEST, await signingRequest(asked)));
}

const read = async (name: string): Promise<SigningRequest | null> =>
  kube.get<SigningRequest>(SIGNING_REQUEST, { namespace: null, name });
const clusterOf = async (name: string): Promise<ManagedCluster | null> =>
  kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name });

/** What the workflow does at one look, with what it is told to do. */
async function approves({ cluster, token }: Expected, { metadata }: SigningRequest, now?: number) {
  const joins = hubJoins({ kube, ...(now === undefined ? {} : { now: () => now }) });
  return joins.approveJoin(cluster, { request: metadata.name, token: token.id });
}

/** Neither the cluster nor the request is let in, whatever the activity is told. */
async function isLeftAlone(who: Expected, request: SigningRequest, why: RegExp, now?: number): Promise<void> {
  const before = await clusterOf(who.cluster);
  const answer = await approves(who, request, now);
  expect(answer).toEqual({ outcome: 'LeftAlone', why: expect.stringMatching(why) as string });
  const after = await read(request.metadata.name);
  expect(after === null ? 'Pending' : stateOfRequest(after)).not.toBe('Approved');
  expect((await clusterOf(who.cluster))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
}

describe('the agent of the expected cluster', () => {
  test('is accepted with the certificate that it asks for, and a repeat writes nothing', async () => {
    const who = await expected();
    const request = await asks(who.token, { cluster: who.cluster });
    expect(await approves(who, request)).toEqual({ outcome: 'Approved' });
    const issued = await eventually(async () => {
      const now = await read(request.metadata.name);
      return now?.status?.certificate === undefined ? undefined : now;
    });
    const certificate = new X509Certificate(Buffer.from(issued.status?.certificate ?? '', 'base64'));
    expect(certificate.subject).toContain(`CN=system:open-cluster-management:${who.cluster}:agent-1`);
    const accepted = await clusterOf(who.cluster);
    expect(accepted?.spec?.hubAcceptsClient).toBe(true);
    expect(await approves(who, request)).toEqual({ outcome: 'Approved' });
    expect((await clusterOf(who.cluster))?.metadata.resourceVersion).toBe(accepted?.metadata.resourceVersion);
    expect((await read(request.metadata.name))?.metadata.resourceVersion).toBe(
      issued.metadata.resourceVersion,
    );
  });

  test('the worker ends between the acceptance and the approval: the next one approves the same request', async () => {
    const who = await expected();
    const request = await asks(who.token, { cluster: who.cluster });
    const deaf: Kube = {
      ...kube,
      within: () => deaf,
      patch: async (resource, ...rest) => {
        if (resource.kind === SIGNING_REQUEST.kind) throw new Error('The worker is gone');
        return kube.patch(resource, ...rest);
      },
    };
    await expect(
      hubJoins({ kube: deaf }).approveJoin(who.cluster, {
        request: request.metadata.name,
        token: who.token.id,
      }),
    ).rejects.toThrow();
    expect(await clusterOf(who.cluster)).toMatchObject({ spec: { hubAcceptsClient: true } });
    // Meanwhile a thief asks with the same token: the token is spent on the first.
    const thief = await asks(who.token, { cluster: who.cluster });
    await isLeftAlone(who, thief, /used for another request/);
    const verdict = joinVerdict(who.cluster, await hubJoins({ kube }).seeJoin(who.cluster), Date.now());
    expect(verdict.act).toEqual({ do: 'approve', request: request.metadata.name, token: who.token.id });
    expect(await approves(who, request)).toEqual({ outcome: 'Approved' });
  });

  test('its token goes once it is spent, and only then; a repeat finds it gone', async () => {
    const who = await expected();
    const joins = hubJoins({ kube });
    await joins.releaseToken(who.cluster, who.token.id);
    expect(await kube.getMetadata(SECRET, tokenKey(who.token.id))).not.toBeNull();
    await approves(who, await asks(who.token, { cluster: who.cluster }));
    const other = await expected();
    await joins.releaseToken(who.cluster, other.token.id);
    await joins.releaseToken(other.cluster, who.token.id);
    expect(await kube.getMetadata(SECRET, tokenKey(who.token.id))).not.toBeNull();
    await joins.releaseToken(who.cluster, who.token.id);
    await joins.releaseToken(who.cluster, who.token.id);
    expect(await kube.getMetadata(SECRET, tokenKey(who.token.id))).toBeNull();
    expect(await kube.getMetadata(SECRET, tokenKey(other.token.id))).not.toBeNull();
  });

  test('of two that come with one token at the same time one is let in', async () => {
    const who = await expected();
    const both = [
      await asks(who.token, { cluster: who.cluster }),
      await asks(who.token, { cluster: who.cluster }),
    ];
    const answers = await Promise.allSettled(both.map((request) => approves(who, request)));
    expect(
      answers.filter((one) => one.status === 'fulfilled' && one.value.outcome === 'Approved'),
    ).toHaveLength(1);
    for (const request of both) await approves(who, request).catch(() => undefined);
    const states = await Promise.all(
      both.map(async ({ metadata }) => stateOfRequest((await read(metadata.name)) as SigningRequest)),
    );
    expect(states.toSorted()).toEqual(['Approved', 'Pending']);
  });

  test('whom a person refuses again is not accepted by a late try', async () => {
    const who = await expected();
    const request = await asks(who.token, { cluster: who.cluster });
    await approves(who, request);
    const key = { namespace: null, name: who.cluster };
    await kube.patch(MANAGED_CLUSTER, key, { spec: { hubAcceptsClient: false } });
    expect(await approves(who, request)).toMatchObject({ outcome: 'LeftAlone' });
    expect(await clusterOf(who.cluster)).toMatchObject({ spec: { hubAcceptsClient: false } });
  });
});

describe('left alone is', () => {
  test('who has a token that has ended, though the API server still knows it', async () => {
    const who = await expected();
    const request = await asks(who.token, { cluster: who.cluster });
    await isLeftAlone(who, request, /has ended/, Date.now() + 3_600_001);
  });

  test('who has a token for another cluster', async () => {
    const [who, other] = [await expected(), await expected()];
    const request = await asks(other.token, { cluster: who.cluster });
    await isLeftAlone(who, request, /has not shown/);
    await isLeftAlone({ ...who, token: other.token }, request, /is not for/);
    // And for the other cluster, too: the request is not under its name.
    await isLeftAlone(other, request, /for another cluster/);
  });

  test('another cluster’s certificate under the name of this one', async () => {
    const [who, other] = [await expected(), await expected()];
    const commonName = `system:open-cluster-management:${other.cluster}:agent-1`;
    const organizations = [`system:open-cluster-management:${other.cluster}`];
    const request = await asks(who.token, { cluster: who.cluster, commonName, organizations });
    await isLeftAlone(who, request, /another than an agent/);
  });

  test('who asks for more groups or other usages', async () => {
    const who = await expected();
    const own = `system:open-cluster-management:${who.cluster}`;
    const more = await asks(who.token, { cluster: who.cluster, organizations: [own, 'cappstan-admins'] });
    await isLeftAlone(who, more, /groups/);
    const usages = ['digital signature', 'key encipherment', 'server auth'];
    const serving = await asks(who.token, { cluster: who.cluster, usages });
    await isLeftAlone(who, serving, /usages/);
  });

  test('who has an unbound token, and who has none', async () => {
    const who = await expected();
    const unbound = freshToken(randomBytes);
    await kube.create<Secret>(SECRET, tokenSecret(unbound, Date.now() + 3_600_000, null));
    const request = await asks(unbound, { cluster: who.cluster });
    await isLeftAlone(who, request, /has not shown/);
    await isLeftAlone({ ...who, token: unbound }, request, /is not for/);
    const nobody = await kube.create<SigningRequest>(
      SIGNING_REQUEST,
      await signingRequest({ cluster: who.cluster }),
    );
    await isLeftAlone(who, nobody, /has not shown/);
  });

  test('who comes for a ManagedCluster that is not the one that the token was made for', async () => {
    const who = await expected({ uid: 'another' });
    const request = await asks(who.token, { cluster: who.cluster });
    await isLeftAlone(who, request, /another ManagedCluster/);
    expect(joinVerdict(who.cluster, await hubJoins({ kube }).seeJoin(who.cluster), Date.now())).toMatchObject(
      {
        reason: 'NameTaken',
        act: { do: 'wait' },
      },
    );
  });

  test('who comes with a token after which another was made', async () => {
    const who = await expected();
    const request = await asks(who.token, { cluster: who.cluster });
    const annotations = { [JOIN_TOKEN]: 'zzzzzz' };
    await kube.patch(MANAGED_CLUSTER, { namespace: null, name: who.cluster }, { metadata: { annotations } });
    await isLeftAlone(who, request, /Another token/);
  });

  test('a Secret that only looks like a token, in another namespace or of another type', async () => {
    const who = await expected();
    const request = await asks(who.token, { cluster: who.cluster });
    const key = tokenKey(who.token.id);
    const { metadata, data } = (await kube.get<Secret>(SECRET, key)) as Secret;
    await kube.remove(SECRET, key);
    const { resourceVersion: _version, uid: _uid, ...rest } = metadata;
    await kube.create<Secret>(SECRET, {
      metadata: rest,
      type: 'Opaque',
      ...(data === undefined ? {} : { data }),
    });
    await isLeftAlone(who, request, /has not shown/);
  });

  test('a cluster that changes between the look and the write: it is looked at again', async () => {
    const who = await expected();
    const request = await asks(who.token, { cluster: who.cluster });
    const late: Kube = {
      ...kube,
      within: () => late,
      patch: async (resource, key, body, options) => {
        if (resource.kind === MANAGED_CLUSTER.kind)
          await kube.patch(resource, key, { metadata: { annotations: { [JOINED_BY]: 'somebody' } } });
        return kube.patch(resource, key, body, options);
      },
    };
    const failed = await hubJoins({ kube: late })
      .approveJoin(who.cluster, { request: request.metadata.name, token: who.token.id })
      .catch((error: unknown) => error);
    expect(isConflict((failed as Error).cause) || (failed as { type?: string }).type === 'Conflict').toBe(
      true,
    );
    expect(stateOfRequest((await read(request.metadata.name)) as SigningRequest)).toBe('Pending');
  });
});

test('whoever has a token may ask, and do nothing else', async () => {
  const who = await expected();
  const guest = await visitor(who.token);
  await eventually(() => guest.list(MANAGED_CLUSTER));
  const name = who.cluster;
  const refused = [
    () => guest.list(SECRET, { namespace: 'kube-system' }),
    () => guest.getMetadata(SECRET, tokenKey(who.token.id)),
    () => guest.patch(MANAGED_CLUSTER, { namespace: null, name }, { spec: { hubAcceptsClient: true } }),
    () => guest.remove(MANAGED_CLUSTER, { namespace: null, name }),
    () => guest.raw('GET', '/api/v1/namespaces/default/configmaps/kube-root-ca.crt'),
    () => guest.raw('GET', '/api/v1/namespaces/kube-public/configmaps/other'),
  ];
  for (const act of refused) await expect(act()).rejects.toThrow(/403/);
});

test('no answer of an activity has more of a token than its id', async () => {
  const who = await expected();
  const request = await asks(who.token, { cluster: who.cluster });
  const joins = hubJoins({ kube });
  const said = [
    await joins.seeJoin(who.cluster),
    await approves(who, request),
    await joins.seeJoin(who.cluster),
  ];
  expect(JSON.stringify(said)).not.toContain(who.token.secret);
  expect(JSON.stringify(await clusterOf(who.cluster))).not.toContain(who.token.secret);
  expect(JSON.stringify(await read(request.metadata.name))).not.toContain(who.token.secret);
});
