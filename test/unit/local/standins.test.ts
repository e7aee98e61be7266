import { stamp } from '../../../deploy/local/standins/pods/container-status.ts';
import {
  scaleOf,
  type ScaledDeployment,
  type PodAutoscaler,
} from '../../../deploy/local/standins/knative/scale.ts';
import { claimOf, claimStep, type VolumeClaim } from '../../../deploy/local/standins/storage.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('the autoscaler', () => {
  const annotated = (
    annotations: Record<string, string>,
    reachability = 'Reachable',
    status?: PodAutoscaler['status'],
  ): PodAutoscaler => ({
    metadata: { name: 'r', namespace: 'ns', generation: 3, annotations },
    spec: { reachability, scaleTargetRef: { name: 'r-deployment' } },
    ...(status === undefined ? {} : { status }),
  });
  const deployed = (replicas: number, readyReplicas: number): ScaledDeployment => ({
    metadata: { name: 'r-deployment', creationTimestamp: stamp(NOW) },
    spec: { replicas, progressDeadlineSeconds: 600 },
    status: { readyReplicas },
  });
  const truth = ({ status }: ReturnType<typeof scaleOf>) =>
    Object.fromEntries(
      (status['conditions'] as { type: string; status: string }[]).map((one) => [one.type, one.status]),
    );
  const served = { conditions: [{ type: 'ScaleTargetInitialized', status: 'True' as const }] };

  it('is ready when enough Pods of its Deployment are ready', () => {
    expect(truth(scaleOf(annotated({}), deployed(1, 0), NOW))).toMatchObject({
      Ready: 'Unknown',
      ScaleTargetInitialized: 'Unknown',
    });
    const ready = scaleOf(annotated({}), deployed(1, 1), NOW);
    expect(truth(ready)).toEqual({
      Active: 'True',
      Ready: 'True',
      SKSReady: 'True',
      ScaleTargetInitialized: 'True',
    });
    expect(ready.status).toMatchObject({
      observedGeneration: 3,
      serviceName: 'r',
      desiredScale: 1,
      actualScale: 1,
    });
  });

  it.each([
    { title: 'one replica by default', annotations: {}, replicas: 1 },
    { title: 'min-scale', annotations: { 'autoscaling.knative.dev/min-scale': '3' }, replicas: 3 },
    {
      title: 'the older spelling of min-scale',
      annotations: { 'autoscaling.knative.dev/minScale': '2' },
      replicas: 2,
    },
    { title: 'initial-scale', annotations: { 'autoscaling.knative.dev/initial-scale': '4' }, replicas: 4 },
    {
      title: 'max-scale',
      annotations: { 'autoscaling.knative.dev/min-scale': '3', 'autoscaling.knative.dev/max-scale': '2' },
      replicas: 2,
    },
    {
      title: 'one replica when min-scale is 0',
      annotations: { 'autoscaling.knative.dev/min-scale': '0' },
      replicas: 1,
    },
  ])('keeps $title', ({ annotations, replicas }) =>
    expect(scaleOf(annotated(annotations), deployed(1, 0), NOW).replicas).toBe(replicas),
  );

  it('scales an unreachable revision to zero', () => {
    const left = scaleOf(annotated({}, 'Unreachable', served), deployed(1, 1), NOW);
    expect(left.replicas).toBe(0);
    expect(truth(left)).toMatchObject({ Active: 'False', Ready: 'False', ScaleTargetInitialized: 'True' });
  });

  it.each(['True', 'Unknown'] as const)(
    'keeps the Pods of a revision that is unreachable soon after it became active (Active=%s), since Knative may call it so by mistake',
    (active) => {
      const since = { type: 'Active', status: active, lastTransitionTime: stamp(NOW) };
      const status = { conditions: [...served.conditions, since] };
      const revision = annotated({}, 'Unreachable', status);
      const early = scaleOf(revision, deployed(2, active === 'True' ? 2 : 1), NOW + 4_000);
      expect(early).toMatchObject({ replicas: 2, again: 26_000 });
      expect(truth(early)).toMatchObject({ Active: active });
      expect(scaleOf(revision, deployed(2, 2), NOW + 30_000)).toMatchObject({ replicas: 0, again: null });
    },
  );

  it('scales a revision that does not start to zero at its deadline, permanently', () => {
    const trying = scaleOf(annotated({}, 'Unreachable'), deployed(1, 0), NOW);
    expect(trying).toMatchObject({ replicas: 1, again: 630_000 });
    const late = scaleOf(annotated({}, 'Unreachable'), deployed(1, 0), NOW + 630_000);
    expect(late.replicas).toBe(0);
    const status = late.status as PodAutoscaler['status'];
    expect(scaleOf(annotated({}, 'Unknown', status), deployed(0, 0), NOW + 700_000).status).toEqual(
      late.status,
    );
  });
});

describe('storage', () => {
  const claim = (more: object = {}, meta: object = {}): VolumeClaim => ({
    metadata: { name: 'd', namespace: 'ns', finalizers: ['kubernetes.io/pvc-protection'], ...meta },
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
    ...more,
  });

  it('binds a claim once, with the capacity that it requests', () => {
    expect(claimStep(claim())).toEqual({
      do: 'bind',
      status: { phase: 'Bound', accessModes: ['ReadWriteMany'], capacity: { storage: '1Gi' } },
    });
    expect(claimStep(claim({ status: { phase: 'Bound' } }))).toEqual({ do: 'nothing' });
  });

  it('removes its finalizer from a deleted claim, and no other finalizer', () => {
    const finalizers = ['kubernetes.io/pvc-protection', 'example.com/mine'];
    const gone = { deletionTimestamp: stamp(NOW), finalizers };
    expect(claimStep(claim({}, gone))).toEqual({ do: 'release', finalizers: ['example.com/mine'] });
    expect(claimStep(claim({}, { ...gone, finalizers: ['example.com/mine'] }))).toEqual({ do: 'nothing' });
  });

  it('creates a claim with the name of the NfsPvc that owns it', () => {
    const spec = { server: 'nfs', path: '/', capacity: { storage: '5Gi' }, accessModes: ['ReadWriteMany'] };
    expect(claimOf({ metadata: { name: 'd', namespace: 'ns', uid: 'u' }, spec })).toMatchObject({
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'd', namespace: 'ns', ownerReferences: [{ kind: 'NfsPvc', uid: 'u' }] },
      spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '5Gi' } } },
    });
  });
});
