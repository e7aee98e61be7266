// What keeps the newest revision of a Capp from starting on its site, and what Ready says of it: derived from
// its pods, containers and volumes.
import { aCapp } from '../../../support/builders/capps.ts';
import { aPod, aRevision, aService, is, type Truth } from '../../../support/builders/site/knative.ts';
import {
  NOW,
  type World,
  statusOf,
  conditionOf,
  starting,
  unsure,
} from '../../../support/builders/site/site-reports.ts';

describe('Ready', () => {
  it.each<[string, World, Truth, string]>([
    [
      'is Unknown while a revision starts',
      { service: starting, revisions: [unsure], pods: [aPod('r1', 'ContainerCreating')] },
      'Unknown',
      'Deploying',
    ],
    [
      'is Unknown with a reason of its own while nobody serves the class of autoscaler',
      { service: starting, revisions: [unsure], lacking: 'hpa.autoscaling.knative.dev' },
      'Unknown',
      'NoAutoscaler',
    ],
    [
      'is False when an image cannot be pulled although nobody serves the class of autoscaler',
      {
        service: starting,
        revisions: [unsure],
        pods: [aPod('r1', 'ImagePullBackOff')],
        lacking: 'hpa.autoscaling.knative.dev',
      },
      'False',
      'ImageNeverReady',
    ],
    [
      'is False when an image cannot be pulled',
      { service: starting, revisions: [unsure], pods: [aPod('r1', 'ImagePullBackOff')] },
      'False',
      'ImageNeverReady',
    ],
    [
      'is False when the name of an image is invalid',
      { service: starting, revisions: [unsure], pods: [aPod('r1', 'InvalidImageName')] },
      'False',
      'ImageNeverReady',
    ],
    [
      'is False when Knative cannot resolve an image',
      {
        service: starting,
        revisions: [aRevision('r1', is('ContainerHealthy', 'False', 'ContainerMissing'))],
      },
      'False',
      'ImageNeverReady',
    ],
    [
      'is False when a container crashes',
      { service: starting, revisions: [unsure], pods: [aPod('r1', 'CrashLoopBackOff')] },
      'False',
      'RolloutFailed',
    ],
    [
      'is False when Knative reports that the container exits',
      { service: starting, revisions: [aRevision('r1', is('ContainerHealthy', 'False', 'ExitCode1'))] },
      'False',
      'RolloutFailed',
    ],
    [
      'is Unknown while no node has room for the pod',
      { service: starting, revisions: [aRevision('r1', is('ResourcesAvailable', 'False', 'Unschedulable'))] },
      'Unknown',
      'Deploying',
    ],
    [
      "is False when Knative's progress deadline has passed",
      {
        service: starting,
        revisions: [aRevision('r1', is('ResourcesAvailable', 'False', 'ProgressDeadlineExceeded'))],
      },
      'False',
      'RolloutFailed',
    ],
    [
      'is Unknown for a new generation when the pods of the last one fail',
      {
        service: aService({
          created: 'r1',
          conditions: [is('ConfigurationsReady', 'Unknown', 'OutOfDate'), is('Ready', 'Unknown')],
        }),
        revisions: [unsure],
        pods: [aPod('r1', 'ImagePullBackOff')],
      },
      'Unknown',
      'Deploying',
    ],
    [
      'is Unknown when only the pods of another revision fail',
      { service: starting, revisions: [unsure], pods: [aPod('r0', 'ImagePullBackOff')] },
      'Unknown',
      'Deploying',
    ],
    [
      'ignores pods that are being deleted',
      {
        service: starting,
        revisions: [unsure],
        pods: [aPod('r1', 'CrashLoopBackOff', { deletionTimestamp: NOW })],
      },
      'Unknown',
      'Deploying',
    ],
  ])('%s', (_title, world, status, reason) => {
    expect(conditionOf(world, 'Ready')).toMatchObject({ status, reason, observedGeneration: 1 });
  });

  it('is as before once no container starts for long, and says for what its Pod may wait', () => {
    const nfsVolumes = [{ name: 'data', server: 'nfs.example.com', path: '/', capacity: {} }];
    const capp = aCapp({ spec: { volumesSpec: { nfsVolumes } } });
    const pods = [aPod('r1', 'ContainerCreating')];
    const world = { capp, service: starting, revisions: [unsure], pods, unstarted: 'r1-pod' };
    expect(conditionOf(world, 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'Deploying',
      message: expect.stringContaining('does nfs.example.com of spec.volumesSpec.nfsVolumes[data] answer?'),
    });
    const failing = { ...world, pods: [aPod('r1', 'ImagePullBackOff')] };
    expect(conditionOf(failing, 'Ready')?.reason).toBe('ImageNeverReady');
  });

  it('says once its revision has no Deployment for long that the site refuses it', () => {
    const world = { service: starting, revisions: [unsure], isUndeployed: true };
    expect(conditionOf(world, 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'Deploying',
      message: expect.stringContaining('No Deployment of revision r1 could be made: a policy, a quota'),
    });
    expect(conditionOf({ ...world, pods: [aPod('r1', 'ImagePullBackOff')] }, 'Ready')?.reason).toBe(
      'ImageNeverReady',
    );
  });

  it('says once its route waits for long that nobody serves its class of ingress', () => {
    const ingress = { kind: 'own.example.com', annotation: 'networking.knative.dev/ingress.class' };
    const world = { service: starting, revisions: [unsure], ingress };
    expect(conditionOf(world, 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'Deploying',
      message: expect.stringContaining(
        'nobody serves the class own.example.com there: correct networking.knative.dev/ingress.class.',
      ),
    });
    expect(conditionOf({ ...world, ingress: null }, 'Ready')?.message).toBe('Revision r1 is starting.');
  });

  it('never quotes what a container wrote', () => {
    const exits = {
      ...is('ContainerHealthy', 'False', 'ExitCode1'),
      message: 'Container failed with: canary of the container',
    };
    for (const world of [
      { service: starting, revisions: [unsure], pods: [aPod('r1', 'CrashLoopBackOff')] },
      { service: starting, revisions: [aRevision('r1', exits)] },
    ]) {
      expect(JSON.stringify(statusOf(world).conditions)).not.toContain('canary');
    }
  });
});
