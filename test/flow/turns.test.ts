// Capps and drains as they are, together: who must leave waits for its turn, moves, and the drain hears how it went.
import { hubPetition } from '../../activities/hub/petition.ts';
import type { DrainProgress } from '../../workflows/decide/drain-progress.ts';
import { pause, progress, resume, stopNow } from '../../workflows/messages.ts';
import { DRAIN_WORKFLOW, drainWorkflowId, HUB_QUEUE, TURNS_WORKFLOW, turnsWorkflowId } from '../../workflows/names.ts';
import type { Hub } from '../../workflows/ports.ts';
import { aResident } from '../support/drains.ts';
import { eventually } from '../support/eventually.ts';
import { record, storiesOf } from '../support/flow.ts';
import type { Stage } from '../support/stage.ts';

const story = storiesOf('turns');
const ID = turnsWorkflowId('site-1');

/** Ready on site-1; petitions reach the drain, which finds this Capp on the cluster. */
async function settled(stage: Stage): Promise<void> {
  const { world, client, capp } = stage;
  const resident = aResident(capp.name, { namespace: capp.namespace });
  const cappsOn: Hub['cappsOn'] = async (cluster) => ({ capps: (await stage.state()).serving === cluster ? [resident] : [], isLast: true });
  await stage.startHub({ activities: { ...world.hub, ...hubPetition(client), cappsOn } });
  await stage.startAgent('site-1');
  await stage.startAgent('site-2');
  await stage.ring('spec');
  await stage.untilReady();
}

async function drained(stage: Stage): Promise<DrainProgress> {
  const workflowId = drainWorkflowId('site-1');
  const handle = await stage.client.workflow.start(DRAIN_WORKFLOW, { workflowId, taskQueue: HUB_QUEUE, args: [{ cluster: 'site-1' }] });
  return (await handle.result()) as DrainProgress;
}

story('a Capp that must leave waits while its drain is paused, goes on its permit, and is counted', async (stage) => {
  await settled(stage);
  const { workflow } = stage.client;
  const start = { workflowId: ID, taskQueue: HUB_QUEUE, args: [{ cluster: 'site-1' }], signal: pause };
  const drain = await workflow.signalWithStart(TURNS_WORKFLOW, start);
  stage.world.decision = 'site-2';
  stage.world.tainted.add('site-1');
  await stage.ring('decision');
  await stage.until(({ leave }) => leave?.permit?.answer === 'Wait');
  expect(await drain.query(progress)).toMatchObject({ phase: 'Paused', waiting: 1, going: {} });
  await drain.signal(resume);
  await stage.until(({ serving, move }) => serving === 'site-2' && move === null, 30_000);
  await eventually(async () => ((await drain.query(progress)).moved === 1 ? true : undefined));
  await record('a-move-in-turn', await stage.history());
  expect(await workflow.getHandle(ID).executeUpdate(stopNow)).toMatchObject({ waiting: 0, going: {}, stayed: {} });
  await drain.result();
});

story('a Capp that a person’s drain tells to leave moves without asking, and the drain ends when it has', async (stage) => {
  await settled(stage);
  stage.world.decision = 'site-2';
  expect(await drained(stage)).toMatchObject({ moved: 1, stayed: {} });
  expect(await stage.state()).toMatchObject({ serving: 'site-2', move: null });
  expect(stage.world.deeds).not.toContain('petition');
});

story('a Capp that its user has pinned stays, and the drain says why', async (stage) => {
  stage.world.site = 'site-1';
  await settled(stage);
  const result = await drained(stage);
  expect(result).toMatchObject({ moved: 0, stayed: { Pinned: 1 }, named: [{ capp: `apps/${stage.capp.name}`, why: 'Pinned' }] });
  expect(await stage.state()).toMatchObject({ serving: 'site-1', move: null });
});
