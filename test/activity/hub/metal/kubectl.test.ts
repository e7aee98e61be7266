// What users of SIP and of Metal³ type: kubectl, which has the API server refuse each field that it does not
// know.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BARE_METAL_HOST } from '../../../../crds/metal/bare-metal-host.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { kubectlFiles, type KubectlFiles } from '../../../support/testbeds/fleet/kubectl-files.ts';
import { startMetalHub, type MetalHub } from '../../../support/testbeds/metal/metal.ts';

const SAMPLES = join(import.meta.dirname, '../../../support/testbeds/metal/sip-samples.yaml');

let hub: MetalHub;
let kubectl: KubectlFiles;
beforeAll(async () => {
  hub = await startMetalHub();
  await hub.serveHosts();
  kubectl = kubectlFiles(hub.kubeconfig);
  await hub.kube.create(NAMESPACE, { metadata: { name: 'sipcluster-system' } });
}, 300_000);
afterAll(() => hub?.stop());

test('takes SIP’s samples, each field of them', async () => {
  const samples = readFileSync(SAMPLES, 'utf8');
  expect((await kubectl.apply(samples)).refusal).toBeNull();
  const misspelt = samples.replace('nodeInterfaceId: oam-ipv4', 'nodeInterfaceID: oam-ipv4');
  expect((await kubectl.apply(misspelt)).refusal).toContain('nodeInterfaceID');
});

/** By the API reference of baremetal-operator; what the stand-in defines is not among them. */
const OTHERS = {
  architecture: 'x86_64',
  customDeploy: { method: 'install_coreos' },
  disablePowerOff: true,
  firmware: { virtualizationEnabled: true },
  inspectionMode: 'disabled',
  networkInterfaces: [{ name: 'eno1' }],
  preprovisioningNetworkDataName: 'net',
  raid: { softwareRAIDVolumes: [{ level: '1' }] },
  taints: [{ key: 'example.com/new', effect: 'NoSchedule' }],
};

test('takes a host with fields of Metal³ that the stand-in does not define, and they are kept', async () => {
  const image = { url: 'oci://images.example/os', ociAuthSecretName: 'images' };
  const host = {
    apiVersion: BARE_METAL_HOST.apiVersion,
    kind: BARE_METAL_HOST.kind,
    metadata: { namespace: 'sipcluster-system', name: 'full' },
    spec: { online: true, ...OTHERS, image },
  };
  expect((await kubectl.apply(JSON.stringify(host))).refusal).toBeNull();
  const key = { namespace: 'sipcluster-system', name: 'full' };
  expect((await hub.kube.get(BARE_METAL_HOST, key)) as object).toMatchObject({ spec: { ...OTHERS, image } });
});

test('says what is wrong in the fields that the stand-in has', async () => {
  const host = (spec: object): string =>
    JSON.stringify({
      apiVersion: BARE_METAL_HOST.apiVersion,
      kind: BARE_METAL_HOST.kind,
      metadata: { namespace: 'sipcluster-system', name: 'bad' },
      spec,
    });
  for (const [spec, words] of [
    [{}, 'spec.online'],
    [{ online: true, bmc: { address: 'ipmi://192.0.2.1' } }, 'spec.bmc.credentialsName'],
    [{ online: true, bootMode: 'bios' }, 'spec.bootMode'],
  ] as const)
    expect((await kubectl.apply(host(spec))).refusal).toContain(words);
});
