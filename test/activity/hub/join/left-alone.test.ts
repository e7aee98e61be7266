// Who is not let in, on a real API server that signs certificates and knows bootstrap tokens: who comes with
// another token, asks for more than an agent, or comes at the wrong time.
import { randomBytes } from 'node:crypto';
import { hubJoins } from '../../../../activities/hub/join/approve.ts';
import { freshToken, tokenKey, tokenSecret } from '../../../../crds/join/bootstrap-token.ts';
import {
  SIGNING_REQUEST,
  stateOfRequest,
  type SigningRequest,
} from '../../../../crds/join/signing-request.ts';
import { JOIN_TOKEN, JOINED_BY } from '../../../../crds/join/labels.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { isConflict } from '../../../../kube/failure.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { joinVerdict } from '../../../../workflows/join/verdict.ts';
import { signingRequest } from '../../../support/builders/join/requests.ts';
import { joinTestbed } from '../../../support/testbeds/join/join.ts';

const hub = joinTestbed();

describe('left alone is', () => {
  test('who has a token that has ended, though the API server still knows it', async () => {
    const who = await hub.expected();
    const request = await hub.asks(who.token, { cluster: who.cluster });
    await hub.isLeftAlone(who, request, /has ended/, Date.now() + 3_600_001);
  });

  test('who has a token for another cluster', async () => {
    const [who, other] = [await hub.expected(), await hub.expected()];
    const request = await hub.asks(other.token, { cluster: who.cluster });
    await hub.isLeftAlone(who, request, /has not shown/);
    await hub.isLeftAlone({ ...who, token: other.token }, request, /is not for/);
    // And for the other cluster, too: the request is not under its name.
    await hub.isLeftAlone(other, request, /for another cluster/);
  });

  test('another cluster’s certificate under the name of this one', async () => {
    const [who, other] = [await hub.expected(), await hub.expected()];
    const commonName = `system:open-cluster-management:${other.cluster}:agent-1`;
    const organizations = [`system:open-cluster-management:${other.cluster}`];
    const request = await hub.asks(who.token, { cluster: who.cluster, commonName, organizations });
    await hub.isLeftAlone(who, request, /another than an agent/);
  });

  test('who asks for more groups or other usages', async () => {
    const who = await hub.expected();
    const own = `system:open-cluster-management:${who.cluster}`;
    const more = await hub.asks(who.token, { cluster: who.cluster, organizations: [own, 'cappstan-admins'] });
    await hub.isLeftAlone(who, more, /groups/);
    const usages = ['digital signature', 'key encipherment', 'server auth'];
    const serving = await hub.asks(who.token, { cluster: who.cluster, usages });
    await hub.isLeftAlone(who, serving, /usages/);
  });

  test('who has an unbound token, and who has none', async () => {
    const who = await hub.expected();
    const unbound = freshToken(randomBytes);
    await hub.kube.create<Secret>(SECRET, tokenSecret(unbound, Date.now() + 3_600_000, null));
    const request = await hub.asks(unbound, { cluster: who.cluster });
    await hub.isLeftAlone(who, request, /has not shown/);
    await hub.isLeftAlone({ ...who, token: unbound }, request, /is not for/);
    const nobody = await hub.kube.create<SigningRequest>(
      SIGNING_REQUEST,
      await signingRequest({ cluster: who.cluster }),
    );
    await hub.isLeftAlone(who, nobody, /has not shown/);
  });

  test('who comes for a ManagedCluster that is not the one that the token was made for', async () => {
    const who = await hub.expected({ uid: 'another' });
    const request = await hub.asks(who.token, { cluster: who.cluster });
    await hub.isLeftAlone(who, request, /another ManagedCluster/);
    expect(
      joinVerdict(who.cluster, await hubJoins({ kube: hub.kube }).seeJoin(who.cluster), Date.now()),
    ).toMatchObject({
      reason: 'NameTaken',
      act: { do: 'wait' },
    });
  });

  test('who comes with a token after which another was made', async () => {
    const who = await hub.expected();
    const request = await hub.asks(who.token, { cluster: who.cluster });
    const annotations = { [JOIN_TOKEN]: 'zzzzzz' };
    await hub.kube.patch(
      MANAGED_CLUSTER,
      { namespace: null, name: who.cluster },
      { metadata: { annotations } },
    );
    await hub.isLeftAlone(who, request, /Another token/);
  });

  test('a Secret that only looks like a token, in another namespace or of another type', async () => {
    const who = await hub.expected();
    const request = await hub.asks(who.token, { cluster: who.cluster });
    const key = tokenKey(who.token.id);
    const { metadata, data } = (await hub.kube.get<Secret>(SECRET, key)) as Secret;
    await hub.kube.remove(SECRET, key);
    const { resourceVersion: _version, uid: _uid, ...rest } = metadata;
    await hub.kube.create<Secret>(SECRET, {
      metadata: rest,
      type: 'Opaque',
      ...(data === undefined ? {} : { data }),
    });
    await hub.isLeftAlone(who, request, /has not shown/);
  });

  test('a cluster that changes between the look and the write: it is looked at again', async () => {
    const who = await hub.expected();
    const request = await hub.asks(who.token, { cluster: who.cluster });
    const late: Kube = {
      ...hub.kube,
      within: () => late,
      patch: async (resource, key, body, options) => {
        if (resource.kind === MANAGED_CLUSTER.kind)
          await hub.kube.patch(resource, key, { metadata: { annotations: { [JOINED_BY]: 'somebody' } } });
        return hub.kube.patch(resource, key, body, options);
      },
    };
    const failed = await hubJoins({ kube: late })
      .approveJoin(who.cluster, { request: request.metadata.name, token: who.token.id })
      .catch((error: unknown) => error);
    expect(isConflict((failed as Error).cause) || (failed as { type?: string }).type === 'Conflict').toBe(
      true,
    );
    expect(stateOfRequest((await hub.read(request.metadata.name)) as SigningRequest)).toBe('Pending');
  });
});

test('whoever has a token may ask, and do nothing else', async () => {
  const who = await hub.expected();
  const guest = await hub.visitor(who.token);
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
