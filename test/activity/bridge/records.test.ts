// Which writes of DNS records ring their Capp, by the managers that a real API server notes.
import { listenToRecords, watchRecords } from '../../../bridge/changes/records.ts';
import { RECORDS, type CnameRecord } from '../../../crds/dns-record.ts';
import { CAPP_UID, PARENT_CAPP, PARENT_CAPP_NAMESPACE } from '../../../crds/labels.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { API_TIMEOUT_MS, eventually } from '../../../testbed/eventually.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';

const NS = 'apps';
let server: ApiServerForTests;
let [hub, person] = [] as unknown as [Kube, Kube];
let watched: ReturnType<typeof watchRecords> = [];
const faults: unknown[] = [];
let rings: string[] = [];
beforeAll(async () => {
  server = await startApiServer();
  const as = (userAgent: string): Kube =>
    connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS, userAgent });
  [hub, person] = [as('cappstan-hub'), as('kubectl')];
  await person.create(NAMESPACE, { metadata: { name: NS } });
  watched = watchRecords(person, (_, error) => faults.push(error));
  listenToRecords(watched, (key, cause) => void rings.push(`${key} ${cause}`));
  await Promise.all(watched.map(({ known }) => known));
}, 300_000);
afterAll(async () => {
  await Promise.all(watched.map((one) => one.stop()));
  await Promise.all([hub, person].map((one) => one?.close()));
  await server?.stop();
});

test('a hub without the kinds is no fault, and once they are there only what somebody else writes rings the Capp', async () => {
  expect(faults).toEqual([]);
  for (const kind of [RECORDS.Namespaced, RECORDS.Cluster]) await serveBare(person, kind);
  const made = async (name: string): Promise<void> => {
    const labels = { [PARENT_CAPP]: name, [PARENT_CAPP_NAMESPACE]: NS, [CAPP_UID]: `uid-${name}` };
    const { apiVersion, kind } = RECORDS.Namespaced;
    const forProvider = { name, zone: 'z.', cname: 'site-1.z.', ttl: 60 };
    await hub.create<CnameRecord & { metadata: { name: string } }>(RECORDS.Namespaced, {
      apiVersion,
      kind,
      metadata: { name: `${name}.z`, namespace: NS, labels },
      spec: { forProvider },
    });
  };
  const lead = (kube: Kube, name: string, cname: string): Promise<unknown> =>
    kube.patch(
      RECORDS.Namespaced,
      { namespace: NS, name: `${name}.z` },
      { spec: { forProvider: { cname } } },
    );
  const rung = (key: string): Promise<unknown> =>
    eventually(() => rings.includes(`${key} dependency`) || undefined);
  await made('last');
  await made('app');
  // The watch begins some time after the kinds are served.
  await eventually(async () => {
    await lead(person, 'last', `${Math.random()}.z.`);
    return rings.length > 0 || undefined;
  });
  rings = [];
  await lead(hub, 'app', 'site-2.z.');
  await lead(person, 'last', 'elsewhere.z.');
  await rung(`${NS}/last`);
  expect(rings).not.toContain(`${NS}/app dependency`);
  await lead(person, 'app', 'evil.z.');
  await rung(`${NS}/app`);
  rings = [];
  await lead(hub, 'app', 'site-2.z.');
  await lead(person, 'last', 'again.z.');
  await rung(`${NS}/last`);
  expect(rings).not.toContain(`${NS}/app dependency`);
  await person.remove(RECORDS.Namespaced, { namespace: NS, name: 'app.z' });
  await rung(`${NS}/app`);
}, 300_000);
