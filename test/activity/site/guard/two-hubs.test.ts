// A site with two hubs, as its API server keeps them apart: whose an object and a Namespace are, who may keep
// what is there once, and that no hub lets itself in or claims the id of another.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CONFIG_MAP, NAMESPACE, SECRET, type ConfigMap } from '../../../../crds/kubernetes/core.ts';
import { HUB, HUB_PART } from '../../../../crds/labels.ts';
import { HUBS_OF_SITE } from '../../../../crds/site-hubs.ts';
import { resourceOf } from '../../../../deploy/local/kubernetes/apply.ts';
import { clearSite } from '../../../../deploy/join/clear.ts';
import { refuseInUse } from '../../../../deploy/join/site.ts';
import { keyOf, pathOf, type KubeObject, type Resource } from '../../../../kube/resource.ts';
import { forHub, forSite } from '../../../support/servers/chart.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import {
  ADDON,
  at,
  CAPP_SPEC,
  make,
  NS,
  OWNER,
  put,
  SHIPPED,
  startGuardedSite,
  VALUES,
  type GuardedSite,
} from '../../../support/testbeds/guarded-site.ts';
import type { RawClient, Reply } from '../../../support/servers/identities.ts';

const AGENT_OF_B = 'open-cluster-management-customer.klusterlet-work-sa';
const RECORD = pathOf(CONFIG_MAP, { namespace: ADDON, name: 'cappstan-hub' });
const OF_A = { ...SHIPPED, [HUB]: 'hub-a' };
const OF_B = { ...SHIPPED, [HUB]: 'hub-b' };

let site: GuardedSite;
let person: RawClient;
/** OCM's work agents of the two hubs. */
let a: RawClient;
let b: RawClient;
beforeAll(async () => {
  site = await startGuardedSite();
  ({ agent: a, person } = site);
  b = await site.cluster.as('system:serviceaccount:open-cluster-management-customer:klusterlet-work-sa', [
    'system:masters',
  ]);
}, 300_000);
afterAll(() => site?.cluster.stop());

interface Brought {
  readonly object: KubeObject;
  readonly reply: Reply;
}

/** Applies the add-on of a hub as OCM's work agent does: what bears the label of the hub. */
async function bring(as: RawClient, hubId: string): Promise<Brought[]> {
  const brought: Brought[] = [];
  for (const object of forSite(await forHub({ ...VALUES, hubId }))) {
    if (object.metadata.labels?.[HUB] === undefined) continue;
    const { apiVersion = '', kind = '' } = object;
    const resource = await resourceOf(site.cluster.kube, { apiVersion, kind });
    const key = keyOf(object);
    const changed = await as('PATCH', pathOf(resource, key), object);
    const reply =
      changed.code === 404 ? await as('POST', pathOf(resource, { ...key, name: null }), object) : changed;
    brought.push({ object, reply });
  }
  return brought;
}

const isShared = ({ object }: Brought): boolean =>
  object.metadata.labels?.['rcs.dana.io/hub-part'] === 'shared';
const codes = (all: readonly Brought[]): number[] =>
  [...new Set(all.map(({ reply }) => reply.code))].toSorted((one, other) => one - other);
/** What is there of the add-on of a hub, by its label. */
async function left(hub: string): Promise<string[]> {
  const found: string[] = [];
  for (const one of ['hub-a', 'hub-b'])
    for (const object of forSite(await forHub({ ...VALUES, hubId: one }))) {
      const { apiVersion = '', kind = '' } = object;
      const resource = await resourceOf(site.cluster.kube, { apiVersion, kind });
      const live = await site.cluster.kube.get<KubeObject>(resource, keyOf(object));
      const { name = '', labels = {} } = live?.metadata ?? {};
      const ofHub = labels[HUB] ?? (kind.startsWith('ValidatingAdmission') ? one : '');
      if (live !== null && ofHub === hub) found.push([kind, name, labels[HUB_PART] ?? ''].join(' '));
    }
  return [...new Set(found)].toSorted();
}
const label = (as: RawClient, name: string, labels: object): Promise<Reply> =>
  as('PATCH', pathOf(NAMESPACE, { namespace: null, name }), { metadata: { labels } });
const capp = (
  as: RawClient,
  name: string,
  labels: Readonly<Record<string, string>>,
  namespace = NS,
): Promise<Reply> => make(as, CAPP, { name, namespace, labels, ownerReferences: [OWNER] }, CAPP_SPEC);

test('a second hub that nobody has let in is refused, and reads the command that lets it in', async () => {
  const refused = await bring(b, 'hub-b');
  expect([refused.length > 15, codes(refused)]).toEqual([true, [403]]);
  for (const { reply } of refused) {
    expect(reply.message).toMatch(
      /This site belongs to the Cappstan hub hub-a, and \w+ [\w.-]+ is of hub hub-b\./,
    );
    expect(reply.message).toContain(
      `kubectl -n ${ADDON} patch configmap cappstan-hub --type merge -p '{"data":{"${AGENT_OF_B}":"hub-b"}}'`,
    );
  }
  expect(codes(await bring(a, 'hub-a'))).toEqual([200]);
});

test('no hub lets itself in, opens what is recorded, or makes a record of its own', async () => {
  expect((await b('PATCH', RECORD, { data: { [AGENT_OF_B]: 'hub-b' } })).code).toBe(403);
  expect((await a('PATCH', RECORD, { data: { hub: 'hub-b' } })).code).toBe(403);
  expect((await b('DELETE', RECORD)).code).toBe(403);
  expect((await make(b, CONFIG_MAP, { name: 'cappstan-namespaces', namespace: ADDON })).code).toBe(403);
});

describe('a second hub that an admin of the site has let in', () => {
  beforeAll(async () => {
    expect((await person('PATCH', RECORD, { data: { [AGENT_OF_B]: 'hub-b' } })).code).toBe(200);
    await eventually(async () =>
      (await capp(b, 'first-of-b', OF_B, 'of-b')).code === 404 ? true : undefined,
    );
    await put(b, NAMESPACE, { name: 'of-b', labels: OF_B });
  }, 60_000);

  test('brings an agent and rights of its own, and leaves what is there once to the first', async () => {
    const brought = await bring(b, 'hub-b');
    expect(codes(brought.filter((one) => !isShared(one)))).toEqual([201]);
    const shared = brought.filter(isShared);
    expect([shared.length > 5, codes(shared)]).toEqual([true, [403]]);
    for (const { reply } of shared) expect(reply.message).toContain('belongs to the Cappstan hub hub-a');
    expect(codes(await bring(a, 'hub-a'))).toEqual([200]);
    expect(codes((await bring(b, 'hub-b')).filter((one) => !isShared(one)))).toEqual([200]);
  });

  test('cannot claim the id of the first, nor the first its own', async () => {
    expect(await capp(b, 'forged', OF_A, 'of-b')).toMatchObject({
      code: 403,
      message: expect.stringContaining('is let in for hub hub-b'),
    });
    expect((await capp(a, 'forged', OF_B)).code).toBe(403);
    expect((await make(b, NAMESPACE, { name: 'forged', labels: OF_A })).code).toBe(403);
  });

  test('has names that are free, and not those of the first', async () => {
    expect((await capp(a, 'hello', OF_A)).code).toBe(201);
    expect((await capp(b, 'hello', OF_B, 'of-b')).code).toBe(201);
    const over = { metadata: { labels: OF_B, ownerReferences: [OWNER] } };
    expect(await b('PATCH', at(CAPP, 'hello'), over)).toMatchObject({
      code: 403,
      message: expect.stringContaining('Capp hello of this site belongs to the Cappstan hub hub-a'),
    });
    for (const body of [{ metadata: { annotations: { x: 'y' } } }, { metadata: { labels: { [HUB]: null } } }])
      expect((await b('PATCH', at(CAPP, 'hello'), body)).code).toBe(403);
    expect((await b('DELETE', at(CAPP, 'hello'))).code).toBe(403);
    expect((await a('PATCH', at(CAPP, 'hello'), { metadata: { annotations: { x: 'y' } } })).code).toBe(200);
  });

  const KINDS: readonly [string, Resource, object][] = [
    ['Secret', SECRET, {}],
    ['ConfigMap', CONFIG_MAP, {}],
    ['Capp', CAPP, CAPP_SPEC],
  ];
  test.each(KINDS)(
    'brings no %s into a Namespace of the first, and the first none into its',
    async (_kind, resource, rest) => {
      const into = (
        as: RawClient,
        namespace: string,
        labels: Readonly<Record<string, string>>,
      ): Promise<Reply> =>
        make(as, resource, { name: 'guest', namespace, labels, ownerReferences: [OWNER] }, rest);
      expect(await into(b, NS, OF_B)).toMatchObject({
        code: 403,
        message: expect.stringContaining(
          `Namespace ${NS} of this site belongs to the Cappstan hub hub-a, whose Secrets are there.`,
        ),
      });
      expect((await into(a, 'of-b', OF_A)).code).toBe(403);
      expect((await into(b, 'of-b', OF_B)).code).toBe(201);
    },
  );

  test('gets into a Namespace of the first when an admin of the site says so, and by no work', async () => {
    await put(a, NAMESPACE, { name: 'shared', labels: OF_A });
    expect((await capp(a, 'of-a', OF_A, 'shared')).code).toBe(201);
    expect((await capp(b, 'guest', OF_B, 'shared')).code).toBe(403);
    const opened = { 'rcs.dana.io/other-hubs': 'allowed' };
    expect((await label(a, 'shared', opened)).code).toBe(403);
    expect((await label(b, 'shared', opened)).code).toBe(403);
    expect((await label(b, 'shared', { [HUB]: 'hub-b' })).code).toBe(403);
    expect((await make(b, NAMESPACE, { name: 'open', labels: { ...OF_B, ...opened } })).code).toBe(403);
    expect((await label(person, 'shared', opened)).code).toBe(200);
    await eventually(async () => ((await capp(b, 'guest', OF_B, 'shared')).code === 201 ? true : undefined));
  });

  test('takes over what is there once when the add-on of the first is gone, and the first takes it back', async () => {
    for (const { object } of await bring(a, 'hub-a')) {
      if (isShared({ object } as Brought)) continue;
      const { apiVersion = '', kind = '' } = object;
      const resource = await resourceOf(site.cluster.kube, { apiVersion, kind });
      expect((await a('DELETE', pathOf(resource, keyOf(object)))).code).toBe(200);
    }
    await eventually(async () => (codes(await bring(b, 'hub-b')).includes(403) ? undefined : true));
    expect((await b('PATCH', at(CAPP, 'hello'), { metadata: { labels: OF_B } })).code).toBe(403);
    await eventually(async () => (codes(await bring(a, 'hub-a')).includes(403) ? undefined : true));
    await eventually(async () =>
      codes((await bring(b, 'hub-b')).filter(isShared)).includes(200) ? undefined : true,
    );
  }, 60_000);

  test('keeps what is there once when an admin hands the site over to it, and the Namespaces of nobody with it', async () => {
    const agentOfA = 'open-cluster-management-agent.klusterlet-work-sa';
    const data = { hub: 'hub-b', [agentOfA]: 'hub-a' };
    expect((await person('PATCH', RECORD, { data })).code).toBe(200);
    await eventually(async () => (codes(await bring(b, 'hub-b')).includes(403) ? undefined : true));
    expect(codes((await bring(a, 'hub-a')).filter(isShared))).toEqual([403]);
    expect((await capp(b, 'now-theirs', OF_B)).code).toBe(201);
    expect((await capp(a, 'no-more', OF_A)).code).toBe(403);
    expect((await a('PATCH', at(CAPP, 'hello'), { metadata: { labels: { x: 'y' } } })).code).toBe(403);
    expect((await a('DELETE', at(CAPP, 'hello'))).code).toBe(200);
  });

  test('an agent that nobody has named is of no hub once the agent of the first is named', async () => {
    const third = await site.cluster.as('system:serviceaccount:other:klusterlet-work-sa', ['system:masters']);
    expect((await person('PATCH', RECORD, { data: { [AGENT_OF_B]: 'hub-b' } })).code).toBe(200);
    await eventually(async () =>
      (await capp(third, 'stranger', OF_B, 'of-b')).code === 403 ? true : undefined,
    );
  });

  test('stays as it is when the first leaves by `cappstan leave`, and gets what is there once', async () => {
    const agentOfA = 'open-cluster-management-agent.klusterlet-work-sa';
    const { kube } = site.cluster;
    await kube.patch(CONFIG_MAP, HUBS_OF_SITE, { data: { hub: 'hub-a', [agentOfA]: null } });
    await eventually(async () => (codes(await bring(a, 'hub-a')).includes(403) ? undefined : true));
    const ofB = await left('hub-b');
    expect([ofB.length > 8, (await left('hub-a')).length > ofB.length]).toEqual([true, true]);
    const known = { cluster: 'site-1', hub: 'https://a:1', fingerprint: '', definitions: [], hubId: 'hub-a' };
    await expect(refuseInUse(kube, known)).rejects.toThrow(/The hub has [1-9] Capps? and 0 works/);
    for (const { metadata } of (await kube.list(CAPP)).items) {
      const { name, namespace = null, labels = {} } = metadata;
      if (labels[HUB] !== 'hub-b') await kube.remove(CAPP, { namespace, name });
    }
    await refuseInUse(kube, known);
    expect(await clearSite(kube, known)).toEqual([]);
    expect([await left('hub-b'), (await left('hub-a')).filter((name) => !name.includes('shared'))]).toEqual([
      ofB,
      [],
    ]);
    const record = await kube.get<ConfigMap>(CONFIG_MAP, HUBS_OF_SITE);
    expect(record?.data).toEqual({ hub: 'hub-b', [AGENT_OF_B]: 'hub-b' });
    await eventually(async () => (codes(await bring(b, 'hub-b')).includes(403) ? undefined : true));
    expect(await left('hub-a')).toEqual([]);
  }, 60_000);
});
