// A Pod of the stand-in for a kubelet waits for the Secrets, ConfigMaps and claims that it needs.
import { podStatus } from '../../../../deploy/local/standins/pods/pod-status.ts';
import {
  NOW,
  type Spec,
  aPod,
  type Things,
  aWorld,
  after,
  reasons,
  condition,
} from '../../../support/builders/site/pods.ts';

describe('a Pod', () => {
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
});
