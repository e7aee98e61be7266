// Annotations by which Knative scales, schedules and time zones that nobody can read are refused.
import { raw, templated, problems } from '../../../support/builders/admission.ts';
import { TIME_ZONES } from '../../../support/corpus/time-zones.ts';

const KPA = 'kpa.autoscaling.knative.dev';
const HPA = 'hpa.autoscaling.knative.dev';

describe('an annotation by which Knative scales', () => {
  const scaled = (annotations: object, spec: object = {}) => {
    const { spec: own, ...rest } = templated({}, { annotations: prefixed(annotations) }) as { spec: object };
    return { ...rest, spec: { ...own, ...spec } };
  };
  const prefixed = (annotations: object) =>
    Object.fromEntries(
      Object.entries(annotations).map(([key, value]) => [`autoscaling.knative.dev/${key}`, value]),
    );

  it.each<[Record<string, string>, object, string]>([
    [{ 'min-scale': 'abc' }, {}, '[autoscaling.knative.dev/min-scale]: "abc" is not what Knative can read'],
    [{ minScale: 'abc' }, {}, '[autoscaling.knative.dev/minScale]: "abc"'],
    [{ 'max-scale': '-1' }, {}, 'must be a whole number of at least 0'],
    [{ initialScale: '1.5' }, {}, '[autoscaling.knative.dev/initialScale]: "1.5"'],
    [{ 'activation-scale': '1' }, {}, 'must be a whole number of at least 2'],
    [{ target: 'much' }, {}, 'must be a number of at least 0.01'],
    // As Go reads a float: without a p a hexadecimal one is none.
    [{ target: '0x10' }, {}, 'must be a number of at least 0.01'],
    [{ 'target-burst-capacity': '0b1' }, {}, 'must be a number of at least 0, or -1'],
    [{ 'panic-window-percentage': '0o12' }, {}, 'must be a number from 1 to 100'],
    [{ targetUtilizationPercentage: '101' }, {}, 'must be a number from 1 to 100'],
    [{ window: '5s' }, {}, 'must be a time from 6s to 1h'],
    [{ scaleDownDelay: '2h' }, {}, 'must be a time from 0s to 1h'],
    [{ 'scale-down-delay': '-1s' }, {}, 'must be a time from 0s to 1h'],
    [{ 'scale-down-delay': '1.5s' }, {}, 'must be a time from 0s to 1h'],
    [
      { class: 'vpa.autoscaling.knative.dev' },
      {},
      '[autoscaling.knative.dev/class]: "vpa.autoscaling.knative.dev"',
    ],
    [{ metricAggregationAlgorithm: 'median' }, {}, 'it must be linear or weighted-exponential or'],
    [{ metric: 'cpu' }, {}, '"cpu" is no metric of kpa.autoscaling.knative.dev'],
    [{ metric: '', class: HPA }, {}, '"" is no metric of hpa.autoscaling.knative.dev'],
    [{ metric: 'cpu', class: KPA }, { scaleMetric: 'cpu' }, '"cpu" is no metric of kpa.autoscaling'],
    [{ metric: 'rps' }, { scaleMetric: 'cpu' }, '"rps" is no metric of hpa.autoscaling.knative.dev'],
    [
      { class: KPA },
      { scaleMetric: 'cpu' },
      '[autoscaling.knative.dev/class]: kpa.autoscaling.knative.dev does not scale by cpu, which spec.scaleMetric says: leave the annotation out, or change spec.scaleMetric',
    ],
    [{ class: HPA }, { scaleSpec: { metric: 'rps' } }, 'does not scale by rps'],
    [
      { class: HPA, metric: 'queue' },
      {},
      '[autoscaling.knative.dev/metric]: a target is lacking for "queue"',
    ],
    [{ 'min-scale': '4', maxScale: '1' }, {}, 'the minimum of 4 is above the maximum of 1'],
    [{ minScale: '4' }, { scaleSpec: { maxReplicas: 3 } }, 'the minimum of 4 is above the maximum of 3'],
    [{ 'activation-scale': '5' }, { scaleSpec: { maxReplicas: 3 } }, 'it must be from 0 to 3'],
  ])('%j is refused by name, in every spelling', (annotations, spec, words) => {
    expect(problems(scaled(annotations, spec))).toEqual([expect.stringContaining(words)]);
  });

  it.each<[Record<string, string>, object]>([
    [{ 'min-scale': '2', 'max-scale': '0' }, {}],
    [{ 'min-scale': '2', minScale: 'abc' }, {}],
    [{ metric: 'cpu', class: 'hpa.autoscaling.knative.dev' }, {}],
    [{ metric: 'memory' }, { scaleMetric: 'cpu' }],
    [{ class: HPA }, {}],
    [{ class: 'keda.example.com', 'metric-aggregation-algorithm': 'median' }, {}],
    [{ 'metric-aggregation-algorithm': '' }, {}],
    [{ 'metric-aggregation-algorithm': 'median' }, { scaleMetric: 'cpu' }],
    [{ metricAggregationAlgorithm: 'median' }, { scaleSpec: { metric: 'memory' } }],
    [{ class: KPA, metric: 'rps' }, { scaleMetric: 'cpu' }],
    [{ class: HPA, metric: 'queue', target: '5' }, {}],
    [{ class: 'keda.example.com' }, { scaleMetric: 'cpu' }],
    [{ class: 'keda.example.com', metric: 'queue' }, {}],
    [{ 'scale-down-delay': '1m30s', window: '1h' }, {}],
    [{ 'scale-down-delay': '.9h', window: '+1m' }, {}],
    [{ 'scale-down-delay': '3000000\u00B5s' }, {}],
    [{ 'target-burst-capacity': '-1', target: '0.5' }, {}],
  ])('%j is taken as Knative takes it', (annotations, spec) => {
    expect(problems(scaled(annotations, spec))).toEqual([]);
  });

  it('that raises the minimum above a maximum that was there is refused, also where the maximum stays', () => {
    const before = scaled({ 'min-scale': '1', 'max-scale': '3' });
    expect(problems(scaled({ 'min-scale': '5', 'max-scale': '3' }), before)).toEqual([
      expect.stringContaining('the minimum of 5 is above the maximum of 3'),
    ]);
    const above = scaled({ 'min-scale': '5', 'max-scale': '3' });
    expect(problems(scaled({ 'min-scale': '5', 'max-scale': '3' }, { state: 'disabled' }), above)).toEqual(
      [],
    );
  });

  it.each<[string, object, Record<string, string>, object]>([
    ['a class goes', {}, { class: 'keda.example.com' }, {}],
    ['spec.scaleMetric changes', { scaleMetric: 'rps' }, {}, { scaleMetric: 'cpu' }],
    ['its other spelling goes', {}, { 'metric-aggregation-algorithm': 'linear' }, {}],
  ])('that Knative asks about only once %s is refused then', (_, spec, also, before) => {
    const median = { metricAggregationAlgorithm: 'median' };
    const after = scaled(median, spec);
    expect(problems(scaled({ ...median, ...also }, before))).toEqual([]);
    expect(problems(after, scaled({ ...median, ...also }, before))).toEqual([
      expect.stringContaining('metricAggregationAlgorithm]: "median" is not what Knative can read'),
    ]);
    expect(problems(scaled(median, { ...spec, state: 'disabled' }), after)).toEqual([]);
  });

  it('that was there before may stay', () => {
    expect(
      problems(scaled({ 'min-scale': 'abc' }, { state: 'disabled' }), scaled({ 'min-scale': 'abc' })),
    ).toEqual([]);
  });
});

describe('a class and a metric that do not fit', () => {
  const capp = (annotations: object, spec: object) => {
    const { spec: own, ...rest } = templated({}, { annotations }) as { spec: object };
    return { ...rest, spec: { ...own, ...spec } };
  };
  const both = { 'autoscaling.knative.dev/class': HPA, 'autoscaling.knative.dev/metric': 'cpu' };
  const { 'autoscaling.knative.dev/class': _class, ...metric } = both;

  it('are refused when the class goes, by which they did fit', () => {
    expect(problems(capp(metric, {}), capp(both, {}))).toEqual([
      expect.stringContaining('"cpu" is no metric of kpa'),
    ]);
  });

  it('are refused when the metric of the spec changes, and do not keep another edit', () => {
    const before = capp(metric, { scaleMetric: 'cpu' });
    expect(problems(before)).toEqual([]);
    const after = capp(metric, { scaleMetric: 'rps' });
    expect(problems(after, before)).toEqual([expect.stringContaining('"cpu" is no metric of kpa')]);
    expect(problems(capp(metric, { scaleMetric: 'rps', state: 'disabled' }), after)).toEqual([]);
  });
});

describe('a schedule', () => {
  const ping = (pingSourceConfiguration: object) =>
    raw({ eventSourcesSpec: { sources: [{ name: 'report', pingSourceConfiguration }] } });

  it.each([
    'every 5 minutes',
    '0 25 * * *',
    '0 9 * * 8',
    '@every 5m',
    'CRON_TZ=Mars/Phobos 0 9 * * *',
    'TZ=asia/jerusalem 0 9 * * *',
    'CRON_TZ=+03:00 0 9 * * *',
    'CRON_TZ=JAPAN 0 9 * * *',
    'CRON_TZ=Asia/CALCUTTA 0 9 * * *',
    '0 9 * * 7',
  ])('that nobody can read is refused on the hub: %s', (schedule) => {
    expect(problems(ping({ schedule }))).toEqual([
      expect.stringContaining(`.schedule: "${schedule}" is no schedule`),
    ]);
  });

  it.each([
    '*/5 * * * *',
    'CRON_TZ=Asia/Jerusalem 0 9 * * 1-5',
    'TZ=UTC @daily',
    'CRON_TZ=Asia/Calcutta 0 9 * * *',
    'CRON_TZ=Japan 0 9 * * *',
    'CRON_TZ=US/Eastern 0 9 * * *',
    'CRON_TZ=EST5EDT 0 9 * * *',
    'CRON_TZ=Etc/GMT+3 0 9 * * *',
    '@hourly',
    '0 0 29 2 *',
  ])('that Knative can read is taken: %s', (schedule) => {
    expect(problems(ping({ schedule, data: '{}' }))).toEqual([]);
  });

  it('may name every time zone that there is, in its own letters alone', () => {
    const taken = (zone: string) => problems(ping({ schedule: `CRON_TZ=${zone} 0 9 * * *` })).length === 0;
    expect(TIME_ZONES.length).toBeGreaterThan(590);
    expect(TIME_ZONES.filter((zone) => !taken(zone))).toEqual([]);
    const others = TIME_ZONES.flatMap((zone) => [zone.toUpperCase(), zone.toLowerCase()]);
    expect(others.filter((zone) => taken(zone) && !TIME_ZONES.includes(zone))).toEqual([]);
  });

  it('with data that is no JSON object is refused', () => {
    expect(problems(ping({ schedule: '@daily', data: 'not json' }))).toEqual([
      expect.stringContaining('.data: '),
    ]);
  });
});
