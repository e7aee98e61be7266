// A site runs no new Capp in a system namespace, whatever a hub ships; a Capp that runs there already keeps
// running.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { KNATIVE_SERVICE, type KnativeService } from '../../../crds/kubernetes/knative.ts';
import { MANAGED_BY, MANAGED_BY_SITE, PARENT_CAPP } from '../../../crds/labels.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { siteTestbed } from '../../support/testbeds/site/site.ts';

const testbed = siteTestbed();
const system = (name: string) => ({ namespace: 'kube-system', name });

async function send(name: string): Promise<void> {
  const template = { spec: { serviceAccountName: 'default', containers: [{ name: 'app', image: 'i:1' }] } };
  const spec = { configurationSpec: { template }, routeSpec: { hostname: `${name}.example.com` } };
  await testbed.kube.create<Capp>(CAPP, {
    apiVersion: CAPP.apiVersion,
    kind: CAPP.kind,
    metadata: system(name),
    spec,
  } as unknown as Capp);
}

const ready = async (name: string) =>
  (await testbed.kube.get<Capp>(CAPP, system(name)))?.status?.conditions?.find(
    ({ type }) => type === 'Ready',
  );

test('a new Capp in a system namespace gets no Service, and Ready says why', async () => {
  await serveBare(testbed.kube, KNATIVE_SERVICE);
  await send('intruder');
  const said = await eventually(async () => (await ready('intruder')) ?? undefined);
  expect(said).toMatchObject({
    status: 'False',
    reason: 'NamespaceReserved',
    message: expect.stringContaining('another namespace'),
  });
  await testbed.operator.idle();
  expect(await testbed.kube.get(KNATIVE_SERVICE, system('intruder'))).toBeNull();
});

test('a Capp that an earlier version runs in a system namespace keeps running', async () => {
  const labels = { [PARENT_CAPP]: 'resident', [MANAGED_BY]: MANAGED_BY_SITE };
  const service = {
    apiVersion: KNATIVE_SERVICE.apiVersion,
    kind: 'Service',
    metadata: { ...system('resident'), labels },
    spec: {},
  };
  const made: KnativeService = await testbed.kube.create<KnativeService>(KNATIVE_SERVICE, service);
  await testbed.operator.idle();
  await testbed.restart();
  await send('resident');
  await eventually(async () => ((await ready('resident'))?.reason === 'Deploying' ? true : undefined));
  expect((await testbed.kube.get<KnativeService>(KNATIVE_SERVICE, system('resident')))?.metadata.uid).toBe(
    made.metadata.uid,
  );
});
