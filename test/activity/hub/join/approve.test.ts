// Who is let in, on a real API server that signs certificates and knows bootstrap tokens: who comes with the
// token for a cluster, as an agent of it, once.
import { X509Certificate } from 'node:crypto';
import { hubJoins } from '../../../../activities/hub/join/approve.ts';
import { tokenKey } from '../../../../crds/join/bootstrap-token.ts';
import {
  SIGNING_REQUEST,
  stateOfRequest,
  type SigningRequest,
} from '../../../../crds/join/signing-request.ts';
import { JOIN_TOKEN, JOINED_BY } from '../../../../crds/join/labels.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { joinVerdict } from '../../../../workflows/join/verdict.ts';
import { joinTestbed } from '../../../support/testbeds/join/join.ts';

/** Longer than a token stays after it was spent. */
const KEPT_AFTER_MS = 120_000;

const hub = joinTestbed();

describe('the agent of the expected cluster', () => {
  test('is accepted with the certificate that it asks for, and a repeat writes nothing', async () => {
    const who = await hub.expected();
    const request = await hub.asks(who.token, { cluster: who.cluster });
    expect(await hub.approves(who, request)).toEqual({ outcome: 'Approved' });
    const issued = await eventually(async () => {
      const now = await hub.read(request.metadata.name);
      return now?.status?.certificate === undefined ? undefined : now;
    });
    const certificate = new X509Certificate(Buffer.from(issued.status?.certificate ?? '', 'base64'));
    expect(certificate.subject).toContain(`CN=system:open-cluster-management:${who.cluster}:agent-1`);
    const accepted = await hub.clusterOf(who.cluster);
    expect(accepted?.spec?.hubAcceptsClient).toBe(true);
    expect(await hub.approves(who, request)).toEqual({ outcome: 'Approved' });
    expect((await hub.clusterOf(who.cluster))?.metadata.resourceVersion).toBe(
      accepted?.metadata.resourceVersion,
    );
    expect((await hub.read(request.metadata.name))?.metadata.resourceVersion).toBe(
      issued.metadata.resourceVersion,
    );
  });

  test('the worker ends between the acceptance and the approval: the next one approves the same request', async () => {
    const who = await hub.expected();
    const request = await hub.asks(who.token, { cluster: who.cluster });
    const deaf: Kube = {
      ...hub.kube,
      within: () => deaf,
      patch: async (resource, ...rest) => {
        if (resource.kind === SIGNING_REQUEST.kind) throw new Error('The worker is gone');
        return hub.kube.patch(resource, ...rest);
      },
    };
    await expect(
      hubJoins({ kube: deaf }).approveJoin(who.cluster, {
        request: request.metadata.name,
        token: who.token.id,
      }),
    ).rejects.toThrow();
    expect(await hub.clusterOf(who.cluster)).toMatchObject({ spec: { hubAcceptsClient: true } });
    // Meanwhile a thief asks with the same token: the token is spent on the first.
    const thief = await hub.asks(who.token, { cluster: who.cluster });
    await hub.isLeftAlone(who, thief, /used for another request/);
    const verdict = joinVerdict(
      who.cluster,
      await hubJoins({ kube: hub.kube }).seeJoin(who.cluster),
      Date.now(),
    );
    expect(verdict.act).toEqual({ do: 'approve', request: request.metadata.name, token: who.token.id });
    expect(await hub.approves(who, request)).toEqual({ outcome: 'Approved' });
  });

  test('its token goes once it is spent, and only then; a repeat finds it gone', async () => {
    const who = await hub.expected();
    const joins = hubJoins({ kube: hub.kube });
    await joins.releaseToken(who.cluster, who.token.id);
    expect(await hub.kube.getMetadata(SECRET, tokenKey(who.token.id))).not.toBeNull();
    await hub.approves(who, await hub.asks(who.token, { cluster: who.cluster }));
    const other = await hub.expected();
    await joins.releaseToken(who.cluster, other.token.id);
    await joins.releaseToken(other.cluster, who.token.id);
    expect(await hub.kube.getMetadata(SECRET, tokenKey(who.token.id))).not.toBeNull();
    await joins.releaseToken(who.cluster, who.token.id);
    await joins.releaseToken(who.cluster, who.token.id);
    expect(await hub.kube.getMetadata(SECRET, tokenKey(who.token.id))).toBeNull();
    expect(await hub.kube.getMetadata(SECRET, tokenKey(other.token.id))).not.toBeNull();
  });

  test('of two that come with one token at the same time one is let in', async () => {
    const who = await hub.expected();
    const both = [
      await hub.asks(who.token, { cluster: who.cluster }),
      await hub.asks(who.token, { cluster: who.cluster }),
    ];
    const answers = await Promise.allSettled(both.map((request) => hub.approves(who, request)));
    expect(
      answers.filter((one) => one.status === 'fulfilled' && one.value.outcome === 'Approved'),
    ).toHaveLength(1);
    for (const request of both) await hub.approves(who, request).catch(() => undefined);
    const states = await Promise.all(
      both.map(async ({ metadata }) => stateOfRequest((await hub.read(metadata.name)) as SigningRequest)),
    );
    expect(states.toSorted()).toEqual(['Approved', 'Pending']);
  });

  test('whom a person refuses again is not accepted by a late try', async () => {
    const who = await hub.expected();
    const request = await hub.asks(who.token, { cluster: who.cluster });
    await hub.approves(who, request);
    const key = { namespace: null, name: who.cluster };
    await hub.kube.patch(MANAGED_CLUSTER, key, { spec: { hubAcceptsClient: false } });
    expect(await hub.approves(who, request)).toMatchObject({ outcome: 'LeftAlone' });
    expect(await hub.clusterOf(who.cluster)).toMatchObject({ spec: { hubAcceptsClient: false } });
  });

  test('an agent that changes what the hub’s object says of its token cannot use it again, and the token goes', async () => {
    const who = await hub.expected();
    const request = await hub.asks(who.token, { cluster: who.cluster });
    await hub.approves(who, request);
    const again = await hub.asks(who.token, { cluster: who.cluster });
    const secret = await hub.kube.getMetadata(SECRET, tokenKey(who.token.id));
    // OCM lets it update its own ManagedCluster.
    const says = (annotations: object): Promise<unknown> =>
      hub.kube.patch(MANAGED_CLUSTER, { namespace: null, name: who.cluster }, { metadata: { annotations } });
    for (const receipt of [null, `${secret?.metadata.uid ?? ''}/x/${again.metadata.uid ?? ''}`]) {
      await says({ [JOINED_BY]: receipt });
      await hub.isLeftAlone(who, again, /used for another request/);
    }
    await says({ [JOINED_BY]: null, [JOIN_TOKEN]: null });
    const joins = hubJoins({ kube: hub.kube });
    const { act } = joinVerdict(who.cluster, await joins.seeJoin(who.cluster), Date.now() + KEPT_AFTER_MS);
    expect(act).toEqual({ do: 'release', token: who.token.id });
    await says({ [JOIN_TOKEN]: who.token.id });
    const key = { namespace: null, name: who.cluster };
    await hub.kube.patch(MANAGED_CLUSTER, key, { spec: { hubAcceptsClient: false } });
    await hub.isLeftAlone(who, again, /used for another request/);
    expect(await hub.approves(who, request)).toMatchObject({ outcome: 'LeftAlone' });
    expect(await hub.clusterOf(who.cluster)).toMatchObject({ spec: { hubAcceptsClient: false } });
    await joins.releaseToken(who.cluster, who.token.id);
    expect(await hub.kube.getMetadata(SECRET, tokenKey(who.token.id))).toBeNull();
  });
});

test('no answer of an activity has more of a token than its id', async () => {
  const who = await hub.expected();
  const request = await hub.asks(who.token, { cluster: who.cluster });
  const joins = hubJoins({ kube: hub.kube });
  const said = [
    await joins.seeJoin(who.cluster),
    await hub.approves(who, request),
    await joins.seeJoin(who.cluster),
  ];
  expect(JSON.stringify(said)).not.toContain(who.token.secret);
  expect(JSON.stringify(await hub.clusterOf(who.cluster))).not.toContain(who.token.secret);
  expect(JSON.stringify(await hub.read(request.metadata.name))).not.toContain(who.token.secret);
});
