// Capps whose workflow task keeps failing: the bridge finds them by what Temporal reports, starts them over
// once per build, and has the status say so until they go on.
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { failingWatch } from '../../../../bridge/failing/failing.ts';
import { ringer, type RingCall } from '../../../../bridge/ringer.ts';
import type { BridgeWatched } from '../../../../bridge/changes/watched.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { byNames } from '../../../support/builders/works.ts';

const AT = '2026-03-01T12:00:00Z';

function saidFailing(capp: Capp): Capp {
  const stalled = {
    type: 'Stalled',
    status: 'True',
    reason: 'WorkflowFailing',
    message: '',
    lastTransitionTime: AT,
  } as const;
  return { ...capp, status: { conditions: [stalled] } };
}

/** A Temporal that reports these workflows as failing; each id has the attempts of its workflow task. */
function stage(
  capps: readonly Capp[],
  reported: Readonly<Record<string, number>>,
  currentBuild: (() => Promise<string | null>) | null = null,
) {
  const started = new Map<string, { startsOver: boolean; runId: string }>();
  const told: string[] = [];
  const queries: string[] = [];
  async function* list({ query }: { query: string }) {
    queries.push(query);
    for (const workflowId of Object.keys(reported)) yield await Promise.resolve({ workflowId });
  }
  const workflow = {
    list,
    getHandle: (id: string) => ({
      describe: async () => ({
        runId: `run-of-${id}`,
        raw: { pendingWorkflowTask: { attempt: reported[id] } },
      }),
    }),
    start: async (
      _type: string,
      { workflowId, args }: { workflowId: string; args: [{ startsOver: boolean; runId: string }] },
    ) => {
      if (started.has(workflowId))
        throw new WorkflowExecutionAlreadyStartedError('there', workflowId, 'mend');
      started.set(workflowId, args[0]);
    },
  };
  const watched = { capps: byNames(capps) } as unknown as BridgeWatched;
  const ringer = {
    ring: ({ name, cause, tellAgain }: RingCall) =>
      void told.push(`${name} ${cause}${tellAgain === true ? ' again' : ''}`),
  };
  const look = failingWatch({
    client: { workflow } as unknown as Pick<Client, 'workflow'>,
    watched,
    ringer,
    build: 'v1-7',
    currentBuild,
  });
  return { look, started, told, queries };
}

const app = aCapp({ name: 'app', uid: 'uid-app' });
const other = aCapp({ name: 'other', uid: 'uid-other' });

test('a workflow whose task keeps failing is started over, by the id of the failing run', async () => {
  const { look, started, queries } = stage([app], { 'capp/apps/app': 5 });
  await look();
  expect(queries[0]).toContain('TemporalReportedProblems IS NOT NULL');
  expect([...started]).toEqual([
    [
      'mend/apps/app/v1-7',
      {
        capp: { namespace: 'apps', name: 'app', uid: 'uid-app' },
        runId: 'run-of-capp/apps/app',
        startsOver: true,
      },
    ],
  ]);
});

test('a failing workflow is started over once per build, and after that only reported in the status, once', async () => {
  const { look, started } = stage([app], { 'capp/apps/app': 5 });
  await look();
  await look();
  expect([...started].map(([id, { startsOver }]) => [id, startsOver])).toEqual([
    ['mend/apps/app/v1-7', true],
    ['mend/apps/app/said', false],
  ]);
  const said = stage([saidFailing(app)], { 'capp/apps/app': 9 });
  said.started.set('mend/apps/app/v1-7', { startsOver: true, runId: '' });
  await said.look();
  expect([...said.started.keys()]).toEqual(['mend/apps/app/v1-7']);
});

test('an outdated report, or one about a Capp that does not exist, starts nothing', async () => {
  const { look, started } = stage([app], { 'capp/apps/app': 1, 'capp/apps/gone': 9, elsewhere: 9 });
  await look();
  expect([...started]).toEqual([]);
});

test('a Capp whose status reports a failing workflow is rung with tellAgain when that workflow goes on', async () => {
  const { look, told } = stage([saidFailing(app), aCapp({ name: 'well', uid: 'uid-well' })], {});
  await look();
  expect(told).toEqual(['app spec again']);
  const still = stage([saidFailing(app)], { 'capp/apps/app': 9 });
  await still.look();
  expect(still.told).toEqual([]);
});

test('a Capp whose status keeps the report is rung with exponential backoff, which starts over when the report is new', async () => {
  const capps = [saidFailing(app)];
  const { look, told } = stage(capps, {});
  const looks = async (count: number): Promise<number[]> => {
    const rang: number[] = [];
    for (let at = 1; at <= count; at += 1) {
      const before = told.length;
      await look();
      if (told.length > before) rang.push(at);
    }
    return rang;
  };
  expect(await looks(300)).toEqual([1, 3, 7, 15, 31, 63, 127, 191, 255]);
  capps[0] = app;
  expect(await looks(1)).toEqual([]);
  capps[0] = saidFailing(app);
  expect(await looks(2)).toEqual([1]);
});

test.each([
  ['first', [true, false]],
  ['last', [false, true]],
])(
  'tellAgain is kept when several rings become one signal and the one with tellAgain comes %s',
  async (_when, asked) => {
    const sent: unknown[] = [];
    const workflow = {
      signalWithStart: async (_type: string, { signalArgs }: { signalArgs: unknown[] }) =>
        void sent.push(...signalArgs),
    };
    const bell = ringer({ workflow } as unknown as Pick<Client, 'workflow'>, () => undefined, {
      pauseMs: () => 1,
    });
    const ring = (tellAgain: boolean): void =>
      bell.ring({ namespace: 'apps', name: 'app', cause: 'spec', changed: null, uid: 'uid-app', tellAgain });
    ring(false);
    // The first is on its way while the others come.
    await Promise.resolve();
    for (const tellAgain of asked) ring(tellAgain);
    await bell.queue.idle();
    const plain = { causes: ['spec'], minimumVersions: {} };
    expect(sent).toEqual([plain, { ...plain, tellAgain: true }]);
    bell.ring({ namespace: 'apps', name: 'app', cause: 'spec', changed: null, uid: 'uid-app' });
    await bell.queue.idle();
    expect(sent[2]).toEqual(plain);
    await bell.queue.stop();
  },
);

test('a failing workflow is not started over while another build, or none, is current: it is only reported', async () => {
  const builds = ['v1-6', null, 'v1-7', 'v1-7'];
  const asked: (string | null)[] = [];
  const currentBuild = async (): Promise<string | null> => {
    asked.push(builds[asked.length] ?? null);
    return asked.at(-1) ?? null;
  };
  const { look, started } = stage([app, other], { 'capp/apps/app': 5, 'capp/apps/other': 5 }, currentBuild);
  const overs = () => [...started].filter(([, { startsOver }]) => startsOver).map(([id]) => id);
  await look();
  started.clear();
  await look();
  expect([...started.keys()]).toEqual(['mend/apps/app/said', 'mend/apps/other/said']);
  expect(overs()).toEqual([]);
  await look();
  expect(overs()).toEqual(['mend/apps/app/v1-7', 'mend/apps/other/v1-7']);
  expect(asked).toEqual(['v1-6', null, 'v1-7']);
});

test('Temporal is not asked for the current build while no workflow fails', async () => {
  const { look } = stage([app], {}, () => Promise.reject(new Error('asked')));
  await expect(look()).resolves.toBeUndefined();
});
