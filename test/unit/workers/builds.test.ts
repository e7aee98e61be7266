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
  ['nobody has the turns', { current: null, polled: {} }, true],
  ['an older build has them', { current: '0.0.9-2', polled: { '0.0.9-2': NOW } }, true],
  ['it has them itself', { current: '0.1.0-3', polled: {} }, false],
  ['a newer build has them and polls', { current: '0.2.0-4', polled: { '0.2.0-4': NOW - 60_000 } }, false],
  [
    'a newer build has them and polls no more',
    { current: '0.2.0-4', polled: { '0.2.0-4': NOW - 91_000 } },
    true,
  ],
  ['a newer build has them that nobody has seen', { current: '0.2.0-4', polled: {} }, true],
  ['revisions are compared as numbers', { current: '0.1.0-12', polled: { '0.1.0-12': NOW } }, false],
  [
    'a build of the same revision has them that Temporal knew before',
    { current: '0.2.0-3', polled: { '0.2.0-3': NOW }, since: { '0.2.0-3': 1, '0.1.0-3': 2 } },
    true,
  ],
  [
    'a build of the same revision has them that Temporal came to know later',
    { current: '0.2.0-3', polled: { '0.2.0-3': NOW }, since: { '0.2.0-3': 2, '0.1.0-3': 1 } },
    false,
  ],
  ['Temporal does not know it yet, and could not hand it anything', { current: null, since: {} }, false],
  ['a build without a revision has them', { current: 'somebody', polled: { somebody: NOW } }, true],
])('a build takes the turns or leaves them: %s', (_what, standing, expected) => {
  expect(isDue(build, { current: null, polled: {}, since: { '0.1.0-3': 2 }, ...standing }, NOW)).toBe(
    expected,
  );
});

test('workflows go on with the build that is current', () => {
  expect(versioned(build)).toMatchObject({
    useWorkerVersioning: true,
    defaultVersioningBehavior: 'AUTO_UPGRADE',
  });
  expect(buildIdOf(build)).toBe('0.1.0-3');
});

test.each<[string, () => Promise<object>, string | null]>([
  [
    'that it names',
    async () => ({
      workerDeploymentInfo: { routingConfig: { currentDeploymentVersion: { buildId: '0.1.0-3' } } },
    }),
    '0.1.0-3',
  ],
  [
    'that is none while nobody has taken the turns',
    async () => ({ workerDeploymentInfo: { routingConfig: {} } }),
    null,
  ],
  [
    'that is none while Temporal knows of no build',
    () => Promise.reject(Object.assign(new Error('not found'), { code: 5 })),
    null,
  ],
])('the current build is what Temporal says %s', async (_what, answer, expected) => {
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
