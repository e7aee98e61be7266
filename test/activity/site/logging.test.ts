// Where a Capp's output goes, on a real API server; the test plays the logging operator.
import { SECRET } from '../../../crds/kubernetes/core.ts';
import { SYSLOG_NG_FLOW, SYSLOG_NG_OUTPUT, type SyslogNgObject } from '../../../crds/kubernetes/logging.ts';
import type { Resource } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { at, siteTestbed } from '../../support/testbeds/site/site.ts';
import { serveKnative } from '../../support/testbeds/site/site-kinds.ts';

const testbed = siteTestbed();
beforeAll(async () => {
  await serveKnative(testbed.kube);
}, 300_000);

const KINDS = [SYSLOG_NG_FLOW, SYSLOG_NG_OUTPUT];
const logSpec = { type: 'elastic', host: 'https://logs', index: 'i', user: 'u', passwordSecret: 'p' };
const live = (kind: Resource, name: string) => testbed.kube.get<SyslogNgObject>(kind, at(name));
const there = (kind: Resource, name: string) => eventually(async () => (await live(kind, name)) ?? undefined);

/** Plays the logging operator: it has looked at both. */
async function looks(name: string, status: object): Promise<void> {
  for (const kind of KINDS) {
    await there(kind, name);
    await testbed.kube.patch(kind, at(name), { status }, { subresource: 'status' });
  }
}

test('a Capp with a logSpec says NotServed, is deployed all the same, and ships its logs as soon as the kinds are served', async () => {
  await testbed.make('early', { logSpec });
  await testbed.says('early', 'LoggingReady', 'NotServed');
  await testbed.says('early', 'Ready', 'Deploying');
  for (const kind of KINDS) await serveBare(testbed.kube, kind);
  const output = await there(SYSLOG_NG_OUTPUT, 'early');
  expect(output.spec).toMatchObject({ elasticsearch: { url: 'https://logs', index: 'i' } });
  await testbed.says('early', 'LoggingReady', 'NotCollected');
}, 300_000);

test('LoggingReady and the status follow what the logging operator says', async () => {
  const { metadata } = await testbed.make('shop', { logSpec });
  await looks('shop', { active: true, problemsCount: 0 });
  const good = await testbed.says('shop', 'LoggingReady', 'Collected');
  expect(good.status?.loggingStatus).toMatchObject({
    syslogngflow: { active: true },
    conditions: [{ type: 'LoggingIsReady', status: 'True', reason: 'ready' }],
  });
  await looks('shop', { active: true, problemsCount: 1, problems: ['no such Secret'] });
  const bad = await testbed.says('shop', 'LoggingReady', 'LoggingInvalid');
  expect(JSON.stringify(bad.status?.conditions)).toContain('no such Secret');
  expect((await there(SYSLOG_NG_FLOW, 'shop')).metadata.ownerReferences).toMatchObject([
    { kind: 'Capp', name: 'shop', uid: metadata.uid },
  ]);
});

test('an edited logSpec changes where logs go, a disabled Capp keeps that, and without a logSpec both objects go', async () => {
  await testbed.make('mover', { logSpec });
  await there(SYSLOG_NG_FLOW, 'mover');
  await testbed.edit('mover', { state: 'disabled', logSpec: { ...logSpec, type: 'elastic-datastream' } });
  await eventually(async () =>
    (await live(SYSLOG_NG_OUTPUT, 'mover'))?.spec?.['elasticsearch-datastream'] === undefined
      ? undefined
      : true,
  );
  expect((await there(SYSLOG_NG_OUTPUT, 'mover')).spec).not.toHaveProperty('elasticsearch');
  await testbed.edit('mover', { logSpec: null });
  for (const kind of KINDS)
    await eventually(async () => ((await live(kind, 'mover')) === null ? true : undefined));
  await eventually(async () => {
    const { status } = await testbed.live('mover');
    return status?.loggingStatus === undefined &&
      status?.conditions?.every(({ type }) => type !== 'LoggingReady') === true
      ? true
      : undefined;
  });
}, 300_000);

test("W-15 an output of somebody else is neither changed nor deleted, and the Capp's is made when the name is free", async () => {
  const { apiVersion, kind } = SYSLOG_NG_OUTPUT;
  const foreign = { apiVersion, kind, metadata: at('taken'), spec: { mine: true } };
  const made = await testbed.kube.create<SyslogNgObject>(SYSLOG_NG_OUTPUT, foreign);
  await testbed.make('taken', { logSpec });
  await testbed.says('taken', 'LoggingReady', 'NameTaken');
  expect((await live(SYSLOG_NG_OUTPUT, 'taken'))?.metadata.resourceVersion).toBe(
    made.metadata.resourceVersion,
  );
  await testbed.kube.remove(SYSLOG_NG_OUTPUT, at('taken'));
  await testbed.says('taken', 'LoggingReady', 'NotCollected');
});

test('the password is in no object that the site operator writes, and a settled Capp causes no write, even when the operator restarts', async () => {
  const password = 'never-to-be-seen';
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: at('p'), stringData: { elastic: password } };
  await testbed.kube.create(SECRET, secret);
  await testbed.make('calm', { logSpec });
  await looks('calm', { active: true, problemsCount: 0 });
  await testbed.says('calm', 'LoggingReady', 'Collected');
  await testbed.operator.idle();
  const objects = async () => [
    await testbed.live('calm'),
    ...(await Promise.all(KINDS.map((kind) => there(kind, 'calm')))),
  ];
  const before = await testbed.atRest(objects);
  expect(JSON.stringify(before)).not.toContain(password);
  await testbed.restart();
  await testbed.operator.idle();
  expect((await objects()).map(({ metadata }) => metadata.resourceVersion)).toEqual(
    before.map(({ metadata }) => metadata.resourceVersion),
  );
});
