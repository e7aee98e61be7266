// A site with two hubs, as its API server keeps them apart: whose an object and a Namespace are, who may keep
// what is there once, and that no hub lets itself in or claims the id of another.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CONFIG_MAP, NAMESPACE, SECRET } from '../../../../crds/kubernetes/core.ts';
import { HUB, HUB_PART } from '../../../../crds/labels.ts';
import { resourceOf } from '../../../../deploy/local/kubernetes/apply.ts';
import { keyOf, pathOf, type Resource } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import {
  ADDON,
  at,
  CAPP_SPEC,
  make,
  NS,
  OWNER,
  put,
  startGuardedSite,
  type GuardedSite,
} from '../../../support/testbeds/site/guarded-site.ts';
import type { RawClient, Reply } from '../../../support/servers/api/identities.ts';
import {
  AGENT_OF_A,
  AGENT_OF_B,
  agentOfB,
  bring as bringAddOn,
  codes,
  isShared,
  OF_A,
  OF_B,
  type Brought,
} from '../../../support/testbeds/site/two-hubs.ts';

const RECORD = pathOf(CONFIG_MAP, { namespace: ADDON, name: 'cappstan-hub' });

let site: GuardedSite;
let person: RawClient;
/** OCM's work agents of the two hubs. */
let a: RawClient;
let b: RawClient;
beforeAll(async () => {
  site = await startGuardedSite();
  ({ agent: a, person } = site);
  b = await agentOfB(site.cluster);
}, 300_000);
afterAll(() => site?.cluster.stop());

const bring = (as: RawClient, hubId: string): Promise<Brought[]> => bringAddOn(site.cluster, as, hubId);
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
      `kubectl -n ${ADDON} patch configmap cappstan-hub --type merge -p '{"data":{"${AGENT_OF_B}":"hub-b"}}' (and name the agent of hub-a in the same way`,
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
    await put(a, NAMESPACE, { name: 'of-a', labels: OF_A });
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

  test('does not make what is there once while the add-on of the first is there', async () => {
    const once = (labels: Readonly<Record<string, string>>) => ({
      name: 'once',
      namespace: 'of-b',
      labels: { ...labels, [HUB_PART]: 'shared' },
    });
    expect(await make(b, CONFIG_MAP, once(OF_B))).toMatchObject({
      code: 403,
      message: expect.stringContaining(
        'is there once for all hubs of this site, and belongs to the Cappstan hub hub-a',
      ),
    });
    expect((await make(a, CONFIG_MAP, once(OF_A))).code).toBe(201);
  });

  test('cannot claim the id of the first, nor the first its own', async () => {
    const { code, message } = await capp(b, 'forged', OF_A, 'of-b');
    expect([code, message]).toEqual([403, expect.stringContaining('is let in for hub hub-b. If that id')]);
    expect(message).toContain(`-p '{"data":{"${AGENT_OF_B}":"hub-a"}}'`);
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
      expect(await into(b, 'of-a', OF_B)).toMatchObject({
        code: 403,
        message: expect.stringContaining(
          'Namespace of-a of this site belongs to the Cappstan hub hub-a, whose Secrets are there.',
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
      if (isShared({ object })) continue;
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

  test('keeps what is there once when an admin makes it the first hub, and may use the Namespaces without a label then', async () => {
    const data = { hub: 'hub-b', [AGENT_OF_A]: 'hub-a' };
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
});
