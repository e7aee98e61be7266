// What a SIPCluster may not ask for: the user data of another site, a name that is the hub's own, and labels
// by which others know a cluster.
import { FOR_UID } from '../../../../crds/join/labels.ts';
import { MANAGED_BY } from '../../../../crds/labels.ts';
import { ALLOW_WIPE, MANAGED_BY_SIP, PROVISIONED_FOR } from '../../../../crds/metal/labels.ts';
import { NAMESPACE as NAMESPACES, SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { NAMESPACE } from '../../../support/builders/metal/chain-hub.ts';
import { ChainWorld, type WorldOptions } from '../../../support/builders/metal/chain-world.ts';

test.each([
  ['annotation', { annotations: { [PROVISIONED_FOR]: 'victim-uid' } }],
  ['label', { labels: { [MANAGED_BY]: MANAGED_BY_SIP } }],
])('user data that were made for a host are no template, by their %s', async (_by, more) => {
  const world = new ChainWorld();
  const name = 'v-cappstan-userdata';
  const data = { userData: Buffer.from('join [J1line]').toString('base64') };
  world.server.put<Secret>(SECRET, { namespace: NAMESPACE, name }, () => ({
    metadata: { namespace: NAMESPACE, name, ...more },
    data,
  }));
  world.asks(1, { userData: { ControlPlane: { secret: name }, Worker: { secret: 'template-worker' } } });
  await world.live(4);
  expect(world.condition('Provisioned')).toBe('False BadUserData');
  expect(world.message('Provisioned')).toContain(`Secret metal/${name} is no template`);
  expect(world.happened.filter((one) => one.startsWith('metal/a'))).toEqual([]);
});

test.each([
  'cluster.open-cluster-management.io/clusterset',
  'feature.open-cluster-management.io/addon-cappstan',
  'open-cluster-management.io/x',
  'rcs.dana.io/environment',
  'local-cluster',
])('a site with the label %s is not made', async (key) => {
  const world = new ChainWorld();
  world.asks(1, { labels: { tier: 'edge', [key]: 'x' } });
  await world.live(4);
  expect(world.condition('Joined')).toBe('False BadLabels');
  expect(world.message('Joined')).toContain(key);
  expect(world.happened).toEqual([]);
  world.edit({ labels: { tier: 'edge' } });
  await world.ready();
});

test('such a label that comes later is not written', async () => {
  const world = new ChainWorld();
  world.asks(1);
  await world.ready();
  world.edit({ labels: { tier: 'far', 'rcs.dana.io/x': 'y' } });
  await world.live(4);
  expect(world.condition('Joined')).toBe('False BadLabels');
  expect(world.managed()?.metadata.labels).toEqual({ tier: 'edge' });
});

test.each(['kube-public', 'open-cluster-management-hub', 'cappstan', 'openshift-config', 'local-cluster'])(
  'no site is made with the reserved name %s',
  async (name) => {
    const world = new ChainWorld();
    world.asks(1, { name });
    await world.live(4);
    expect(world.condition('Joined')).toBe('False NameReserved');
    expect(world.condition('Ready')).toBe('False InfraServiceFailure');
    expect(world.happened).toEqual([]);
  },
);

test('no site is made with the name of a namespace that is there, unless OCM has made it for the site', async () => {
  const world = new ChainWorld();
  const key = { namespace: null, name: 'edge-7' };
  world.server.put(NAMESPACES, key, () => ({ metadata: { name: 'edge-7' } }));
  world.asks(1);
  await world.live(4);
  expect(world.condition('Joined')).toBe('False NameTaken');
  expect(world.message('Joined')).toContain('Namespace edge-7');
  expect(world.happened).toEqual([]);
  const labels = { 'open-cluster-management.io/cluster-name': 'edge-7' };
  world.server.put(NAMESPACES, key, () => ({ metadata: { name: 'edge-7', labels } }));
  await world.ready();
});

/** Somebody edits each token as soon as it is there. */
async function withTokens(edit: (token: Secret) => Secret): Promise<ChainWorld> {
  const world = new ChainWorld({ hosts: ['a'] });
  world.server.onWrite(({ before, after }) => {
    if (before !== null || after?.metadata.name.startsWith('bootstrap-token-') !== true) return;
    const key = { namespace: 'kube-system', name: after.metadata.name };
    world.server.put<Secret>(SECRET, key, (token) => (token === null ? null : edit(token)));
  }, 'secrets');
  world.asks(0);
  await world.live(4);
  return world;
}

test('a token without its secret gives no user data, and is told by the name of its Secret', async () => {
  const world = await withTokens((token) => ({ ...token, data: {} }));
  expect(world.condition('Joined')).toBe('False Stuck');
  expect(world.message('Joined')).toMatch(/Secret kube-system\/bootstrap-token-[a-z0-9]{6} is not as/);
  expect(world.says).toContain('Stuck');
  expect(world.hosts()[0]?.spec?.image).toBeUndefined();
});

test('a token that somebody has bound to another cluster counts as none', async () => {
  let edits = 0;
  const world = await withTokens(({ metadata, ...token }) => {
    edits += 1;
    const annotations = { ...metadata.annotations, [FOR_UID]: 'another-uid' };
    return edits > 1 ? { metadata, ...token } : { ...token, metadata: { ...metadata, annotations } };
  });
  await world.until(() => world.condition('Joined') === 'True Joined');
  expect(world.tokens.size).toBe(2);
});

/** Patches of ManagedClusters are refused from then on, as for a clusterset that is not named. */
function refusing(options: WorldOptions = {}) {
  const state = { isOn: true };
  const world = new ChainWorld({
    ...options,
    way: (request, send) => {
      const { method, path, body } = request;
      const isLabel = /rcs.dana.io\/site-labels/.test(JSON.stringify(body ?? ''));
      if (state.isOn && method === 'PATCH' && path.includes('/managedclusters/') && isLabel)
        throw new ApiError({ method, path, code: 403, reason: 'Forbidden' });
      return send();
    },
  });
  return { world, stop: () => void (state.isOn = false) };
}

test('a clusterset that is refused keeps a site that has joined from nothing else', async () => {
  const { world, stop } = refusing({ hosts: ['a', 'b', 'c'] });
  world.asks(1);
  await world.ready();
  world.edit({ clusterSet: 'prod' });
  world.wants(2);
  await world.until(() => world.happened.includes('metal/c runs'));
  expect(world.condition('Joined')).toBe('False WriteRefused');
  expect(world.message('Joined')).toMatch(
    /^The hub refuses a write \(PATCH \S+edge-7\S*: 403 Forbidden\)\. Is clusterset prod in metal\.provisionClusterSets/,
  );
  expect(world.message('Joined')).not.toContain('provisionNamespaces');
  world.annotate(ALLOW_WIPE, 'metal/b');
  await world.until(() => world.happened.includes('metal/b is wiped'));
  stop();
  await world.ready();
});

test('a site whose labels are refused before anybody comes has no token and no machine until they are written', async () => {
  const { world, stop } = refusing({ hosts: [] });
  world.asks(0);
  world.host('a');
  let edits = 0;
  world.server.onWrite(({ before }) => {
    if (before === null && edits === 0) {
      edits += 1;
      world.edit({ clusterSet: 'prod' });
    }
  }, 'managedclusters');
  await world.live(4);
  expect(edits).toBe(1);
  expect(world.condition('Joined')).toBe('False WriteRefused');
  expect(world.happened).toEqual(['edge-7 is expected']);
  stop();
  await world.ready();
});

test('of two refusals the status tells the same ones, whichever answer comes first', async () => {
  let isSlow = false;
  const refused = ({ method, path, body }: Parameters<NonNullable<WorldOptions['way']>>[0]) => {
    const text = JSON.stringify(body ?? '');
    const isLabel = path.includes('/managedclusters/') && text.includes('site-labels');
    const isHost = path.includes('/baremetalhosts/') && text.includes('image');
    return method === 'PATCH' && (isLabel || isHost) ? { isLabel } : null;
  };
  const world = new ChainWorld({
    hosts: ['a', 'b', 'c'],
    way: async (request, send) => {
      const found = isOn ? refused(request) : null;
      if (found === null) return send();
      for (let turn = 0; turn < (found.isLabel === isSlow ? 9 : 0); turn += 1) await Promise.resolve();
      const { method, path } = request;
      throw new ApiError({ method, path, code: 403, reason: 'Forbidden' });
    },
  });
  let isOn = false;
  world.asks(1);
  await world.ready();
  isOn = true;
  world.edit({ clusterSet: 'prod' });
  world.wants(2);
  const seen = new Set<string>();
  for (const slow of [true, false, true, false]) {
    isSlow = slow;
    await world.live(2);
    seen.add(['Provisioned', 'Joined'].map((type) => world.condition(type)).join(', '));
  }
  expect([...seen]).toEqual(['False WriteRefused, False WriteRefused']);
});
