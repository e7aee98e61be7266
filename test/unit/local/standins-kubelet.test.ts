import { behaviorOf, restartsAfter, stamp } from '../../../deploy/local/standins/pods/container-status.ts';
import { podStatus, type PodOutcome } from '../../../deploy/local/standins/pods/pod-status.ts';
import type { Pod, PodStatus, World } from '../../../deploy/local/standins/pods/pod.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

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

type Spec = Partial<Pod['spec']>;

function aPod(spec: Spec = {}, status?: Partial<PodStatus>): Pod {
  const containers = spec.containers ?? [{ name: 'app', image: 'app:v1' }];
  return {
    metadata: { name: 'p', namespace: 'ns', uid: 'u' },
    spec: { ...spec, containers },
    ...(status === undefined ? {} : { status }),
  };
}

interface Things {
  readonly secrets?: Readonly<Record<string, readonly string[]>>;
  readonly configMaps?: Readonly<Record<string, readonly string[]>>;
  readonly claims?: Readonly<Record<string, 'bound' | 'unbound'>>;
}

function aWorld({ secrets = {}, configMaps = {}, claims = {} }: Things = {}): World {
  const keys = (from: Readonly<Record<string, readonly string[]>>, name: string) =>
    from[name] === undefined ? null : new Set(from[name]);
  return {
    secretKeys: (_, name) => keys(secrets, name),
    configMapKeys: (_, name) => keys(configMaps, name),
    claim: (_, name) => claims[name] ?? 'missing',
  };
}

/** The status of a Pod `ms` after its start, if it is recomputed whenever `again` says so. */
function after(ms: number, spec: Spec, world = aWorld()): PodOutcome {
  let outcome = podStatus(aPod(spec), world, NOW);
  let now = NOW;
  while (outcome.again !== null && now + outcome.again <= NOW + ms) {
    now += outcome.again;
    outcome = podStatus(aPod(spec, outcome.status), world, now);
  }
  return outcome;
}

function reasons({ status }: PodOutcome): (string | undefined)[] {
  return status.containerStatuses.map(({ state }) => state.waiting?.reason ?? state.terminated?.reason);
}

function condition({ status }: PodOutcome, type: string): string | undefined {
  return status.conditions.find((one) => one.type === type)?.status;
}

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

  const env = (valueFrom: object): Spec => ({
    containers: [{ name: 'app', image: 'i', env: [{ name: 'A', valueFrom }] }],
  });
  const envFrom = (from: object): Spec => ({ containers: [{ name: 'app', image: 'i', envFrom: [from] }] });
  const volume = (source: object): Spec => ({ volumes: [{ name: 'v', ...source }] });

  it.each<{ title: string; spec: Spec; things: Things }>([
    {
      title: 'a key of a Secret in its environment',
      spec: env({ secretKeyRef: { name: 's', key: 'k' } }),
      things: { secrets: { s: ['k'] } },
    },
    {
      title: 'a key of a ConfigMap',
      spec: env({ configMapKeyRef: { name: 'c', key: 'k' } }),
      things: { configMaps: { c: ['k'] } },
    },
    { title: 'a whole Secret', spec: envFrom({ secretRef: { name: 's' } }), things: { secrets: { s: [] } } },
    {
      title: 'a whole ConfigMap',
      spec: envFrom({ configMapRef: { name: 'c' } }),
      things: { configMaps: { c: [] } },
    },
    {
      title: 'a Secret as a volume',
      spec: volume({ secret: { secretName: 's' } }),
      things: { secrets: { s: [] } },
    },
    {
      title: 'an item of a ConfigMap as a volume',
      spec: volume({ configMap: { name: 'c', items: [{ key: 'k' }] } }),
      things: { configMaps: { c: ['k'] } },
    },
    {
      title: 'a projected Secret',
      spec: volume({ projected: { sources: [{ serviceAccountToken: {} }, { secret: { name: 's' } }] } }),
      things: { secrets: { s: [] } },
    },
    {
      title: 'a bound claim',
      spec: volume({ persistentVolumeClaim: { claimName: 'd' } }),
      things: { claims: { d: 'bound' } },
    },
  ])('waits for $title, and is ready when it exists', ({ spec, things }) => {
    const held = after(0, spec);
    expect(condition(held, 'Ready')).toBe('False');
    expect(held.status.phase).toBe('Pending');
    expect(reasons(held)).toEqual([
      spec.volumes === undefined ? 'CreateContainerConfigError' : 'ContainerCreating',
    ]);
    expect(held.again).toBeNull();
    expect(condition(podStatus(aPod(spec, held.status), aWorld(things), NOW + 5000), 'Ready')).toBe('True');
  });

  it.each<{ title: string; spec: Spec; things: Things; says: string }>([
    {
      title: 'a key that its Secret lacks',
      spec: env({ secretKeyRef: { name: 's', key: 'k' } }),
      things: { secrets: { s: ['other'] } },
      says: "couldn't find key k in secret ns/s",
    },
    {
      title: 'a missing Secret',
      spec: env({ secretKeyRef: { name: 's', key: 'k' } }),
      things: {},
      says: 'secret "s" not found',
    },
  ])('has the kubelet’s message about $title', ({ spec, things, says }) => {
    expect(after(0, spec, aWorld(things)).status.containerStatuses[0]?.state.waiting?.message).toBe(says);
  });

  it('returns the kubelet’s message about a volume that cannot be mounted, for an event', () => {
    const spec = volume({ persistentVolumeClaim: { claimName: 'd' } });
    expect(after(0, spec, aWorld({ claims: { d: 'unbound' } })).failedMount).toContain(
      'persistentvolumeclaim "d" is not bound',
    );
    expect(after(0, spec).failedMount).toContain('persistentvolumeclaim "d" not found');
  });

  it.each<{ title: string; spec: Spec }>([
    { title: 'an optional key', spec: env({ secretKeyRef: { name: 's', key: 'k', optional: true } }) },
    { title: 'an optional environment', spec: envFrom({ configMapRef: { name: 'c', optional: true } }) },
    { title: 'an optional volume', spec: volume({ secret: { secretName: 's', optional: true } }) },
    {
      title: 'an optional projection',
      spec: volume({ projected: { sources: [{ configMap: { name: 'c', optional: true } }] } }),
    },
    { title: 'a field of its own', spec: env({ fieldRef: { fieldPath: 'metadata.name' } }) },
    { title: 'an emptyDir', spec: volume({ emptyDir: {} }) },
  ])('does not wait for $title', ({ spec }) => expect(condition(after(0, spec), 'Ready')).toBe('True'));

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
