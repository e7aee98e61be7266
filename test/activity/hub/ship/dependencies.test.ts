// What a Capp refers to, on a real API server: all of it is carried by the work, what is missing is reported,
// and changes are applied.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { EVENT, SECRET, type Event } from '../../../../crds/kubernetes/core.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { data, startCarryingHub, type CarryingHub } from '../../../support/testbeds/activities/carried.ts';
import { APPS, type HubForTests } from '../../../support/testbeds/hub/hub.ts';

let stage: HubForTests;
let makeSecret: CarryingHub['makeSecret'];
let makeConfigMap: CarryingHub['makeConfigMap'];
let carried: CarryingHub['carried'];
let namesOf: CarryingHub['namesOf'];
let makeAccount: CarryingHub['makeAccount'];
beforeAll(async () => {
  const bed = await startCarryingHub();
  ({ stage, makeSecret, makeConfigMap, carried, namesOf, makeAccount } = bed);
}, 300_000);
afterAll(() => stage?.stop());

async function eventsOf(name: string, reason: string): Promise<Event[]> {
  await stage.events.queue.idle();
  const { items } = await stage.kube.list<Event>(EVENT, { namespace: APPS });
  return items.filter(({ regarding, reason: its }) => regarding.name === name && its === reason);
}

test('W17 the work carries every Secret and ConfigMap that any part of the pod refers to, once', async () => {
  await Promise.all(
    ['init', 'whole', 'projected', 'csi', 'pull', 'lent', 'log', 'tls'].map((name) => makeSecret(name)),
  );
  await Promise.all(['one', 'two'].map((name) => makeConfigMap(name)));
  const version = await makeAccount('builder', 'lent');
  await eventually(() => (stage.caches.serviceAccounts.caughtUpWith(version) ? true : undefined));
  const ref = await stage.make({
    name: 'whole',
    container: {
      envFrom: [
        { secretRef: { name: 'whole' } },
        { configMapRef: { name: 'one' } },
        { secretRef: { name: 'whole' } },
      ],
    },
    pod: {
      serviceAccountName: 'builder',
      imagePullSecrets: [{ name: 'pull' }, { name: 'whole' }],
      initContainers: [
        {
          name: 'i',
          image: 'i',
          env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'init', key: 'value' } } }],
        },
      ],
      volumes: [
        {
          name: 'p',
          projected: { sources: [{ secret: { name: 'projected' } }, { configMap: { name: 'two' } }] },
        },
        { name: 'c', csi: { driver: 'd', nodePublishSecretRef: { name: 'csi' } } },
      ],
    },
    spec: {
      logSpec: { type: 'elastic', host: 'h', index: 'i', user: 'u', passwordSecret: 'log' },
      routeSpec: { hostname: 'whole.example.com', tlsEnabled: true, tlsSecret: 'tls' },
    },
  });
  expect((await stage.ship(ref)).applied).toMatchObject({ outcome: 'Applied' });
  const secrets = ['csi', 'init', 'lent', 'log', 'projected', 'pull', 'tls', 'whole'].map(
    (name) => `Secret ${name}`,
  );
  expect(await namesOf(ref, 'Secret', 'ConfigMap')).toEqual([...secrets, 'ConfigMap one', 'ConfigMap two']);
  expect(await eventsOf('whole', 'ReferenceMissing')).toEqual([]);
});

test('W19 the work carries binary data, immutability and Secret types', async () => {
  await makeConfigMap('binary', { data: { plain: 'a' }, binaryData: { raw: btoa('b') }, immutable: true });
  await makeSecret('typed', {
    type: 'kubernetes.io/basic-auth',
    data: { username: btoa('u') },
    immutable: true,
  });
  const ref = await stage.make({
    name: 'kept',
    container: { envFrom: [{ configMapRef: { name: 'binary' } }, { secretRef: { name: 'typed' } }] },
  });
  await stage.ship(ref);
  const [, secret, configMap] = await carried(ref);
  expect(configMap).toMatchObject({ data: { plain: 'a' }, binaryData: { raw: btoa('b') }, immutable: true });
  expect(secret).toMatchObject({
    type: 'kubernetes.io/basic-auth',
    data: { username: btoa('u') },
    immutable: true,
  });
});

test('W18 a missing optional reference does not delay the rollout, and a missing required one delays it until it exists', async () => {
  const envFrom = [
    { secretRef: { name: 'awaited' } },
    { configMapRef: { name: 'absent', optional: true } },
    { secretRef: { name: '..' } },
  ];
  const ref = await stage.make({ name: 'waiting', container: { envFrom: envFrom.slice(0, 2) } });
  const { applied, state } = await stage.ship(ref);
  expect(applied).toMatchObject({ outcome: 'Refused', reason: 'MissingReference' });
  expect(JSON.stringify(applied)).toMatch(
    /refers to Secret awaited \(container app\), which namespace apps does not have/,
  );
  await makeSecret('awaited');
  expect((await stage.ship(ref, state)).applied).toMatchObject({ outcome: 'Applied' });
  expect(await namesOf(ref, 'Secret', 'ConfigMap')).toEqual(['Secret awaited']);
  const odd = await stage.make({ name: 'astray', container: { envFrom } });
  expect(JSON.stringify((await stage.ship(odd)).applied)).toContain('Secret .. (container app)');
});

test('a missing log password, TLS or pull secret causes a Warning event, once, and is carried when it exists', async () => {
  const ref = await stage.make({
    name: 'warned',
    pod: { imagePullSecrets: [{ name: 'no-pull' }] },
    spec: {
      logSpec: { type: 'elastic', host: 'h', index: 'i', user: 'u', passwordSecret: 'no-log' },
      routeSpec: { hostname: 'warned.example.com', tlsEnabled: true, tlsSecret: 'capp-tls' },
    },
  });
  const { applied, state } = await stage.ship(ref);
  await stage.ship(ref, state);
  expect(applied).toMatchObject({ outcome: 'Applied' });
  const notes = (await eventsOf('warned', 'ReferenceMissing')).map(
    ({ type, note }) => `${type} ${note.slice(0, note.indexOf(','))}`,
  );
  expect(notes.toSorted()).toEqual([
    'Warning imagePullSecrets names Secret no-pull',
    'Warning spec.logSpec.passwordSecret names Secret no-log',
    'Warning spec.routeSpec.tlsSecret names Secret capp-tls',
  ]);
  const routeOf = async () => ((await carried(ref)).at(-1) as Capp | undefined)?.spec.routeSpec;
  const issued = { hostname: 'warned.example.com', tlsEnabled: true };
  expect(await routeOf()).toEqual(issued);
  await makeSecret('no-log');
  await makeSecret('capp-tls');
  await stage.ship(ref, state);
  expect(await namesOf(ref, 'Secret')).toEqual(['Secret capp-tls', 'Secret no-log']);
  expect(await routeOf()).toEqual({ ...issued, tlsSecret: 'capp-tls' });
  expect((await carried(ref))[1]).toMatchObject({
    metadata: { name: 'capp-tls', labels: { 'networking.internal.knative.dev/certificate-uid': '' } },
  });
});

test('a Capp that has become too large keeps its work, and the message names the largest objects', async () => {
  await Promise.all([makeSecret('grows'), makeConfigMap('large', { data: { text: 'x'.repeat(200_000) } })]);
  const ref = await stage.make({
    name: 'heavy',
    container: { envFrom: [{ secretRef: { name: 'grows' } }, { configMapRef: { name: 'large' } }] },
  });
  const { state } = await stage.ship(ref);
  const before = await stage.work(ref);
  const canary = 'y'.repeat(300_000);
  await stage.kube.patch(SECRET, { namespace: APPS, name: 'grows' }, { data: data(canary) });
  const { applied } = await stage.ship(ref, state);
  expect(applied).toMatchObject({ outcome: 'Refused', reason: 'TooLarge' });
  const { message } = applied as { message: string };
  expect(message).toMatch(
    /more than the 500 KiB .* The largest are Secret grows \(391 KiB\), ConfigMap large \(196 KiB\), Capp heavy \(1 KiB\)\./,
  );
  expect(message).not.toContain(btoa(canary).slice(0, 20));
  expect(await stage.work(ref)).toEqual(before);
  await stage.kube.patch(SECRET, { namespace: APPS, name: 'grows' }, { data: data('small again') });
  expect((await stage.ship(ref, state)).applied).toMatchObject({ outcome: 'Applied', created: false });
});
