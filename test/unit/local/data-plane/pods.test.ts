import type { Kube } from '../../../../kube/client.ts';
import type { Key, Resource } from '../../../../kube/resource.ts';
import { environmentOf } from '../../../../deploy/local/dataplane/pods/environment.ts';
import { valuesFor } from '../../../../deploy/local/dataplane/pods/values.ts';
import { mayRun, withProcesses } from '../../../../deploy/local/dataplane/pods/status.ts';
import { podStatus } from '../../../../deploy/local/standins/pods/pod-status.ts';
import type { StandInPod, PodStatus, PodWorld } from '../../../../deploy/local/standins/pods/pod.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const LATER = NOW + 5000;
const EMPTY: PodWorld = {
  secretKeys: () => null,
  configMapKeys: () => null,
  claim: () => 'missing',
};

function aPod(status?: Partial<PodStatus>, image = 'app:v1'): StandInPod {
  return {
    metadata: { name: 'p', namespace: 'ns', uid: 'u' },
    spec: {
      containers: [
        { name: 'app', image },
        { name: 'queue-proxy', image: 'queue' },
      ],
    },
    ...(status === undefined ? {} : { status }),
  };
}

const processes = (isReady: boolean, restarts = {}) => ({ ip: '10.244.0.9', isReady, restarts });

function statusWith(running: ReturnType<typeof processes> | null, before?: PodStatus, now = NOW): PodStatus {
  const pod = aPod(before);
  return withProcesses(pod, podStatus(pod, EMPTY, now).status, { processes: running, now });
}

const conditionOf = ({ conditions }: PodStatus, type: string) => conditions.find((one) => one.type === type);

describe('the status of a Pod that runs as processes', () => {
  it('has no address and is not ready while nothing runs', () => {
    const status = statusWith(null);
    expect(status).not.toHaveProperty('podIP');
    expect(conditionOf(status, 'Ready')?.status).toBe('False');
    expect(status.containerStatuses.map(({ ready }) => ready)).toEqual([false, false]);
  });

  it('has the address of its sandbox, and is ready only when its probe succeeds', () => {
    const starting = statusWith(processes(false));
    expect(starting).toMatchObject({ podIP: '10.244.0.9', podIPs: [{ ip: '10.244.0.9' }] });
    expect(conditionOf(starting, 'ContainersReady')?.status).toBe('False');
    const ready = statusWith(processes(true), starting, LATER);
    expect(conditionOf(ready, 'Ready')).toMatchObject({
      status: 'True',
      lastTransitionTime: '2026-01-01T00:00:05Z',
    });
    expect(ready.containerStatuses.map((one) => one.ready)).toEqual([true, true]);
  });

  it('does not change while nothing happens, so that nothing is written', () => {
    const before = statusWith(processes(false));
    expect(statusWith(processes(false), before, LATER)).toEqual(before);
    const ready = statusWith(processes(true), before, LATER);
    expect(statusWith(processes(true), ready, LATER + 5000)).toEqual(ready);
  });

  it('counts the ends of its programs', () => {
    const status = statusWith(processes(false, { app: 2 }));
    expect(status.containerStatuses.map(({ restartCount }) => restartCount)).toEqual([2, 0]);
  });

  it('lets it run only when no image fails and nothing is missing', () => {
    const statusOf = (image: string) => podStatus(aPod(undefined, image), EMPTY, NOW).status;
    expect(mayRun(statusOf('app:v1'))).toBe(true);
    expect(mayRun(statusOf('app:never-pulls'))).toBe(false);
    expect(mayRun(statusOf('app:crashes'))).toBe(false);
  });
});

describe('the environment of a container', () => {
  const field = (fieldPath: string) => ({ valueFrom: { fieldRef: { fieldPath } } });
  const values = {
    secrets: new Map([['s', { k: 'secret' }]]),
    configMaps: new Map([['c', { k: 'plain' }]]),
  };
  const placed = () => ({ pod: aPod(), ip: '10.244.0.9', values });

  it('has literal values, an empty one too, and what the Pod says of itself', () => {
    const variables = [
      { name: 'PORT', value: '8080' },
      // queue-proxy refuses to start without a variable, even if it may be empty.
      { name: 'SERVING_LOGGING_CONFIG' },
      { name: 'SERVING_POD', ...field('metadata.name') },
      { name: 'SERVING_POD_IP', ...field('status.podIP') },
      { name: 'HOST_IP', ...field('status.hostIP') },
    ];
    expect(environmentOf({ env: variables }, placed())).toEqual({
      HOSTNAME: 'p',
      PORT: '8080',
      SERVING_LOGGING_CONFIG: '',
      SERVING_POD: 'p',
      SERVING_POD_IP: '10.244.0.9',
      HOST_IP: '10.244.0.9',
    });
  });

  it('has the keys of Secrets and ConfigMaps that it names, and no variable for what is not there', () => {
    const env = [
      { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      { name: 'TARGET', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } },
      { name: 'NONE', valueFrom: { secretKeyRef: { name: 's', key: 'other', optional: true } } },
      { name: 'NOBODY', valueFrom: { configMapKeyRef: { name: 'nobody', key: 'k', optional: true } } },
    ];
    expect(environmentOf({ env }, placed())).toEqual({ HOSTNAME: 'p', TOKEN: 'secret', TARGET: 'plain' });
  });

  it('has all keys of what it takes whole, with a prefix, and what it names itself comes before them', () => {
    const envFrom = [{ configMapRef: { name: 'c' } }, { prefix: 'S_', secretRef: { name: 's' } }];
    expect(environmentOf({ envFrom }, placed())).toEqual({ HOSTNAME: 'p', k: 'plain', S_k: 'secret' });
    expect(environmentOf({ envFrom, env: [{ name: 'k', value: 'own' }] }, placed())).toMatchObject({
      k: 'own',
    });
  });

  it('is read from the Secrets and ConfigMaps of the Pod’s namespace, each once', async () => {
    const asked: string[] = [];
    const kube = {
      get: (resource: Resource, { namespace, name }: Key) => {
        asked.push(`${resource.kind} ${namespace}/${name}`);
        if (name === 'gone') return Promise.resolve(null);
        return Promise.resolve({ data: resource.kind === 'Secret' ? { k: 'c2VjcmV0' } : { k: 'plain' } });
      },
    } as unknown as Kube;
    const env = ['A', 'B'].map((name) => ({ name, valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }));
    const envFrom = [
      { configMapRef: { name: 'c' } },
      { secretRef: { name: 's' } },
      { secretRef: { name: 'gone', optional: true } },
    ];
    const pod = aPod();
    const [container] = pod.spec.containers;
    if (container === undefined) throw new Error('The Pod has no container.');
    const asking = { ...pod, spec: { ...pod.spec, containers: [{ ...container, env, envFrom }] } };
    expect(await valuesFor(kube, asking)).toEqual({
      secrets: new Map<string, object>([
        ['s', { k: 'secret' }],
        ['gone', {}],
      ]),
      configMaps: new Map([['c', { k: 'plain' }]]),
    });
    const { namespace } = pod.metadata;
    expect(asked).toEqual([`Secret ${namespace}/s`, `Secret ${namespace}/gone`, `ConfigMap ${namespace}/c`]);
  });
});
