// What people ask of a Capp with `kubectl capp`, with the rights of a tenant on a real API server. The test
// answers in place of the Capp's workflow, through the hub's own publishing.
import { ABANDON, FORCE, MIGRATE, PAUSED, requestedBy } from '../../../crds/labels.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import type { State } from '../../../workflows/capp/state.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aFinding, aMove, aPlacedState, aState } from '../../support/builders/states.ts';
import { closeBarrier } from '../../support/servers/api/barrier.ts';
import { startFaultProxy } from '../../support/servers/network/fault-proxy.ts';
import { startTenant, type Tenant } from '../../support/testbeds/command/tenant.ts';

let bed: Tenant['bed'];
let says: Tenant['says'];
let aReadyCapp: Tenant['aReadyCapp'];
let annotation: Tenant['annotation'];
let asProcess: Tenant['asProcess'];
let asked: Tenant['asked'];
let capp: Tenant['capp'];
beforeAll(async () => {
  ({ bed, says, aReadyCapp, annotation, asProcess, asked, capp } = await startTenant());
}, 300_000);
afterAll(() => bed?.stop());

describe('move', () => {
  it('writes a request with a new id each time, for a site or for the best other one', async () => {
    const ref = await aReadyCapp('asks');
    expect(await asProcess('move', 'asks', 'site-2')).toEqual({
      code: 0,
      out: 'Asked apps/asks to move to site-2. Follow it: kubectl capp watch asks -n apps\n',
      err: '',
    });
    const first = await annotation(ref, MIGRATE);
    expect(first).toMatch(/^site-2#\w{8}$/);
    await capp('move', 'apps/asks', 'site-2');
    const second = await annotation(ref, MIGRATE);
    expect(second).toMatch(/^site-2#\w{8}$/);
    expect(second).not.toBe(first);
    await capp('move', 'asks');
    expect(await annotation(ref, MIGRATE)).toMatch(/^#\w{8}$/);
    expect(await annotation(ref, FORCE)).toBeUndefined();
  });

  it('waits until the Capp has moved, and not for what happened before', async () => {
    const ref = await aReadyCapp('travels');
    const asking = bed.start(['move', 'travels', '--wait', '-n', 'apps']);
    const id = await eventually(async () => (await annotation(ref, MIGRATE))?.slice(1));
    const annotated = { migrate: id, force: null };
    await says(ref, aPlacedState({ annotated, move: aMove() }));
    const [since, at] = [Date.now(), Date.now()];
    const route = { from: 'site-1', to: 'site-2', reason: 'Asked', result: 'Moved' } as const;
    const lastMove = { ...route, message: 'ann asked', since, at, request: id };
    const { copies } = aPlacedState();
    const there = { serving: 'site-2', copies: { 'site-2': copies['site-1'] } } as Partial<State>;
    await says(ref, aPlacedState({ annotated, lastMove, ...there }));
    expect(await asking.ended).toEqual({ code: 0, out: 'The Capp moved to site-2.\n', err: '' });
  });

  it('says why a move is refused, and ends with another exit code', async () => {
    const ref = await aReadyCapp('stays');
    const asking = bed.start(['move', 'stays', 'site-9', '--wait', '-n', 'apps']);
    const id = await eventually(async () => (await annotation(ref, MIGRATE))?.split('#')[1]);
    const refusal = { source: 'migrate', outcome: 'Refused', reason: 'UnknownSite' } as const;
    const handled = { ...refusal, id, message: 'There is no site site-9.' };
    await says(ref, aPlacedState({ annotated: { migrate: id, force: null }, handled }));
    expect(await asking.ended).toEqual({ code: 6, out: '', err: 'UnknownSite: There is no site site-9.\n' });
  });

  it('stops waiting after its time, or on Ctrl-C, and says that nothing was undone', async () => {
    await aReadyCapp('patient');
    const late = await capp('move', 'patient', '--wait', '--timeout', '1s');
    expect(late.code).toBe(6);
    expect(late.err).toBe(
      'That is not so after 1s, and nothing was undone: patient was asked to move to the best other site. See why: kubectl capp why patient -n apps',
    );
    const proxy = await startFaultProxy(bed.administrator);
    try {
      const asks = ['wait', 'patient', '--for', 'site=site-2', '-n', 'apps'];
      const stopped = bed.start(asks, { kubeconfig: proxy.kubeconfig });
      // A signal that comes before its watch would end a program that does not listen for it yet.
      await eventually(() => (proxy.streams.length > 0 ? true : undefined));
      stopped.interrupt();
      const { code, err } = await stopped.ended;
      expect({ code, err: err.split(',')[0] }).toEqual({ code: 130, err: 'You stopped waiting' });
    } finally {
      await proxy.stop();
    }
  });

  it('with --force asks first, and writes nothing if nobody says yes', async () => {
    const ref = await aReadyCapp('forced');
    const silent = await asProcess('move', 'forced', 'site-2', '--force');
    expect(silent.code).toBe(2);
    expect(silent.err).toContain('although the copy on site-1 may still run');
    expect(silent.err).toContain('say --yes if you mean it');
    expect((await capp('move', 'forced', 'site-2', '--force')).code).toBe(6);
    expect((await capp('move', 'forced', '--force', '--yes')).code).toBe(2);
    expect(await annotation(ref, FORCE)).toBeUndefined();
    expect((await capp('move', 'forced', 'site-2', '--force', '--yes')).code).toBe(0);
    expect(await annotation(ref, FORCE)).toMatch(/^site-2#\w{8}$/);
    expect(await annotation(ref, MIGRATE)).toBeUndefined();
  });

  it('takes off the name of who asked before, so that it is not refused while no webhook answers', async () => {
    const ref = await aReadyCapp('renamed');
    const before = { [MIGRATE]: 'site-2#old', [requestedBy(MIGRATE)]: 'bob' };
    await bed.hub.kube.patch(CAPP, ref, { metadata: { annotations: before } });
    await capp('move', 'renamed', 'site-2');
    expect(await annotation(ref, MIGRATE)).not.toBe('site-2#old');
    expect(await annotation(ref, requestedBy(MIGRATE))).toBeUndefined();
  });

  it('says so when the hub has no webhook to ask', async () => {
    await aReadyCapp('unasked');
    const barrier = await closeBarrier(bed.hub.kube, {
      apiGroup: 'rcs.dana.io',
      resource: 'capps',
      operations: ['UPDATE'],
      name: 'unasked',
    });
    const refused = async (): Promise<string | undefined> => {
      const { code, err } = await capp('move', 'unasked', 'site-2');
      return code === 1 ? err : undefined;
    };
    expect(await eventually(refused)).toContain("The hub's webhook does not answer");
    await barrier.open();
  });
});

describe('pause and resume', () => {
  it('freeze a Capp and let it go on, and write nothing when it is so already', async () => {
    const ref = await aReadyCapp('frozen');
    expect((await capp('pause', 'frozen')).out).toContain(
      'apps/frozen is paused: nothing is changed on any site',
    );
    expect(await annotation(ref, PAUSED)).toBe('true');
    const { resourceVersion } = (await bed.hub.read(ref)).metadata;
    expect((await capp('pause', 'frozen')).out).toBe('apps/frozen is paused already.');
    expect((await bed.hub.read(ref)).metadata.resourceVersion).toBe(resourceVersion);
    expect((await capp('move', 'frozen', 'site-2')).err).toContain('does not move before you resume it');
    expect((await capp('resume', 'frozen')).out).toBe('apps/frozen goes on.');
    expect(await annotation(ref, PAUSED)).toBeUndefined();
  });
});

describe('abandon', () => {
  it('says what may go on running, and gives up what the person confirms, beside what was given up', async () => {
    const ref = await aReadyCapp('gone');
    const unsure = await asProcess('abandon', 'gone', 'site-1');
    expect(unsure.code).toBe(2);
    expect(unsure.err).toContain('What runs of gone on site-1 may go on running there');
    expect(await asked(false, ['abandon', 'gone', 'site-1'])).toEqual({
      code: 6,
      out: '',
      err: 'Nothing was changed.',
    });
    expect(await annotation(ref, ABANDON)).toBeUndefined();
    expect((await asked(true, ['abandon', 'gone', 'site-1'])).code).toBe(0);
    expect(await annotation(ref, ABANDON)).toBe('site-1');
    await capp('abandon', 'gone', 'site-1', 'site-2', '--yes');
    expect(await annotation(ref, ABANDON)).toBe('site-1,site-2');
    expect((await capp('abandon', 'gone', 'site-2')).out).toContain('are given up already');
  });
});

describe('wait', () => {
  it('ends when the Capp is Ready, and not with what was said of an older generation', async () => {
    const ref = await aReadyCapp('waited');
    expect(await capp('wait', 'waited')).toEqual({ code: 0, out: 'The Capp is Ready on site-1.', err: '' });
    await bed.hub.kube.patch(CAPP, ref, { spec: { scaleSpec: { minReplicas: 2 } } });
    expect((await capp('wait', 'waited', '--timeout', '1s')).code).toBe(6);
    const waiting = bed.start(['wait', 'waited', '-n', 'apps']);
    await says(ref, aPlacedState({ generation: 2 }, { generation: 2, finding: aFinding() }));
    expect((await waiting.ended).code).toBe(0);
  });

  it('ends with another exit code when the deadline has passed', async () => {
    const ref = await bed.hub.make({ name: 'late' });
    await says(ref, aPlacedState({}, { finding: aFinding('Failed'), deadline: Date.now() - 1000 }));
    const { code, err } = await capp('wait', 'late');
    expect({ code, err: err.slice(0, 12) }).toEqual({ code: 6, err: 'Not Ready by' });
  });

  it('ends when the Capp is gone, at once if it was never there', async () => {
    const ref = await aReadyCapp('leaves');
    const waiting = bed.start(['wait', 'leaves', '--for', 'deleted', '-n', 'apps']);
    await bed.hub.kube.remove(CAPP, ref);
    expect((await waiting.ended).code).toBe(0);
    expect((await capp('wait', 'leaves', '--for', 'deleted')).code).toBe(0);
    expect((await capp('wait', 'leaves')).code).toBe(5);
    expect((await capp('wait', 'leaves', '--for', 'rain')).code).toBe(2);
  });
});

test('watch writes a line for each step that changes into a pipe, and ends when the Capp is gone', async () => {
  const ref = await bed.hub.make({ name: 'watched' });
  const watching = bed.start(['watch', 'watched', '-n', 'apps']);
  const shows = (text: RegExp) => eventually(() => (text.test(watching.written()) ? true : undefined));
  await shows(/ Placed not yet NotLookedAt/);
  await says(ref, aState({ placing: { reason: 'NoDecision', message: 'Placement all has not decided.' } }));
  await shows(/ Placed failed NoDecision: Placement all has not decided\./);
  await says(ref, aPlacedState({}, {}));
  await shows(/ Applied under way Applying/);
  await says(ref, aPlacedState());
  await shows(/ Ready done Ready/);
  await bed.hub.kube.remove(CAPP, ref);
  const { code, out } = await watching.ended;
  expect(code).toBe(0);
  const lines = out.trimEnd().split('\n');
  expect(lines.filter((line) => line.includes(' Placed done Chosen'))).toHaveLength(1);
  expect(lines.at(-1)).toMatch(/^\S+Z Ready failed Gone: The Capp is gone from the hub\.$/);
});

test('why answers with the rights of a tenant, for people and for programs', async () => {
  await aReadyCapp('known');
  expect((await capp('why', 'known')).out).toBe('apps/known is on site-1, and nothing is missing.');
  expect(JSON.parse((await capp('why', 'known', '-o', 'json')).out)).toMatchObject({
    name: 'known',
    site: 'site-1',
    isCurrent: true,
    findings: [],
  });
  const { code, err } = await capp('why', 'unknown');
  expect({ code, err }).toEqual({
    code: 5,
    err: 'There is no Capp unknown in namespace apps. See what is there: kubectl capp list -n apps.',
  });
});
