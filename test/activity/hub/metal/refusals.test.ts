// What the API server refuses of a SIPCluster when it is written, but for services (service-faults.test.ts).
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../../kube/client.ts';
import { makeCluster, roomFor, startMetalHub, type MetalHub } from '../../../support/testbeds/metal/metal.ts';

let hub: MetalHub;
let kube: Kube;
beforeAll(async () => {
  hub = await startMetalHub();
  kube = hub.kube;
}, 300_000);
afterAll(() => hub?.stop());

const JUMP_HOST = { image: 'j', nodePort: 0, nodeInterfaceId: 'oam', nodeSSHPrivateKeys: 'keys' };
function manyLabels(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`l${index}`, 'v']));
}

const refusals: readonly (readonly [string, object, string])[] = [
  [
    'a negative count',
    { nodes: { Worker: { count: { active: -1 } } }, services: {} },
    'spec.nodes[Worker].count.active',
  ],
  ['a role that is no value of a label', { nodes: { 'a role': {} }, services: {} }, 'spec.nodes'],
  [
    'a node set that names very many labels',
    { nodes: { Worker: { labelSelector: { matchLabels: manyLabels(21) } } }, services: {} },
    'spec.nodes[Worker].labelSelector.matchLabels',
  ],
  [
    'a jump host on nodes with very many labels',
    { services: { jumpHost: [{ ...JUMP_HOST, nodeLabels: manyLabels(21) }] } },
    'spec.services.jumpHost[0].nodeLabels',
  ],
  ['no services at all', { nodes: {} }, 'spec.services'],
];

test.each(refusals)('%s is refused, by the name of the field', async (_what, spec, field) => {
  const namespace = await roomFor(kube);
  const metadata = { namespace, name: 'shop' };
  await expect(kube.create(SIP_CLUSTER, { metadata, spec } as unknown as SipCluster)).rejects.toMatchObject({
    code: 422,
    fields: expect.arrayContaining([expect.stringContaining(field)]) as string[],
  });
});

test('a node set may name as many labels as it says at most', async () => {
  const namespace = await roomFor(kube);
  const nodes = { Worker: { labelSelector: { matchLabels: manyLabels(20) } } };
  await makeCluster(kube, { namespace, name: 'shop' }, nodes);
});

test('a name that load balancers could not bear is refused', async () => {
  const namespace = await roomFor(kube);
  const create = (name: string) => makeCluster(kube, { namespace, name }, {});
  await expect(create('n'.repeat(38))).rejects.toMatchObject({ code: 422 });
  await create('n'.repeat(37));
});
