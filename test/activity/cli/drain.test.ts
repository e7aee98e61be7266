// `kubectl capp plan` and `drain` with the rights of an operator on a real API server. The test answers in
// place of the drain's workflows, through the hub's own reports.
import { hubDrainObject } from '../../../activities/hub/drain/drain-object.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { DRAIN, type Drain } from '../../../crds/drain/drain.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { DrainAccount, DrainReport } from '../../../workflows/drain/object.ts';
import { cliTestbed, type CliTestbed } from '../../support/testbeds/command/cli.ts';

let bed: CliTestbed;
let operator: string;
beforeAll(async () => {
  bed = await cliTestbed();
  operator = await bed.bind('operator', 'cappstan-drain');
  for (const name of ['planned', 'emptied', 'kept', 'left', 'ended', 'foreign'])
    await bed.hub.kube.create(MANAGED_CLUSTER, { metadata: { name } });
}, 300_000);
afterAll(() => bed?.stop());

const NOBODY: DrainAccount = {
  countedSince: '2026-03-01T12:00:00Z',
  waiting: 0,
  underWay: 0,
  moved: 0,
  targets: {},
  going: [],
  stayed: {},
  named: [],
};
const find = (name: string) => bed.hub.kube.get<Drain>(DRAIN, { namespace: null, name });

/** The Drain as soon as it is so. */
const until = (name: string, isSo: (drain: Drain) => boolean): Promise<Drain> =>
  eventually(async () => {
    const drain = await find(name);
    return drain !== null && isSo(drain) ? drain : undefined;
  });

let time = Date.now();

/** What the workflows would report of it. */
async function says({ metadata }: Drain, phase: DrainReport['phase'], account: Partial<DrainAccount> = {}) {
  time += 1000;
  await hubDrainObject(bed.hub).reportDrain(metadata.name, {
    uid: metadata.uid ?? '',
    at: time,
    generation: metadata.generation ?? 0,
    phase,
    account: { ...NOBODY, ...account },
  });
}

const capp = (...args: string[]) => bed.run(args, { kubeconfig: operator });
const start = (...args: string[]) => bed.start(args, { kubeconfig: operator });

describe('plan', () => {
  it('says what a drain would do, and leaves no Drain behind', async () => {
    const planning = start('plan', 'planned', '--width', '7');
    const drain = await until('planned', () => true);
    expect(drain.spec).toMatchObject({ dryRun: true, width: 7 });
    const going = [{ capp: 'apps/a', to: 'site-2' }];
    await says(drain, 'Planned', { waiting: 1, targets: { 'site-2': 1 }, going, stayed: {} });
    const { code, out } = await planning.ended;
    expect({ code, head: out.split('\n')[0] }).toEqual({
      code: 0,
      head: 'A drain of planned would move 1 Capp. Nothing has been changed.',
    });
    expect(out).toContain('apps/a        site-2');
    expect(await find('planned')).toBeNull();
  });

  it('takes its dry run away when the person presses Ctrl-C, and answers programs in JSON', async () => {
    const stopped = start('drain', 'planned', '--dry-run');
    const { metadata } = await until('planned', () => true);
    stopped.interrupt();
    expect((await stopped.ended).code).toBe(130);
    expect(await find('planned')).toBeNull();
    const again = start('drain', 'planned', '--dry-run', '-o', 'json');
    const drain = await until('planned', (one) => one.metadata.uid !== metadata.uid);
    await says(drain, 'Planned', { stayed: { Pinned: 1 }, named: [{ capp: 'apps/a', why: 'Pinned' }] });
    expect(JSON.parse((await again.ended).out)).toMatchObject({
      site: 'planned',
      waiting: 0,
      stays: [{ capp: 'apps/a', reason: 'Pinned' }],
    });
  });

  it("shows somebody else's dry run and leaves it, and does not touch a drain", async () => {
    const spec = { dryRun: true } as Drain['spec'];
    const { apiVersion, kind } = DRAIN;
    const drain = await bed.hub.kube.create<Drain>(DRAIN, {
      apiVersion,
      kind,
      metadata: { name: 'foreign' },
      spec,
    });
    await says(drain, 'Planned', { waiting: 2 });
    const { code, err } = await capp('plan', 'foreign');
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining('To plan once more, delete it: kubectl delete drain foreign.'),
    });
    expect((await find('foreign'))?.metadata.uid).toBe(drain.metadata.uid);
    await bed.hub.kube.patch(DRAIN, { namespace: null, name: 'foreign' }, { spec: { dryRun: false } });
    const { code: refused, err: why } = await capp('plan', 'foreign');
    expect({ refused, why }).toEqual({
      refused: 1,
      why: 'There is a Drain foreign, and a dry run would end it. See how far it is: kubectl capp drain foreign.\n',
    });
    expect((await find('foreign'))?.spec.dryRun).toBe(false);
  });
});

describe('plan of a loss or a taint', () => {
  const ask = (...args: string[]) => bed.run(['plan', ...args], { kubeconfig: bed.administrator });

  it('says what would become of each Capp there, and writes nothing', async () => {
    const ref = await bed.hub.make({ name: 'there' });
    const status = { applicationLinks: { site: 'left' } };
    await bed.hub.kube.patch(CAPP, ref, { status }, { subresource: 'status' });
    const all = async () => [
      ...(await bed.hub.kube.list(CAPP)).items,
      ...(await bed.hub.kube.list(MANAGED_CLUSTER)).items,
      ...(await bed.hub.kube.list(DRAIN)).items,
    ];
    const before = await all();
    const { code, out } = await ask('--lost', 'left');
    expect({ code, head: out.split('\n')[0] }).toEqual({
      code: 0,
      head: 'With the loss of left, 1 would wait. Nothing has been changed.',
    });
    expect(out).toMatch(/capp\/apps\/there +Waits/);
    const tainted = await ask('--taint', 'left=maintenance:NoSelect', '-o', 'json');
    expect(JSON.parse(tainted.out)).toMatchObject({ site: 'left', outlooks: [{ name: 'apps/there' }] });
    expect(await all()).toEqual(before);
  });

  it('says in one sentence that a site is empty or unknown, or that the person may not look', async () => {
    expect((await ask('--lost', 'planned')).out).toBe(
      'Nothing would change with the loss of planned: no Capp, CappSet or Bundle is there.\n',
    );
    expect(await ask('--lost', 'nowhere')).toMatchObject({ code: 5, out: '' });
    const refused = await bed.run(['plan', '--lost', 'planned']);
    expect({ ...refused, err: refused.err.trim().split('\n').length }).toEqual({ code: 4, out: '', err: 1 });
  });
});

describe('drain', () => {
  it('shows how far it is, a line for each change in a pipe, until the site is empty', async () => {
    const draining = start('drain', 'emptied', '--priority', 'shop=10', '--reason', 'new kernels');
    const drain = await until('emptied', () => true);
    expect(drain.spec).toMatchObject({
      dryRun: false,
      reason: 'new kernels',
      priorities: [{ namespace: 'shop', priority: 10 }],
    });
    await says(drain, 'Draining', { waiting: 1, underWay: 1, targets: { 'site-2': 1 } });
    await eventually(() => (/on their way: 1/.test(draining.written()) ? true : undefined));
    await says(drain, 'Done', { moved: 2 });
    const { code, out } = await draining.ended;
    expect(code).toBe(0);
    expect(out).toMatch(/Z Draining: 0 of 2 Capps moved; on their way: 1; waiting: 1; staying: 0\n/);
    expect(out).toContain('emptied is empty: 2 Capps moved.');
    expect(out).toContain('until you open it again: kubectl capp drain emptied --stop');
    expect((await find('emptied'))?.metadata.uid).toBe(drain.metadata.uid);
  });

  it('ends with another exit code when Capps stay, names them, and drains once more only if asked to', async () => {
    const draining = start('drain', 'kept', '--width', '5');
    const drain = await until('kept', () => true);
    await says(drain, 'Done', { stayed: { Paused: 1 }, named: [{ capp: 'apps/a', why: 'Paused' }] });
    const { code, out } = await draining.ended;
    expect({ code, out }).toEqual({ code: 6, out: expect.stringContaining('kubectl capp resume apps/a.') });
    const { code: same } = await capp('drain', 'kept');
    expect([same, (await find('kept'))?.metadata.uid]).toEqual([6, drain.metadata.uid]);
    expect((await capp('drain', 'kept', '--again', '--no-wait')).out).toContain(
      'Asked the hub to drain kept.',
    );
    const next = await find('kept');
    expect(next?.metadata.uid).not.toBe(drain.metadata.uid);
    expect(next?.spec.width).toBe(5);
  });

  it('goes on after Ctrl-C, says how to look again, and is changed by the same command', async () => {
    const left = start('drain', 'left');
    const drain = await until('left', () => true);
    await says(drain, 'Draining', { waiting: 9 });
    await eventually(() => (/waiting: 9/.test(left.written()) ? true : undefined));
    left.interrupt();
    const { code, err } = await left.ended;
    expect({ code, err }).toEqual({
      code: 130,
      err: 'The drain of left goes on. See how far it is: kubectl capp drain left. End it: kubectl capp drain left --stop.\n',
    });
    expect((await capp('drain', 'left', '--pause')).out).toContain('Paused the drain of left');
    expect((await find('left'))?.spec.paused).toBe(true);
    await capp('drain', 'left', '--resume', '--width', '3', '--no-wait');
    const changed = await find('left');
    expect(changed?.spec).toMatchObject({ paused: false, width: 3 });
    expect(changed?.metadata.uid).toBe(drain.metadata.uid);
    const late = await capp('drain', 'left', '--timeout', '1s');
    expect({ code: late.code, err: late.err }).toEqual({
      code: 6,
      err: expect.stringContaining('The drain of left goes on.'),
    });
    expect((await find('left'))?.metadata.generation).toBe(changed?.metadata.generation);
  });

  it('is ended by --stop, and who follows it hears that', async () => {
    const following = start('drain', 'ended');
    const drain = await until('ended', () => true);
    await says(drain, 'Draining', { waiting: 1 });
    await eventually(() => (/waiting: 1/.test(following.written()) ? true : undefined));
    expect((await capp('drain', 'ended', '--stop')).out).toContain('Ended the drain of ended');
    const { code, err } = await following.ended;
    expect({ code, err }).toEqual({ code: 6, err: expect.stringContaining('Somebody deleted Drain ended') });
    expect((await capp('drain', 'ended', '--stop')).code).toBe(5);
  });

  it('refuses what makes no sense, and says who may drain', async () => {
    const admin = { kubeconfig: bed.administrator };
    expect((await bed.run(['drain', 'nowhere'], admin)).err).toContain('There is no site nowhere.');
    expect(await find('nowhere')).toBeNull();
    expect((await capp('drain', 'planned', '--pause')).code).toBe(5);
    expect((await capp('drain', 'planned', '--stop', '--again')).err).toContain('do not go together');
    expect((await capp('drain', 'planned', '--width', '5000')).err).toContain('whole number from 1 to 1000');
    const { code, err } = await bed.run(['drain', 'planned']);
    expect({ code, err }).toEqual({ code: 4, err: expect.stringContaining('ClusterRole cappstan-drain') });
  });
});
