// A changed CappConfig gives new revisions to a few Capps at a time, and to those that it concerns.
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { KnativeService } from '../../../../crds/kubernetes/knative.ts';
import { normalise } from '../../../../crds/capp/normalise.ts';
import { SITE_TIMES } from '../../../../site/times.ts';
import { DEFAULT_AUTOSCALE, type Autoscale } from '../../../../site/workload/autoscaling.ts';
import { figuresOf } from '../../../../site/workload/figures.ts';
import { knativeService } from '../../../../site/workload/knative-service.ts';
import { steps } from '../../../../site/workload/steps.ts';
import { aCapp } from '../../../support/builders/capps.ts';

describe('steps', () => {
  let woken: [string, number][];
  let time: number;
  const open = (width: number) =>
    steps({ width, wake: (key, delayMs) => void woken.push([key, delayMs]), now: () => time });
  beforeEach(() => {
    woken = [];
    time = 1_000;
  });

  it('let no more Capps begin than there is room for, and the same Capp again', () => {
    const two = open(2);
    expect(['a', 'b', 'c', 'a'].map((key) => two.begin(key))).toEqual([true, true, false, true]);
  });

  it('wake the Capp that has waited longest when another one ends', () => {
    const one = open(1);
    for (const key of ['a', 'b', 'c']) one.begin(key);
    woken = [];
    one.end('a');
    expect(woken).toEqual([['b', 0]]);
    expect(one.begin('b')).toBe(true);
    one.end('b');
    expect(woken.at(-1)).toEqual(['c', 0]);
  });

  it('wake the next one when the woken one needs no step any more', () => {
    const one = open(1);
    for (const key of ['a', 'b', 'c']) one.begin(key);
    one.end('a');
    woken = [];
    one.end('b');
    expect(woken).toEqual([['c', 0]]);
  });

  it('wake nobody for a Capp that never asked', () => {
    const one = open(1);
    for (const key of ['a', 'b']) one.begin(key);
    one.end('a');
    woken = [];
    one.end('stranger');
    expect(woken).toEqual([]);
  });

  it('wake nobody while there is no room', () => {
    const one = open(1);
    for (const key of ['a', 'b', 'c']) one.begin(key);
    woken = [];
    one.end('b');
    expect(woken).toEqual([]);
  });

  it('do not wait for ever for a Capp whose revision never gets ready', () => {
    const one = open(1);
    one.begin('a');
    time += 60_000;
    expect(one.begin('b')).toBe(false);
    expect(woken).toEqual([['b', SITE_TIMES.stepLongest.ms - 60_000]]);
    time += SITE_TIMES.stepLongest.ms - 60_000;
    expect(one.begin('b')).toBe(true);
    expect(one.has('a')).toBe(false);
  });
});

describe('the figures of a live Service', () => {
  const OTHER: Autoscale = {
    targets: { concurrency: 1, cpu: 2, memory: 3, rps: 4 },
    activationScale: 7,
    limits: { minReplicas: 1, maxReplicas: 1, scaleDelaySeconds: 1 },
  };
  const capp = (spec: Record<string, unknown> = {}): Capp => normalise(aCapp({ spec })).capp;
  const rendered = (of: Capp, autoscale: Autoscale): KnativeService => {
    const service = knativeService(of, autoscale);
    if (service === null) throw new Error('The Capp is disabled.');
    return service;
  };

  it.each([
    { title: 'by default', spec: {} },
    { title: 'with another metric', spec: { scaleMetric: 'rps' } },
    { title: 'with a minimum', spec: { scaleSpec: { minReplicas: 2 } } },
    { title: 'with a maximum below the activation scale', spec: { scaleSpec: { maxReplicas: 2 } } },
    { title: 'with a maximum of one', spec: { scaleSpec: { maxReplicas: 1 } } },
    {
      title: 'with a metric of its own',
      spec: {
        configurationSpec: {
          template: {
            metadata: { annotations: { 'autoscaling.knative.dev/metric': 'rps' } },
            spec: { containers: [{ name: 'a', image: 'i' }] },
          },
        },
      },
    },
    {
      title: 'with a target of its own',
      spec: {
        configurationSpec: {
          template: {
            metadata: { annotations: { 'autoscaling.knative.dev/target': '9' } },
            spec: { containers: [{ name: 'a', image: 'i' }] },
          },
        },
      },
    },
  ])('render the same Service again, whatever the CappConfig says now: $title', ({ spec }) => {
    const live = rendered(capp(spec), DEFAULT_AUTOSCALE);
    expect(rendered(capp(spec), figuresOf(capp(spec), live, OTHER))).toEqual(live);
  });

  it('have no activation scale where the CappConfig had none, although it has one now', () => {
    const live = rendered(capp(), { ...DEFAULT_AUTOSCALE, activationScale: 1 });
    expect(rendered(capp(), figuresOf(capp(), live, OTHER))).toEqual(live);
  });

  it('are those of the CappConfig where the Service says nothing', () => {
    const blank: KnativeService = { metadata: { name: 'app' } };
    expect(figuresOf(capp(), blank, OTHER).targets).toEqual(OTHER.targets);
  });
});
