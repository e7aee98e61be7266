// `kubectl capp drill` with the rights of an operator on a real API server. The test answers in place of the
// workflows, through the hub's own reports.
import { hubDrainObject } from '../../../activities/hub/drain/drain-object.ts';
import { hubDrill } from '../../../activities/hub/drill/drill.ts';
import { DRAIN, DrainSpec, type Drain } from '../../../crds/drain/drain.ts';
import type { Rehearsal } from '../../../crds/drain/rehearsal.ts';
import { ENDS_AFTER } from '../../../crds/labels.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aPlannedReport, aRehearsal } from '../../support/builders/drill/drills.ts';
import { cliTestbed, type CliTestbed } from '../../support/testbeds/command/cli.ts';

const DRAIN_TYPE = { apiVersion: DRAIN.apiVersion, kind: DRAIN.kind };
let bed: CliTestbed;
let operator: string;
beforeAll(async () => {
  bed = await cliTestbed();
  operator = await bed.bind('operator', 'cappstan-drain');
  for (const name of ['drilled', 'stopped', 'killed', 'kept', 'became', 'planned', 'theirs', 'draining'])
    await bed.hub.kube.create(MANAGED_CLUSTER, { metadata: { name } });
}, 300_000);
afterAll(() => bed?.stop());

const find = (name: string) => bed.hub.kube.get<Drain>(DRAIN, { namespace: null, name });
const made = (name: string): Promise<Drain> => eventually(async () => (await find(name)) ?? undefined);
const start = (...args: string[]) => bed.start(args, { kubeconfig: operator });

/** What the workflows `turns` and `drill` would report. */
async function says({ metadata }: Drain, plain: Partial<Rehearsal> = {}): Promise<void> {
  const { name, uid = '', generation = 0 } = metadata;
  const { hub } = bed;
  const drills = hubDrill({ ...hub, hubUid: 'hub-uid', config: RCS_CONFIG_KEY });
  const rehearsal = aRehearsal({ observedGeneration: generation, ...plain });
  await drills.reportDrill(name, { uid, generation, rehearsal });
  await hubDrainObject(hub).reportDrain(name, aPlannedReport({ uid, generation }));
}

test('it says what was found, ends with 6 if a check failed, and leaves no Drain behind', async () => {
  const fine = start('drill', 'drilled');
  const first = await made('drilled');
  expect(first.spec).toMatchObject({ dryRun: true, rehearse: true });
  expect(first.metadata.annotations).toEqual({ [ENDS_AFTER]: '900' });
  await says(first);
  const answer = await fine.ended;
  expect({ code: answer.code, head: answer.out.split('\n')[0] }).toEqual({
    code: 0,
    head: 'Of 1 Capp on drilled, 1 passed every check, 0 failed one, and of 0 not all is known. Nothing has been changed.',
  });
  expect(answer.out).toMatch(/apps\/app +site-2/);
  expect(await find('drilled')).toBeNull();
  const failing = start('drill', 'drilled', '-o', 'json');
  const second = await made('drilled');
  await says(second, { ready: 0, failed: 1 });
  const found = await failing.ended;
  expect(found.code).toBe(6);
  expect(JSON.parse(found.out)).toMatchObject({ site: 'drilled', rehearsal: { failed: 1 } });
  expect(await find('drilled')).toBeNull();
});

test('Ctrl-C takes the Drain away, which ends the drill', async () => {
  const stopped = start('drill', 'stopped');
  await made('stopped');
  stopped.interrupt();
  expect((await stopped.ended).code).toBe(130);
  expect(await find('stopped')).toBeNull();
});

test('what a killed command has left is never shown: the next drill is another one', async () => {
  const { kube } = bed.hub;
  const metadata = { name: 'killed', annotations: { [ENDS_AFTER]: '900' } };
  const spec = DrainSpec.parse({ dryRun: true, rehearse: true });
  const left = await kube.create<Drain>(DRAIN, { ...DRAIN_TYPE, metadata, spec });
  await says(left);
  const again = start('drill', 'killed');
  const next = await eventually(async () => {
    const found = await find('killed');
    return found !== null && found.metadata.uid !== left.metadata.uid ? found : undefined;
  });
  await says(next, { ready: 0, failed: 1 });
  expect((await again.ended).code).toBe(6);
  expect(await find('killed')).toBeNull();
});

test('a drain that was made of a dry run for one answer is a drain, and has no end', async () => {
  const metadata = { name: 'kept', annotations: { [ENDS_AFTER]: '900' } };
  await bed.hub.kube.create(DRAIN, { ...DRAIN_TYPE, metadata, spec: DrainSpec.parse({ dryRun: true }) });
  expect((await start('drain', 'kept', '--no-wait').ended).code).toBe(0);
  const found = await find('kept');
  expect(found?.spec.dryRun).toBe(false);
  expect(found?.metadata.annotations?.[ENDS_AFTER]).toBeUndefined();
});

test.each([
  ['drill', 'became'],
  ['plan', 'planned'],
])('a drain that somebody has made of the dry run of a %s stays when that ends', async (command, site) => {
  const first = start(command, site);
  const { metadata } = await made(site);
  expect((await start('drain', site, '--no-wait').ended).code).toBe(0);
  const answer = await first.ended;
  expect(answer.code).toBe(1);
  expect(answer.err).toContain(`Somebody has begun to drain ${site} meanwhile, and that goes on.`);
  const found = await find(site);
  expect([found?.metadata.uid, found?.spec.dryRun]).toEqual([metadata.uid, false]);
});

test("somebody else's drill is shown and stays, and a drain is not touched", async () => {
  const create = (name: string, spec: object) =>
    bed.hub.kube.create<Drain>(DRAIN, { metadata: { name }, spec } as Drain);
  const theirs = await create('theirs', { dryRun: true, rehearse: true });
  await says(theirs);
  const shown = await start('drill', 'theirs').ended;
  expect(shown.code).toBe(0);
  expect((await find('theirs'))?.metadata.uid).toBe(theirs.metadata.uid);
  const draining = await create('draining', {});
  expect((await start('drill', 'draining').ended).code).toBe(1);
  expect((await find('draining'))?.metadata).toEqual(draining.metadata);
});
