// What a site's CappConfig allows a Capp to ask for: replicas and a scale delay.
import { normalise } from '../../../../crds/capp/normalise.ts';
import { DEFAULT_AUTOSCALE, NO_LIMITS, type ScaleLimits } from '../../../../site/workload/autoscaling.ts';
import { figuresOf } from '../../../../site/workload/figures.ts';
import { knativeService } from '../../../../site/workload/knative-service.ts';
import { scaleReady } from '../../../../site/workload/limits.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { asking, scalingOf, templated } from '../../../support/builders/site/scaling.ts';

const LIMITS: ScaleLimits = { minReplicas: 10, maxReplicas: 20, scaleDelaySeconds: 600 };
const RETENTION = 'scale-to-zero-pod-retention-period';
const LONG = { scaleDelaySeconds: 900 };

describe('a Capp that asks for more than the site allows', () => {
  it.each([
    ['fewer replicas at least', asking({ minReplicas: 30 }), { 'min-scale': '10' }],
    [
      'fewer replicas at most',
      asking({ minReplicas: 5, maxReplicas: 30 }),
      { 'min-scale': '5', 'max-scale': '20' },
    ],
    [
      'a shorter delay',
      asking({ minReplicas: 1, scaleDelaySeconds: 3600 }),
      { 'min-scale': '1', 'scale-down-delay': '10m0s' },
    ],
    [
      'W-18 no more by annotations of its template either',
      templated({ 'min-scale': '30', 'max-scale': '0', 'scale-down-delay': '1h' }),
      { 'min-scale': '10', 'max-scale': '20', 'scale-down-delay': '10m0s' },
    ],
    [
      'no more in the older spelling of these either',
      templated({ minScale: '30', maxScale: '50', initialScale: '40', scaleDownDelay: '1h' }),
      { minScale: '10', maxScale: '20', initialScale: '20', scaleDownDelay: '10m0s' },
    ],
    [
      'no more replicas to begin with',
      templated({ 'initial-scale': '40' }),
      { 'initial-scale': '20', 'activation-scale': '3' },
    ],
    [
      'no more replicas when it wakes up',
      templated({ 'min-scale': '2', 'activation-scale': '50' }),
      { 'min-scale': '2', 'activation-scale': '20' },
    ],
    [
      'a last replica that is not kept for longer either',
      templated({ 'scale-to-zero-pod-retention-period': '1h' }),
      { 'activation-scale': '3', 'scale-to-zero-pod-retention-period': '10m0s' },
    ],
    [
      'the same in the older spelling',
      templated({ scaleToZeroPodRetentionPeriod: '11m' }),
      { 'activation-scale': '3', scaleToZeroPodRetentionPeriod: '10m0s' },
    ],
    [
      'a load of no longer ago that counts',
      templated({ window: '1h' }),
      { 'activation-scale': '3', window: '10m0s' },
    ],
    [
      'a shorter time for the last replica as it asks',
      templated({ 'scale-to-zero-pod-retention-period': '1m1.5s' }),
      { 'activation-scale': '3', 'scale-to-zero-pod-retention-period': '1m1.5s' },
    ],
    [
      'no shorter delay in any spelling of Go',
      templated({ 'scale-down-delay': '+.9h' }),
      { 'activation-scale': '3', 'scale-down-delay': '10m0s' },
    ],
  ])('gets %s', (_, capp, scaling) => {
    expect(scalingOf(capp, LIMITS)).toEqual(scaling);
  });

  it('gets no window below the minute that Knative takes by itself', () => {
    const limits = { ...NO_LIMITS, scaleDelaySeconds: 5 };
    expect(scalingOf(templated({ window: '1h' }), limits)).toMatchObject({ window: '1m0s' });
    const { message } = scaleReady(templated({ window: '1h' }), limits) ?? {};
    expect(message).toContain('above the limit of 1m0s (maxScaleDelay), so 1m0s is used');
    for (const window of ['6s', '60s'])
      expect(scalingOf(templated({ window }), limits)).toMatchObject({ window });
    expect(scalingOf(templated({ window: '1h' }), NO_LIMITS)).toMatchObject({ window: '1h' });
  });

  it('gets figures that Knative accepts, when the maximum is lowered below the others', () => {
    const limits = { minReplicas: 10, maxReplicas: 2, scaleDelaySeconds: null };
    expect(scalingOf(asking({ minReplicas: 8, maxReplicas: 9 }), limits)).toEqual({
      'min-scale': '2',
      'max-scale': '2',
    });
    expect(scalingOf(asking({ maxReplicas: 9 }), limits)).toEqual({
      'max-scale': '2',
      'activation-scale': '2',
    });
    expect(scalingOf(asking({ maxReplicas: 9 }), { ...limits, maxReplicas: 1 })).toEqual({
      'max-scale': '1',
    });
  });

  it('gets an activation scale that Knative accepts, when its minimum is above the most', () => {
    const limits = { ...NO_LIMITS, maxReplicas: 5 };
    expect(scalingOf(templated({ 'min-scale': '8', 'activation-scale': '50' }), limits)).toEqual({
      'min-scale': '8',
      'activation-scale': '8',
    });
    expect(scalingOf(templated({ 'activation-scale': '50' }), { ...limits, maxReplicas: 1 })).toEqual({});
  });

  it('says so, with the field and the limit', () => {
    expect(scaleReady(asking({ minReplicas: 30, scaleDelaySeconds: 700 }), LIMITS)).toEqual({
      type: 'ScaleReady',
      status: 'False',
      reason: 'LimitExceeded',
      message:
        "The site's CappConfig allows less: spec.scaleSpec.minReplicas is above 10 (minReplicasLimit), so 10 is used; spec.scaleSpec.scaleDelaySeconds is above 600 (maxScaleDelay), so 600 is used. Lower it, or ask whoever runs the site.",
    });
  });

  it.each<[Record<string, string>, string]>([
    [{ maxScale: '50' }, 'maxScale] is above the limit of 20 (maxReplicasLimit), so 20 is used'],
    [
      { 'max-scale': '0' },
      'max-scale] has no maximum, and gets that of 20 (maxReplicasLimit), so 20 is used',
    ],
    [{ 'min-scale': '30' }, 'min-scale] is above the limit of 10 (minReplicasLimit), so 10 is used'],
    [{ initialScale: '40' }, 'initialScale] is above the limit of 20 (maxReplicasLimit), so 20 is used'],
    [
      { 'activation-scale': '50' },
      'activation-scale] is above the limit of 20 (maxReplicasLimit), so 20 is used',
    ],
    [
      { 'scale-to-zero-pod-retention-period': '1h' },
      'scale-to-zero-pod-retention-period] is above the limit of 10m0s (maxScaleDelay), so 10m0s is used',
    ],
    [{ window: '1h' }, 'window] is above the limit of 10m0s (maxScaleDelay), so 10m0s is used'],
    [
      { scaleDownDelay: '1h' },
      'scaleDownDelay] is above the limit of 10m0s (maxScaleDelay), so 10m0s is used',
    ],
  ])('says so of an annotation of its template, with the limit: %j', (annotations, words) => {
    expect(scaleReady(templated(annotations), LIMITS)).toMatchObject({
      reason: 'LimitExceeded',
      message: expect.stringContaining(`.metadata.annotations[autoscaling.knative.dev/${words}`),
    });
  });

  it('names the limit of replicas where that lowers a minimum', () => {
    const capp = templated({ 'min-scale': '8', 'max-scale': '9' });
    expect(scaleReady(capp, { ...LIMITS, maxReplicas: 2 })?.message).toContain(
      'min-scale] is above the limit of 2 (maxReplicasLimit), so 2 is used',
    );
  });

  it('says nothing of an annotation that is allowed, nor of one that is not its own', () => {
    const own = { minScale: '10', 'max-scale': '20', 'scale-down-delay': '10m', 'activation-scale': '20' };
    expect(scaleReady(templated(own), LIMITS)).toBeNull();
    expect(scaleReady(templated({}), { ...LIMITS, maxReplicas: 1 })).toBeNull();
  });

  it('keeps its figures until its step: what runs says with which limits it was written', () => {
    for (const capp of [
      asking({ minReplicas: 30, maxReplicas: 40, scaleDelaySeconds: 900 }),
      asking({}),
      templated({ 'activation-scale': '50' }),
      templated({ scaleToZeroPodRetentionPeriod: '1h' }),
      templated({ window: '1h' }),
    ]) {
      const live = knativeService(capp, { ...DEFAULT_AUTOSCALE, limits: LIMITS });
      if (live === null) throw new Error('The Capp is disabled.');
      expect(knativeService(capp, figuresOf(capp, live, DEFAULT_AUTOSCALE))).toEqual(live);
    }
  });

  it.each([
    [RETENTION, { retentionSeconds: null }],
    ['window', { windowSeconds: null }],
  ])('keeps %s until its step where an earlier version has lowered another delay alone', (name, former) => {
    const asked = normalise(aCapp({ spec: { ...templated({ [name]: '1h' }).spec, scaleSpec: LONG } })).capp;
    const unlowered = { ...LIMITS, ...former };
    const live = knativeService(asked, { ...DEFAULT_AUTOSCALE, limits: unlowered });
    if (live === null) throw new Error('The Capp is disabled.');
    expect(live.spec?.template?.metadata?.annotations).toMatchObject({
      'autoscaling.knative.dev/scale-down-delay': '10m0s',
      [`autoscaling.knative.dev/${name}`]: '1h',
    });
    expect(knativeService(asked, figuresOf(asked, live, DEFAULT_AUTOSCALE))).toEqual(live);
  });
});

describe('a Capp that asks for no more', () => {
  it.each([
    ['nothing', asking({}), { 'activation-scale': '3' }],
    [
      'exactly what is allowed',
      asking({ minReplicas: 10, maxReplicas: 20, scaleDelaySeconds: 600 }),
      { 'min-scale': '10', 'max-scale': '20', 'scale-down-delay': '10m0s' },
    ],
  ])('gets what it asks for: %s', (_, capp, scaling) => {
    expect(scalingOf(capp, LIMITS)).toEqual(scaling);
    expect(scaleReady(capp, LIMITS)).toBeNull();
  });

  it('gets it where the site has no limits, however much it is', () => {
    const capp = asking({ minReplicas: 1000, maxReplicas: 2000 });
    expect(scalingOf(capp, NO_LIMITS)).toEqual({ 'min-scale': '1000', 'max-scale': '2000' });
    expect(scaleReady(capp, NO_LIMITS)).toBeNull();
  });
});

describe('what the template says', () => {
  const own = (annotations: Record<string, string>, scaleSpec: object = {}) => {
    const { spec, ...rest } = templated(annotations);
    return scalingOf(normalise({ ...rest, spec: { ...spec, scaleSpec } }).capp, NO_LIMITS);
  };

  it.each<[Record<string, string>, object, Record<string, string>]>([
    [{ maxScale: '2' }, { minReplicas: 0, maxReplicas: 4 }, { 'min-scale': '0', maxScale: '2' }],
    [
      { minScale: '1', scaleDownDelay: '1m' },
      { minReplicas: 3, scaleDelaySeconds: 9 },
      { minScale: '1', scaleDownDelay: '1m' },
    ],
    [
      { 'max-scale': '2', maxScale: '9' },
      { maxReplicas: 4 },
      { 'max-scale': '2', maxScale: '9', 'activation-scale': '2' },
    ],
  ])('wins over scaleSpec in every spelling: %j over %j', (annotations, scaleSpec, scaling) => {
    expect(own(annotations, scaleSpec)).toEqual(scaling);
  });

  it.each<[Record<string, string>, Record<string, string>]>([
    [{ 'min-scale': '4' }, { 'min-scale': '4' }],
    [
      { minScale: '4', maxScale: '5' },
      { minScale: '4', maxScale: '5' },
    ],
    [{ maxScale: '1' }, { maxScale: '1' }],
    [{ maxScale: '2' }, { maxScale: '2', 'activation-scale': '2' }],
    [{ 'min-scale': '2' }, { 'min-scale': '2', 'activation-scale': '3' }],
    [
      { 'min-scale': '4', 'activation-scale': '5' },
      { 'min-scale': '4', 'activation-scale': '5' },
    ],
  ])('gets no activation scale of ours that Knative would refuse beside it: %j', (annotations, scaling) => {
    expect(own(annotations)).toEqual(scaling);
  });
});
