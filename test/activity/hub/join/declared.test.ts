// ClusterJoins on a real API server that signs certificates and knows bootstrap tokens: what each yields,
// that it is what `cappstan token` makes, and what stays when it goes.
import { hubJoins } from '../../../../activities/hub/join/approve.ts';
import { tokenKey } from '../../../../crds/join/bootstrap-token.ts';
import { CLUSTER_JOIN, JOIN_FINALIZER, type ClusterJoin } from '../../../../crds/join/cluster-join.ts';
import { parseJoinLine, type JoinLine } from '../../../../crds/join/join-line.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { JOIN_OF } from '../../../../crds/join/labels.ts';
import { JOINED, MANAGED_CLUSTER, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { forPeople } from '../../../support/servers/joining/join-command.ts';
import { comes } from '../../../support/testbeds/join/join-arrivals.ts';
import { joinLines, keyOf, lineKey, saysOf } from '../../../support/testbeds/join/join-lines.ts';

const HOUR = 3_600_000;

const { hub, declare, read, joinsBy, settle, lineOf, isToken } = joinLines();

describe('a ClusterJoin', () => {
  test('yields a line beside it, once, and nothing of its token but the id is in it', async () => {
    const join = await settle(
      await declare({ labels: { region: 'eu' }, clusterSet: 'edge', ttlSeconds: 600 }),
    );
    expect(saysOf(join)).toBe('Waiting Expected');
    const line = await lineOf(join);
    expect(line).toMatchObject({ cluster: join.spec.cluster, host: 'hub.example', port: 6443 });
    expect(JSON.stringify(join)).not.toContain(line?.token.secret);
    expect(join.status).toMatchObject({ secretName: `${join.metadata.name}-join`, tokenId: line?.token.id });
    const ends = Date.parse(join.status?.tokenEndsAt ?? '') - Date.now();
    expect(ends > 500_000 && ends <= 600_000).toBe(true);
    const before = [await read(join), await hub.clusterOf(join.spec.cluster)];
    await settle(join);
    expect([await read(join), await hub.clusterOf(join.spec.cluster)]).toEqual(before);
    expect(await lineOf(join)).toEqual(line);
  });

  test('makes what cappstan token makes', async () => {
    const join = await settle(await declare({ labels: { region: 'eu' }, ttlSeconds: 3_600 }));
    const flags = ['--label', 'region=eu', '--ttl', '1h', '--kubeconfig', hub.kubeconfig];
    const { out } = await forPeople(['token', '--cluster', 'by-hand', ...flags]);
    const [one, other] = [await lineOf(join), parseJoinLine(out.trim())];
    const shape = async (line: JoinLine | null, cluster: string): Promise<unknown> => {
      const token = await hub.kube.get<Secret>(SECRET, tokenKey(line?.token.id ?? ''));
      const { metadata, spec } = (await hub.clusterOf(cluster)) as ManagedCluster;
      return {
        // Each ends an hour after it was made.
        line: { ...line, token: null, cluster: null, endsAt: typeof line?.endsAt },
        token: [
          Object.keys(token?.data ?? {}),
          token?.type,
          token?.metadata.labels,
          token?.metadata.ownerReferences?.length,
        ],
        notes: Object.keys(token?.metadata.annotations ?? {}).filter((key) => key !== 'rcs.dana.io/for-join'),
        cluster: [
          spec,
          metadata.labels,
          Object.keys(metadata.annotations ?? {})
            .filter((key) => key !== JOIN_OF)
            .toSorted(),
        ],
      };
    };
    expect(await shape(one, join.spec.cluster)).toEqual(await shape(other, 'by-hand'));
  });

  test('says when its cluster has come; its line goes, and the cluster stays when it is deleted', async () => {
    const join = await settle(await declare());
    const { cluster } = join.spec;
    const line = await lineOf(join);
    const token = line?.token ?? { id: '', secret: '' };
    const request = await hub.asks(token, { cluster });
    const hint = { request: request.metadata.name, token: token.id };
    expect(await joinsBy().approveJoin(cluster, hint)).toEqual({ outcome: 'Approved' });
    expect(saysOf(await settle(join))).toMatch(/^Waiting /);
    await comes(hub.kube, cluster);
    const joined = await settle(join);
    expect(saysOf(joined)).toBe('Joined Joined');
    expect(joined.metadata.finalizers ?? []).toEqual([]);
    expect(joined.status).not.toHaveProperty('secretName');
    expect(await lineOf(join)).toBeNull();
    expect(await joinsBy().seeJoin(cluster)).not.toHaveProperty('isDeclared');
    await hub.kube.remove(CLUSTER_JOIN, keyOf(join));
    expect(await hub.clusterOf(cluster)).toMatchObject({ spec: { hubAcceptsClient: true } });
  });

  test('revokes its token when it is deleted before anybody came, and leaves nothing', async () => {
    const join = await settle(await declare());
    const token = (await lineOf(join))?.token ?? { id: '', secret: '' };
    const request = await hub.asks(token, { cluster: join.spec.cluster });
    await hub.kube.remove(CLUSTER_JOIN, keyOf(join));
    // From that moment on, whoever has looked at it.
    const answer = await joinsBy().approveJoin(join.spec.cluster, {
      request: request.metadata.name,
      token: token.id,
    });
    expect(answer).toMatchObject({
      outcome: 'LeftAlone',
      why: expect.stringMatching(/is being deleted/) as string,
    });
    await settle(join);
    expect(await read(join)).toBeNull();
    expect(await hub.clusterOf(join.spec.cluster)).toBeNull();
    expect([await isToken(token.id), await lineOf(join)]).toEqual([false, null]);
  });

  test('never detaches a cluster that was accepted and has not come yet', async () => {
    const join = await settle(await declare());
    const token = (await lineOf(join))?.token ?? { id: '', secret: '' };
    const request = await hub.asks(token, { cluster: join.spec.cluster });
    await joinsBy().approveJoin(join.spec.cluster, { request: request.metadata.name, token: token.id });
    await hub.kube.remove(CLUSTER_JOIN, keyOf(join));
    await settle(join);
    expect(await read(join)).toBeNull();
    expect(await hub.clusterOf(join.spec.cluster)).toMatchObject({ spec: { hubAcceptsClient: true } });
    // It hears by its token that its certificate is issued.
    expect(await isToken(token.id)).toBe(true);
    expect(await lineOf(join)).toBeNull();
  });

  test('expires when nobody comes in time, and its token with it', async () => {
    const join = await settle(await declare({ ttlSeconds: 600 }));
    const id = join.status?.tokenId;
    const late = await settle(join, Date.now() + HOUR);
    expect(saysOf(late)).toBe('Expired TokenExpired');
    expect([await isToken(id), await lineOf(join)]).toEqual([false, null]);
    expect(late.metadata.finalizers).toEqual([JOIN_FINALIZER]);
    await hub.kube.remove(CLUSTER_JOIN, keyOf(join));
    await settle(join);
    expect([await read(join), await hub.clusterOf(join.spec.cluster)]).toEqual([null, null]);
  });

  test.each<[string, () => Promise<ClusterJoin>]>([
    ['NamespaceNotServed', () => declare({}, 'elsewhere')],
    ['ClusterSetNotAllowed', () => declare({ clusterSet: 'core' })],
    ['LabelReserved', () => declare({ labels: { 'local-cluster': 'true' } })],
    ['NameReserved', () => declare({ cluster: 'kube-system' })],
    ['NameReserved', () => declare({ cluster: 'elsewhere' })],
    ['ClusterExists', async () => declare({ cluster: (await hub.expected()).cluster })],
    ['ClusterExists', async () => declare({ cluster: (await settle(await declare())).spec.cluster })],
  ])('is refused as %s, and makes nothing', async (reason, given) => {
    const join = await given();
    const before = await hub.clusterOf(join.spec.cluster);
    expect(saysOf(await settle(join))).toBe(`Refused ${reason}`);
    expect(await hub.clusterOf(join.spec.cluster)).toEqual(before);
    expect(await lineOf(join)).toBeNull();
  });

  test('does not write over a Secret of somebody else, and does not delete it', async () => {
    const join = await declare();
    const theirs = await hub.kube.create<Secret>(SECRET, { metadata: lineKey(join), data: { own: 'eA==' } });
    expect(saysOf(await settle(join))).toBe('Refused SecretTaken');
    await hub.kube.remove(CLUSTER_JOIN, keyOf(join));
    await settle(join);
    expect(await hub.kube.get<Secret>(SECRET, lineKey(join))).toMatchObject({
      metadata: { uid: theirs.metadata.uid },
    });
  });

  test('gives way to another token that a person makes for its cluster', async () => {
    const join = await settle(await declare());
    const flags = ['--existing', '--kubeconfig', hub.kubeconfig];
    const { out } = await forPeople(['token', '--cluster', join.spec.cluster, ...flags]);
    const theirs = parseJoinLine(out.trim())?.token.id;
    expect(saysOf(await settle(join))).toBe('Refused Superseded');
    expect(await isToken(theirs)).toBe(true);
    await hub.kube.remove(CLUSTER_JOIN, keyOf(join));
    await settle(join);
    expect(await read(join)).toBeNull();
    expect([await isToken(theirs), (await hub.clusterOf(join.spec.cluster)) !== null]).toEqual([true, true]);
  });

  test('takes no cluster away that has joined by a person’s word and was shut out later', async () => {
    const join = await settle(await declare());
    const key = { namespace: null, name: join.spec.cluster };
    const conditions = [
      {
        type: JOINED,
        status: 'True',
        reason: 'Joined',
        message: '',
        lastTransitionTime: new Date().toISOString(),
      },
    ];
    await hub.kube.patch(MANAGED_CLUSTER, key, { status: { conditions } }, { subresource: 'status' });
    await hub.kube.remove(CLUSTER_JOIN, keyOf(join));
    await settle(join);
    expect(await read(join)).toBeNull();
    expect(await hub.clusterOf(join.spec.cluster)).not.toBeNull();
  });

  test('does not change', async () => {
    const join = await declare();
    const edit = hub.kube.patch(CLUSTER_JOIN, keyOf(join), { spec: { ttlSeconds: 700 } });
    await expect(edit).rejects.toThrow();
  });
});

test('a worker that ends after any write has a successor that ends the same way, with one token', async () => {
  for (let writes = 0; ; writes += 1) {
    const join = await declare();
    let left = writes;
    const dying: Kube = { ...hub.kube, within: () => dying };
    for (const method of ['create', 'patch', 'apply', 'remove'] as const)
      (dying as unknown as Record<string, unknown>)[method] = async (...args: unknown[]) => {
        if (left === 0) throw new Error('The worker is gone');
        left -= 1;
        return (hub.kube[method] as (...all: unknown[]) => unknown)(...args);
      };
    const isOver = await joinsBy(dying)
      .settleDeclared(join.spec.cluster)
      .then(
        () => true,
        () => false,
      );
    const settled = await settle(join);
    expect(saysOf(settled)).toBe('Waiting Expected');
    const tokens = (await hub.kube.list<Secret>(SECRET, { namespace: 'kube-system' })).items.filter(
      ({ metadata }) => metadata.annotations?.['rcs.dana.io/for-cluster'] === join.spec.cluster,
    );
    expect(tokens).toHaveLength(1);
    expect((await lineOf(join))?.token.id).toBe(settled.status?.tokenId);
    expect(await isToken(settled.status?.tokenId)).toBe(true);
    if (isOver) return expect(writes).toBeGreaterThan(4);
  }
});

test('a cluster without a ClusterJoin has none, and neither has a hub that knows no such kind', async () => {
  expect(await joinsBy().seeJoin((await hub.expected()).cluster)).not.toHaveProperty('isDeclared');
  const join = await declare();
  expect(await joinsBy().seeJoin(join.spec.cluster)).toHaveProperty('isDeclared', true);
  expect(await hubJoins({ kube: hub.kube }).seeJoin(join.spec.cluster)).not.toHaveProperty('isDeclared');
  await hub.kube.remove(MANAGED_CLUSTER, { namespace: null, name: join.spec.cluster });
});
