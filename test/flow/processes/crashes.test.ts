// Workers that go away in the middle: what they were doing is done by the next.
import { eventually } from '../../../testbed/eventually.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';

const story = storiesOf('crashes');

story(
  'a hub worker that goes while a verdict is awaited is followed by one that finishes',
  async (testbed) => {
    const { world } = testbed;
    world.say('Progressing');
    const first = await testbed.startHub();
    await testbed.startAgent();
    await testbed.ring('spec');
    await eventually(() => world.condition('Ready')?.reason === 'Deploying' || undefined);
    await first.stop();
    world.say('Ready');
    await testbed.startHub();
    await testbed.untilReady();
    expect([...world.works.values()]).toMatchObject([{ incarnation: 1 }]);
    await record('another-hub-worker', await testbed.history());
  },
);

story(
  'a hub worker that goes inside an apply without an answer is followed by one that applies again',
  async (testbed) => {
    const { world } = testbed;
    const apply = world.hold('apply');
    const first = await testbed.startHub();
    await testbed.startAgent();
    await testbed.ring('spec');
    await apply.arrived;
    await first.stop();
    apply.release();
    await testbed.startHub();
    await testbed.until(({ serving, copies }) => copies[serving ?? '']?.finding?.verdict === 'Ready');
    expect(world.works.size).toBe(1);
    await record('an-unanswered-apply', await testbed.history());
  },
);

story('an agent that goes while it watches is followed by one that watches on', async (testbed) => {
  const { world } = testbed;
  world.say('Progressing');
  await testbed.startHub();
  const first = await testbed.startAgent();
  await testbed.ring('spec');
  await eventually(() => world.condition('Ready')?.reason === 'Deploying' || undefined);
  await eventually(() => world.questions() === 1 || undefined);
  await first.stop();
  await testbed.startAgent();
  world.say('Ready');
  await testbed.until(({ serving, copies }) => copies[serving ?? '']?.finding?.verdict === 'Ready');
  await record('another-agent', await testbed.history());
});
