// ClusterJoins for which the hub lacks something or refuses something, on a real API server: each says so in
// its status, and nothing stays by which anybody could come.
import { randomUUID } from 'node:crypto';
import { hubJoins } from '../../../../activities/hub/join/approve.ts';
import { tokenKey } from '../../../../crds/join/bootstrap-token.ts';
import { CLUSTER_JOIN, type ClusterJoin } from '../../../../crds/join/cluster-join.ts';
import { CLUSTER_INFO, clusterInfoMap } from '../../../../crds/join/cluster-info.ts';
import { CONFIG_MAP, SECRET, type ConfigMap } from '../../../../crds/kubernetes/core.ts';
import { JOIN_TOKEN } from '../../../../crds/join/labels.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { refusesBy, type Policy } from '../../../support/servers/api/refusing-policy.ts';
import { declaredJoins, ROOM } from '../../../support/testbeds/join/declared-joins.ts';

const { hub, info, declare, keyOf, turn, settled, tokensFor, comesBy } = declaredJoins();
const lineKey = ({ metadata: { name } }: ClusterJoin) => ({ namespace: ROOM, name: `${name}-join` });

describe('labels', () => {
  const long = (count: number): string => 'a'.repeat(count);
  const takes = async (make: () => Promise<unknown>): Promise<string> =>
    make().then(
      () => 'taken',
      (error: unknown) => (error instanceof ApiError && error.code === 422 ? 'refused' : String(error)),
    );

  test.each<[string, string]>([
    ['region', 'eu'],
    ['Region_1.x', 'EU_1.x'],
    ['shops.example.com/tier', ''],
    [long(63), long(63)],
    [`${'a.'.repeat(126)}a/tier`, 'x'],
    [`${'a.'.repeat(126)}aa/tier`, 'x'],
    [long(64), 'x'],
    ['eu west', 'x'],
    ['-region', 'x'],
    ['region-', 'x'],
    ['', 'x'],
    ['a/b/c', 'x'],
    ['/region', 'x'],
    ['shops.example.com/', 'x'],
    ['Shops.example.com/tier', 'x'],
    ['shops..example/tier', 'x'],
    ['región', 'x'],
    ['region', 'eu west'],
    ['region', '-eu'],
    ['region', 'eu/west'],
    ['region', 'eu.'],
    ['region', long(64)],
  ])(
    '%j with the value %j are taken if Kubernetes takes them, and otherwise refused at once',
    async (key, value) => {
      const labels = { [key]: value };
      const bare = { metadata: { namespace: ROOM, name: `as-label-${randomUUID()}`, labels } };
      expect(await takes(() => declare(labels))).toBe(await takes(() => hub.kube.create(CONFIG_MAP, bare)));
    },
  );

  test.each<[Record<string, string>, RegExp]>([
    [{ 'eu west': 'x' }, /spec\.labels: .*each key must be that of a label: .*such as region/],
    [
      { region: 'eu west' },
      /spec\.labels\[?\.?"?region"?\]?: .*must be the value of a label: .*such as eu-west/,
    ],
  ])('%j are refused with the field and what helps', async (labels, words) => {
    const error = (await declare(labels).catch((one: unknown) => one)) as ApiError;
    expect(error.said).toMatch(words);
  });
});

describe('a hub that does not say where it is', () => {
  test('has a ClusterJoin wait, with nothing made, and it goes on when the hub says it', async () => {
    await hub.kube.remove(CONFIG_MAP, CLUSTER_INFO);
    const join = await declare();
    const { told, says, message } = await settled(join);
    expect(says).toBe('Waiting NoHubAddress');
    expect(message).toMatch(/ConfigMap kube-public\/cluster-info is missing.* kubeadm make/);
    expect(told).toMatchObject({ isHeld: true, hasActed: false });
    expect([await hub.clusterOf(join.spec.cluster), await tokensFor(join)]).toEqual([null, []]);
    await hub.kube.create<ConfigMap>(CONFIG_MAP, await info());
    const then = await settled(join);
    expect(then.says).toBe('Waiting Expected');
    expect(then.told).not.toHaveProperty('isHeld');
    expect(await hub.kube.getMetadata(SECRET, lineKey(join))).not.toBeNull();
  });

  test.each(['no PEM', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'])(
    'by the authority %j is one of those',
    async (ca) => {
      await hub.kube.remove(CONFIG_MAP, CLUSTER_INFO);
      await hub.kube.create<ConfigMap>(CONFIG_MAP, clusterInfoMap({ server: 'https://hub.example', ca }));
      expect((await settled(await declare())).says).toBe('Waiting NoHubAddress');
    },
  );

  test('any more has a line that somebody has deleted wait', async () => {
    const join = await declare();
    await settled(join);
    const [token] = await tokensFor(join);
    await hub.kube.remove(SECRET, lineKey(join));
    await hub.kube.remove(CONFIG_MAP, CLUSTER_INFO);
    expect((await settled(join)).says).toBe('Waiting NoHubAddress');
    expect((await tokensFor(join)).map(({ metadata }) => metadata.uid)).toEqual([token?.metadata.uid]);
  });
});

const refuses = (name: string, kind: 'managedclusters' | 'secrets', more: Policy) =>
  refusesBy(hub.kube, name, kind, more);

describe('what the hub’s API server refuses', () => {
  const of = (team: string): string => `object.metadata.?labels[?"team"].orValue("") == "${team}"`;
  const probed = async (labels: Record<string, string>): Promise<ClusterJoin> =>
    eventually(async () => {
      // Policies count a moment after they were written.
      const join = await declare(labels);
      await turn(join);
      return (await hub.clusterOf(join.spec.cluster)) === null ? join : undefined;
    });

  test('as invalid is the end of a ClusterJoin, in the server’s words, and keeps no other one waiting', async () => {
    const mend = await refuses('no-teams', 'managedclusters', {
      operation: 'CREATE',
      when: of('red'),
      reason: 'Invalid',
    });
    const join = await probed({ team: 'red' });
    const { says, message } = await settled(join);
    expect(says).toBe('Refused Invalid');
    expect(message).toMatch(/Delete it, and write another\. .*422 Invalid.*Policy says no to no-teams/);
    const other = await hub.kube.create<ClusterJoin>(CLUSTER_JOIN, {
      metadata: { namespace: ROOM, name: `${join.metadata.name}-b` },
      spec: { cluster: join.spec.cluster },
    });
    expect((await settled(other)).says).toBe('Waiting Expected');
    await hub.kube.remove(CLUSTER_JOIN, keyOf(join));
    await turn(join);
    expect(await hub.kube.get(CLUSTER_JOIN, keyOf(join))).toBeNull();
    await mend();
  });

  test('as forbidden is tried again until it is allowed, and the status says so meanwhile', async () => {
    const mend = await refuses('no-gold', 'managedclusters', {
      operation: 'CREATE',
      when: of('gold'),
      reason: 'Forbidden',
    });
    const join = await probed({ team: 'gold' });
    const { told, says, message } = await settled(join);
    expect(says).toBe('Waiting HubRefuses');
    expect(told.isHeld).toBe(true);
    expect(message).toMatch(/403 Forbidden.*Policy says no to no-gold/);
    await mend();
    await eventually(async () => ((await settled(join)).says === 'Waiting Expected' ? true : undefined));
  });

  test.each<[string, Policy['reason'], string]>([
    ['tokens', 'Forbidden', 'object.type == "bootstrap.kubernetes.io/token"'],
    ['lines', 'Forbidden', 'object.type == "rcs.dana.io/join-line"'],
    ['lines', 'Invalid', 'object.type == "rcs.dana.io/join-line"'],
  ])(
    'to write of %s as %s is found out before anything is written that would ring, and ends nothing',
    async (what, reason, when) => {
      const name = `no-${what}-${reason.toLowerCase()}`;
      const mend = await refuses(name, 'secrets', { operation: 'CREATE', when, reason });
      const join = await eventually(async () => {
        const one = await declare();
        return (await settled(one)).says === 'Waiting HubRefuses' ? one : undefined;
      });
      const before = await hub.clusterOf(join.spec.cluster);
      expect(before?.metadata.annotations).not.toHaveProperty([JOIN_TOKEN]);
      expect(await settled(join)).toMatchObject({ says: 'Waiting HubRefuses', told: { isHeld: true } });
      expect(await hub.clusterOf(join.spec.cluster)).toEqual(before);
      expect(await tokensFor(join)).toEqual([]);
      await mend();
      await eventually(async () => ((await settled(join)).says === 'Waiting Expected' ? true : undefined));
    },
  );

  test('to delete of a token keeps its ClusterJoin until it may, and lets nobody in meanwhile', async () => {
    const join = await declare();
    await settled(join);
    const hint = await comesBy(join);
    const { name } = tokenKey(hint.token);
    const when = `oldObject.metadata.name == "${name}"`;
    const mend = await refuses('keeps-tokens', 'secrets', { operation: 'DELETE', when, reason: 'Forbidden' });
    await eventually(() =>
      hub.kube.raw('DELETE', `/api/v1/namespaces/kube-system/secrets/${name}?dryRun=All`).then(
        () => undefined,
        () => true,
      ),
    );
    // Somebody takes the name out of the served ones.
    const unserved = hubJoins({ kube: hub.kube, declared: { namespaces: [], clusterSets: [] } });
    expect(await unserved.settleDeclared(join.spec.cluster)).toMatchObject({ isHeld: true });
    const said = await hub.kube.get<ClusterJoin>(CLUSTER_JOIN, keyOf(join));
    expect(said?.status).toMatchObject({ state: 'Refused', conditions: [{ reason: 'NotTakenBack' }] });
    expect(said?.status?.conditions?.[0]?.message).toMatch(
      new RegExp(`^NamespaceNotServed: .*kubectl -n kube-system delete secret ${name}`),
    );
    for (const joins of [
      unserved,
      hubJoins({ kube: hub.kube, declared: { namespaces: [ROOM], clusterSets: [] } }),
    ])
      expect(await joins.approveJoin(join.spec.cluster, hint)).toMatchObject({ outcome: 'LeftAlone' });
    await mend();
    await eventually(async () => {
      await unserved.settleDeclared(join.spec.cluster);
      return (await tokensFor(join)).length === 0 ? true : undefined;
    });
    expect((await settled(join)).says).toBe('Refused NamespaceNotServed');
  });
});
