// What the stand-in for a kubelet says of Pods: by the names of their images, and in which order containers
// run.
import {
  behaviorOf,
  CRASHES,
  restartsAfter,
  stamp,
} from '../../../../deploy/local/standins/pods/container-status.ts';
import { podStatus } from '../../../../deploy/local/standins/pods/pod-status.ts';
import {
  NOW,
  type Spec,
  aPod,
  aWorld,
  after,
  reasons,
  condition,
} from '../../../support/builders/site/pods.ts';

describe('the behavior that an image’s name selects', () => {
  it.each([
    ['ghcr.io/me/app:v1', 'runs'],
    ['ghcr.io/me/never-pulls:v1', 'never-pulls'],
    ['never-pulls', 'never-pulls'],
    ['registry.example.com:5000/never-pulls/app@sha256:00', 'never-pulls'],
    ['app:never-pulls', 'never-pulls'],
    ['ghcr.io/me/app-crashes:v1', 'crashes'],
    ['batch:fails', 'crashes'],
    ['ghcr.io/me/failsafe:v1', 'runs'],
    ['ghcr.io/me/crashes2:v1', 'runs'],
  ])('%s %s', (image, behavior) => expect(behaviorOf(image)).toBe(behavior));
});

describe('a Pod', () => {
  it('is ready at once when nothing is missing', () => {
    const outcome = after(0, {});
    expect(outcome.status.phase).toBe('Running');
    expect(
      ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => condition(outcome, type)),
    ).toEqual(Array<string>(4).fill('True'));
    expect(outcome.status.containerStatuses[0]).toMatchObject({
      ready: true,
      started: true,
      restartCount: 0,
      image: 'app:v1',
    });
    expect(outcome.status.podIP).toMatch(/^10\.\d+\.\d+\.\d+$/);
    expect(outcome.again).toBeNull();
  });

  const volume = (source: object): Spec => ({ volumes: [{ name: 'v', ...source }] });

  it('with an image that never pulls fails to pull, then backs off, and its other container runs', () => {
    const spec = {
      containers: [
        { name: 'app', image: 'never-pulls' },
        { name: 'queue-proxy', image: 'q' },
      ],
    };
    expect(reasons(after(0, spec))).toEqual(['ErrImagePull', undefined]);
    const later = after(60_000, spec);
    expect(reasons(later)).toEqual(['ImagePullBackOff', undefined]);
    expect(later.status.phase).toBe('Pending');
    expect(later.again).toBeNull();
  });

  it('that crashes is restarted with growing backoff', () => {
    const outcome = after(35_000, { containers: [{ name: 'app', image: 'crashes' }] });
    expect(reasons(outcome)).toEqual(['CrashLoopBackOff']);
    expect(outcome.status.containerStatuses[0]).toMatchObject({
      restartCount: 3,
      lastState: { terminated: { exitCode: 1, reason: 'Error' } },
    });
    expect(outcome.status.phase).toBe('Running');
    expect([0, 9_999, 10_000, 30_000, 10_000_000].map((age) => restartsAfter(age).restarts)).toEqual([
      1, 1, 2, 3, 38,
    ]);
  });

  it('that runs crashes while its namespace has the ConfigMap for that, and a Job does not', () => {
    const crashing = aWorld({ configMaps: { [CRASHES]: [] } });
    const outcome = podStatus(aPod({}, after(5_000, {}).status), crashing, NOW + 6_000);
    expect([reasons(outcome), condition(outcome, 'Ready')]).toEqual([['CrashLoopBackOff'], 'False']);
    const back = podStatus(aPod({}, outcome.status), aWorld(), NOW + 7_000);
    expect(condition(back, 'Ready')).toBe('True');
    expect(after(5_000, { restartPolicy: 'Never' }, crashing).status.phase).toBe('Succeeded');
  });

  it.each<{ title: string; spec: Spec; phase: string }>([
    { title: 'of a Job succeeds', spec: { restartPolicy: 'Never' }, phase: 'Succeeded' },
    {
      title: 'of a Job whose image fails, fails',
      spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'fails' }] },
      phase: 'Failed',
    },
    {
      title: 'of a Job that may restart is restarted',
      spec: { restartPolicy: 'OnFailure', containers: [{ name: 'a', image: 'fails' }] },
      phase: 'Running',
    },
    {
      title: 'of a Job whose init container fails, fails',
      spec: { restartPolicy: 'Never', initContainers: [{ name: 'i', image: 'fails' }] },
      phase: 'Failed',
    },
  ])('$title', ({ spec, phase }) => {
    expect(after(0, { ...spec }).status.phase).not.toBe('Succeeded');
    expect(after(5000, spec).status.phase).toBe(phase);
  });

  it('starts after its init containers, beside its sidecars', () => {
    const initContainers = [
      { name: 'sidecar', image: 's', restartPolicy: 'Always' },
      { name: 'first', image: 'f' },
    ];
    const outcome = after(0, { initContainers });
    expect(reasons(outcome)).toEqual(['PodInitializing']);
    expect(condition(outcome, 'Initialized')).toBe('False');
    expect(condition(after(5000, { initContainers }), 'Ready')).toBe('True');
  });

  it.each<{ title: string; spec: Spec }>([
    { title: 'ready', spec: {} },
    { title: 'waiting for a Secret', spec: volume({ secret: { secretName: 's' } }) },
    { title: 'not pulling', spec: { containers: [{ name: 'a', image: 'never-pulls' }] } },
  ])('that is $title has the same status an hour later', ({ spec }) => {
    const settled = after(60_000, spec);
    expect(podStatus(aPod(spec, settled.status), aWorld(), NOW + 3_600_000).status).toEqual(settled.status);
  });

  it('keeps conditions that others wrote', () => {
    const foreign = {
      type: 'example.com/Gate',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: stamp(NOW),
    } as const;
    expect(podStatus(aPod({}, { conditions: [foreign] }), aWorld(), NOW).status.conditions).toContainEqual(
      foreign,
    );
  });
});
