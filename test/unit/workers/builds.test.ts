// When a build of the hub worker makes itself the current one, and which build Temporal calls current.
import {
  buildIdOf,
  currentBuild,
  DEPLOYMENT,
  isDue,
  versioned,
  type DeploymentState,
} from '../../../workers/process/builds.ts';

const NOW = 1_000_000;
const build = { name: '0.1.0', revision: 3 };

test.each<[string, Partial<DeploymentState>, boolean]>([
  ['no build is current', { current: null, polled: {} }, true],
  ['an older build is current', { current: '0.0.9-2', polled: { '0.0.9-2': NOW } }, true],
  ['it is current itself', { current: '0.1.0-3', polled: {} }, false],
  ['a newer build is current and polls', { current: '0.2.0-4', polled: { '0.2.0-4': NOW - 60_000 } }, false],
  [
    'a newer build is current and has stopped polling',
    { current: '0.2.0-4', polled: { '0.2.0-4': NOW - 91_000 } },
    true,
  ],
  ['a newer build is current and was never seen to poll', { current: '0.2.0-4', polled: {} }, true],
  [
    'a build with a revision of more digits is current',
    { current: '0.1.0-12', polled: { '0.1.0-12': NOW } },
    false,
  ],
  [
    'a build of the same revision is current that Temporal knew before this one',
    { current: '0.2.0-3', polled: { '0.2.0-3': NOW }, since: { '0.2.0-3': 1, '0.1.0-3': 2 } },
    true,
  ],
  [
    'a build of the same revision is current that Temporal knew only after this one',
    { current: '0.2.0-3', polled: { '0.2.0-3': NOW }, since: { '0.2.0-3': 2, '0.1.0-3': 1 } },
    false,
  ],
  ['Temporal does not know this build yet', { current: null, since: {} }, false],
  ['a build without a revision is current', { current: 'somebody', polled: { somebody: NOW } }, true],
])('a build decides whether to make itself current when %s', (_what, standing, expected) => {
  expect(isDue(build, { current: null, polled: {}, since: { '0.1.0-3': 2 }, ...standing }, NOW)).toBe(
    expected,
  );
});

test('workflows upgrade automatically to the current build', () => {
  expect(versioned(build)).toMatchObject({
    useWorkerVersioning: true,
    defaultVersioningBehavior: 'AUTO_UPGRADE',
  });
  expect(buildIdOf(build)).toBe('0.1.0-3');
});

test.each<[string, () => Promise<object>, string | null]>([
  [
    'the build that Temporal names',
    async () => ({
      workerDeploymentInfo: { routingConfig: { currentDeploymentVersion: { buildId: '0.1.0-3' } } },
    }),
    '0.1.0-3',
  ],
  ['null while no build is current', async () => ({ workerDeploymentInfo: { routingConfig: {} } }), null],
  [
    'null while Temporal knows no build',
    () => Promise.reject(Object.assign(new Error('not found'), { code: 5 })),
    null,
  ],
])('the current build is %s', async (_what, answer, expected) => {
  const asked: unknown[] = [];
  const describe = (request: unknown) => {
    asked.push(request);
    return answer();
  };
  const client = {
    workflowService: { describeWorkerDeployment: describe },
    options: { namespace: 'cappstan' },
  };
  expect(await currentBuild(client as unknown as Parameters<typeof currentBuild>[0])).toBe(expected);
  expect(asked).toEqual([{ namespace: 'cappstan', deploymentName: DEPLOYMENT }]);
});
