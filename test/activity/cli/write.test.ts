// `kubectl capp create` and `set` on a real API server with the real webhook: what is written, what a dry run
// leaves alone, and what others write meanwhile.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { editObject } from '../../../cli/hub/write/write.ts';
import { openHub } from '../../../cli/hub/connection/hub.ts';
import { run } from '../../../cli/program.ts';
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { aTerminal } from '../../support/builders/process/terminals.ts';
import { HUB_USER, startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';

let hub: WebhookForTests;
let folder: string;
beforeAll(async () => {
  hub = await startWebhook(['apps', RCS_CONFIG_KEY.namespace], Date.now());
  folder = await mkdtemp(join(tmpdir(), 'cappstan-write-'));
}, 300_000);
afterAll(async () => {
  await hub?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function capp(...args: string[]) {
  const { terminal, out, notes } = aTerminal();
  const all = [...args, '--kubeconfig', hub.kubeconfig, '-n', 'apps', '--request-timeout', '60'];
  const code = await run({ args: all, name: 'capp', version: '0' }, terminal);
  return { code, out: out.join('\n'), err: notes.join('\n') };
}

const read = <T extends Capp | CappSet | Bundle>(
  resource: typeof CAPP | typeof CAPP_SET | typeof BUNDLE,
  name: string,
) => hub.kube.get<T>(resource, { namespace: 'apps', name });
const containerOf = ({ spec }: Capp) => spec.configurationSpec.template.spec.containers[0];

test('a Capp is created once; a dry run by the hub is checked by it, and stores nothing', async () => {
  const create = (...more: string[]) => capp('create', 'capp', 'hello', '--image', 'app:v1', ...more);
  const dry = await create('--dry-run=server', '-o', 'json');
  expect(JSON.parse(dry.out)).toMatchObject({ metadata: { name: 'hello', uid: expect.any(String) } });
  expect(await create('--dry-run=server')).toEqual({
    code: 0,
    err: '',
    out: 'Capp apps/hello would be created. Nothing was stored.',
  });
  expect(await read<Capp>(CAPP, 'hello')).toBeNull();
  const refused = await capp('create', 'capp', 'Hello', '--image', 'app:v1', '--dry-run=server');
  expect(refused).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^The hub refused: .*metadata.name/),
  });
  expect(await create()).toEqual({
    code: 0,
    err: '',
    out: 'Created Capp apps/hello. See how it is: kubectl capp why hello -n apps',
  });
  expect(await create()).toMatchObject({
    code: 1,
    err: 'There is a Capp hello in namespace apps already. Change it: kubectl capp set image capp/hello <image> -n apps.',
  });
});

test('set changes one field of what is there, and writes nothing that is so already', async () => {
  const before = await read<Capp>(CAPP, 'hello');
  expect((await capp('set', 'image', 'hello', 'app:v2', '--dry-run=client', '-o', 'yaml')).out).toContain(
    'app:v2',
  );
  expect(await capp('set', 'image', 'hello', 'app:v2', '--dry-run=server')).toMatchObject({
    out: 'Capp apps/hello would be changed: containers[0].image. Nothing was stored.',
  });
  expect(await read<Capp>(CAPP, 'hello')).toEqual(before);
  expect(await capp('set', 'image', 'hello', 'app:v2')).toEqual({
    code: 0,
    err: '',
    out: 'Capp apps/hello is changed, as generation 2: containers[0].image. Follow it: kubectl capp watch hello -n apps',
  });
  await capp('set', 'env', 'hello', 'A=canary', 'B=2');
  const { out } = await capp('set', 'env', 'hello', 'A=other', 'B-');
  expect(out).not.toContain('canary');
  const after = await read<Capp>(CAPP, 'hello');
  expect(after && containerOf(after)).toMatchObject({
    image: 'app:v2',
    env: [{ name: 'A', value: 'other' }],
  });
  expect(await capp('set', 'env', 'hello', 'A=other')).toMatchObject({
    out: 'Capp apps/hello has that already.',
  });
  expect((await read<Capp>(CAPP, 'hello'))?.metadata.resourceVersion).toBe(after?.metadata.resourceVersion);
  expect(await capp('set', 'image', 'hello', 'web=app:v3')).toMatchObject({
    code: 2,
    err: 'Capp apps/hello: It has no container web. It has: hello.',
  });
});

test('of a CappSet the template is changed; a Capp that it keeps and a Bundle are refused with the remedy', async () => {
  expect(await capp('create', 'set', 'shop', '--image', 'shop:v1', '--placement', 'shops')).toMatchObject({
    code: 0,
    out: 'Created CappSet apps/shop. See how it is: kubectl capp why cappset/shop -n apps',
  });
  expect(await capp('set', 'hostname', 'cappset/shop', 'shop.example.com')).toMatchObject({
    code: 0,
    err: '',
  });
  const set = await read<CappSet>(CAPP_SET, 'shop');
  expect(set?.spec).toMatchObject({
    placement: 'shops',
    template: { spec: { routeSpec: { hostname: 'shop.example.com' } } },
  });
  const owner = {
    apiVersion: CAPP_SET.apiVersion,
    kind: 'CappSet',
    name: 'shop',
    uid: set?.metadata.uid,
    controller: true,
  };
  const metadata = { namespace: 'apps', name: 'shop-kept', ownerReferences: [owner] };
  const byHub = await hub.as(HUB_USER);
  await byHub.create(CAPP, { metadata, spec: set?.spec.template.spec } as never);
  expect(await capp('set', 'image', 'shop-kept', 'x')).toMatchObject({
    code: 1,
    err: 'CappSet shop writes the spec of shop-kept: change its template, cappset/shop.',
  });
});

test('a Bundle is made of files, and given others only with --overwrite', async () => {
  const file = join(folder, 'base.yaml');
  const say = (value: string) =>
    writeFile(
      file,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base, namespace: default}\ndata: {key: '${value}'}\nbig: 9007199254740993\n`,
    );
  await say('1');
  const create = (...more: string[]) => capp('create', 'bundle', 'base', '-f', file, ...more);
  expect(await create('--overwrite')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Say which sites'),
  });
  expect(await create('--placement', 'shops')).toEqual({
    code: 0,
    err: '',
    out: 'Created Bundle apps/base with 1 manifest. See how far it is: kubectl capp rollout status bundle/base -n apps',
  });
  await hub.kube.patch(BUNDLE, { namespace: 'apps', name: 'base' }, { spec: { onRemoval: 'Orphan' } });
  await say('2');
  expect(await create('--placement', 'shops')).toMatchObject({
    code: 1,
    err: 'There is a Bundle base in namespace apps already. Give it these manifests with --overwrite.',
  });
  const before = await read<Bundle>(BUNDLE, 'base');
  const dry = await create('--overwrite', '--dry-run=server', '-o', 'yaml');
  expect(dry.out).toContain('big: 9007199254740993');
  expect(await read<Bundle>(BUNDLE, 'base')).toEqual(before);
  expect(await create('--overwrite')).toMatchObject({
    out: expect.stringContaining('has these manifests now: 1.'),
  });
  const after = await read<Bundle>(BUNDLE, 'base');
  expect(after?.spec).toMatchObject({
    placement: 'shops',
    onRemoval: 'Orphan',
    manifests: [{ data: { key: '2' } }],
  });
  expect(await create('--overwrite')).toMatchObject({
    out: 'Bundle apps/base has these manifests already.',
  });
  expect((await read<Bundle>(BUNDLE, 'base'))?.metadata.generation).toBe(after?.metadata.generation);
  // This hub has no site, and refuses to pin a Bundle to one that it does not know.
  const moved = await create('--overwrite', '--clusters', 'site-1', '--dry-run=client', '-o', 'json');
  const { spec } = JSON.parse(moved.out) as Bundle;
  expect([spec.sites, spec.placement]).toEqual([{ clusters: ['site-1'] }, undefined]);
  expect(await create('--overwrite', '--clusters', 'site-1')).toMatchObject({ code: 1, out: '' });
});

test('what another writes between the read and the write is kept', async () => {
  const own = openHub({ kubeconfig: hub.kubeconfig, namespace: 'apps' }, {});
  const key = { namespace: 'apps', name: 'hello' };
  let reads = 0;
  const { after } = await editObject<Capp>(own, CAPP, {
    dryRun: null,
    read: async () => {
      const found = await own.kube.get<Capp>(CAPP, key);
      reads += 1;
      if (reads === 1) await hub.kube.patch(CAPP, key, { spec: { scaleMetric: 'cpu' } });
      if (found === null) throw new Error('It is gone.');
      return found;
    },
    change: ({ spec, ...rest }) => ({ ...rest, spec: { ...spec, state: 'disabled' } }),
  });
  await own.kube.close();
  expect([reads, after.spec.scaleMetric, after.spec.state]).toEqual([2, 'cpu', 'disabled']);
});
