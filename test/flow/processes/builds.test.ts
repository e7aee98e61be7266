// Two builds of the hub worker side by side, as in every roll-out: the newer one gets the turns, and what the
// older one began goes on.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepCurrent, versioned, type WorkerBuild } from '../../../workers/process/builds.ts';
import { bundleOf } from '../../support/flow/bundle.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { storiesOf } from '../../support/flow/flow.ts';
import type { Actor, FlowTestbed } from '../../support/testbeds/flow.ts';

const story = storiesOf('builds');
const ROOT = join(import.meta.dirname, '../../..');

/** A hub worker of a build, with what its process does beside it. */
async function startBuild(
  testbed: FlowTestbed,
  build: WorkerBuild,
  workflowBundle?: { readonly codePath: string },
): Promise<Actor> {
  const worker = await testbed.startHub({
    workerDeploymentOptions: versioned(build),
    ...(workflowBundle === undefined ? {} : { workflowBundle }),
  });
  const keeper = keepCurrent(testbed.client, build, () => undefined);
  return {
    stop: async () => {
      keeper.stop();
      await worker.stop();
    },
  };
}

/** The builds that took the turns of the Capp, in order, each once. */
async function buildsOf(testbed: FlowTestbed): Promise<string[]> {
  const { events } = await testbed.history();
  const taken = (events ?? []).flatMap(
    ({ workflowTaskCompletedEventAttributes: turn }) => turn?.deploymentVersion?.buildId ?? [],
  );
  return taken.filter((build, index) => build !== taken[index - 1]);
}

const A: WorkerBuild = { name: 'a', revision: 1 };
const B: WorkerBuild = { name: 'b', revision: 2 };

story('a Capp that one build began is finished by the newer build, while both run', async (testbed) => {
  const { world } = testbed;
  world.say('Progressing');
  const old = await startBuild(testbed, A);
  await testbed.startAgent();
  await testbed.ring('spec');
  await eventually(() => world.condition('Ready')?.reason === 'Deploying' || undefined);
  const young = await startBuild(testbed, B);
  await eventually(async () => {
    await testbed.ring('meta');
    return (await buildsOf(testbed)).at(-1) === 'b-2' || undefined;
  });
  world.say('Ready');
  await testbed.untilReady();
  expect(await buildsOf(testbed)).toEqual(['a-1', 'b-2']);
  expect(world.works.size).toBe(1);
  await Promise.all([old.stop(), young.stop()]);
});

/**
 * The workflows as a later build might have them: one that waits a moment before it does anything else, where
 * no history says otherwise.
 */
async function laterWorkflows(folder: string): Promise<{ readonly codePath: string }> {
  for (const room of ['workflows', 'crds']) cpSync(join(ROOT, room), join(folder, room), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'workflows/capp/workflow.ts');
  const source = readFileSync(file, 'utf8');
  const loop = '  while (!life.ended) {\n';
  expect(source).toContain(loop);
  const patched = `${loop}    if (patchedForTest('a-moment')) await sleepForTest(1);\n`;
  const imports =
    "import { patched as patchedForTest, sleep as sleepForTest } from '@temporalio/workflow';\n";
  writeFileSync(file, imports + source.replace(loop, patched));
  return bundleOf(join(folder, 'workflows/index.ts'));
}

story(
  'a build whose workflows do more, behind patched(), goes on with what the former build began',
  async (testbed) => {
    const folder = mkdtempSync(join(tmpdir(), 'cappstan-build-'));
    try {
      const { world } = testbed;
      world.say('Progressing');
      const old = await startBuild(testbed, { name: 'c', revision: 3 });
      await testbed.startAgent();
      await testbed.ring('spec');
      await eventually(() => world.condition('Ready')?.reason === 'Deploying' || undefined);
      await old.stop();
      const young = await startBuild(testbed, { name: 'd', revision: 4 }, await laterWorkflows(folder));
      world.say('Ready');
      await testbed.until(({ copies, serving }) => copies[serving ?? '']?.finding?.verdict === 'Ready');
      expect((await buildsOf(testbed)).at(-1)).toBe('d-4');
      await young.stop();
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

story(
  'after a roll back, which is one more roll-out, the older code gets the turns again',
  async (testbed) => {
    const { world } = testbed;
    const young = await startBuild(testbed, { name: 'b', revision: 7 });
    await testbed.startAgent();
    await testbed.ring('spec');
    await testbed.until(({ copies, serving }) => copies[serving ?? '']?.finding?.verdict === 'Ready');
    const again = await startBuild(testbed, { name: 'a', revision: 8 });
    await eventually(async () => {
      await testbed.ring('meta');
      return (await buildsOf(testbed)).at(-1) === 'a-8' || undefined;
    });
    expect(world.works.size).toBe(1);
    await Promise.all([young.stop(), again.stop()]);
  },
);

story(
  'of two builds with one revision, as tools give that only render the chart, the later one gets the turns',
  async (testbed) => {
    const old = await startBuild(testbed, { name: 'e', revision: 9 });
    await testbed.startAgent();
    await testbed.ring('spec');
    await testbed.until(({ copies, serving }) => copies[serving ?? '']?.finding?.verdict === 'Ready');
    const young = await startBuild(testbed, { name: 'f', revision: 9 });
    await eventually(async () => {
      await testbed.ring('meta');
      return (await buildsOf(testbed)).at(-1) === 'f-9' || undefined;
    });
    await Promise.all([old.stop(), young.stop()]);
  },
);
