// What no site could run is refused when it is written, with the field: fields that Knative lacks, values of
// other types, annotations, schedules and time zones that nobody can read.
import { PATHS } from '../../../admission/router.ts';
import { asked, judged, KNOWN, raw, said } from '../../support/builders/admission.ts';

const problems = (object: unknown, before: unknown = null): string[] =>
  said(judged(PATHS.validateCapp, asked(object, before), KNOWN).problems);

const container = { name: 'app', image: 'ghcr.io/example/app:v1' };
const template = (pod: object, metadata: object = {}) =>
  raw({ configurationSpec: { template: { metadata, spec: { containers: [container], ...pod } } } });
const withContainer = (more: object) => template({ containers: [{ ...container, ...more }] });
const mounting = (...names: string[]) => ({
  ...container,
  volumeMounts: names.map((name) => ({ name, mountPath: `/${name}` })),
});
const POD = 'spec.configurationSpec.template.spec';
const MARKS = 'spec.configurationSpec.template.metadata.annotations';

describe('a field of the template', () => {
  it.each<[string, unknown, string]>([
    [
      'that Knative lacks',
      withContainer({ lifecycle: { preStop: {} } }),
      `${POD}.containers[0].lifecycle: Knative has no such field: take it out`,
    ],
    [
      'of the Pod that Knative lacks',
      template({ terminationGracePeriodSeconds: 60 }),
      `${POD}.terminationGracePeriodSeconds: Knative has no such field`,
    ],
    [
      'that is misspelt',
      withContainer({ imagePullPolcy: 'Always' }),
      `${POD}.containers[0].imagePullPolcy: Knative has no such field: did you mean imagePullPolicy?`,
    ],
    [
      'that is a number where text belongs',
      withContainer({ args: ['--port', 8080] }),
      `${POD}.containers[0].args[1]: must be text: write "8080" with quotes`,
    ],
    [
      'that is text where a number belongs',
      template({ timeoutSeconds: '60' }),
      `${POD}.timeoutSeconds: must be a whole number`,
    ],
    ['that is no list', withContainer({ command: 'run' }), `${POD}.containers[0].command: must be a list`],
    [
      'that is a fraction without quotes',
      withContainer({ resources: { limits: { cpu: 0.5 } } }),
      `${POD}.containers[0].resources.limits[cpu]: must be text or a whole number: write "0.5" with quotes`,
    ],
    [
      'deep within a volume',
      template({ containers: [mounting('v')], volumes: [{ name: 'v', secret: { secretname: 's' } }] }),
      `${POD}.volumes[0].secret.secretname: Knative has no such field: did you mean secretName?`,
    ],
    [
      'whose annotation is a number',
      template({}, { annotations: { 'autoscaling.knative.dev/min-scale': 2 } }),
      `${MARKS}[autoscaling.knative.dev/min-scale]: must be text: write "2" with quotes`,
    ],
    [
      'whose annotation is true',
      template({}, { annotations: { 'prometheus.io/scrape': true } }),
      `${MARKS}[prometheus.io/scrape]: must be text: write "true" with quotes`,
    ],
  ])('%s is refused by name', (_, object, words) => {
    expect(problems(object)).toEqual([expect.stringContaining(words)]);
  });

  it('is taken as Knative takes it, whatever switch of a site it may need', () => {
    const everything = {
      affinity: { nodeAffinity: {} },
      initContainers: [{ name: 'i', image: 'i' }],
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'c', persistentVolumeClaim: { claimName: 'c' } },
      ],
      containers: [
        {
          ...mounting('v', 'c'),
          readinessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 1 },
          resources: { limits: { cpu: 1, memory: '1Gi' } },
          securityContext: { capabilities: { drop: ['ALL'] } },
        },
      ],
    };
    expect(problems(template(everything, { labels: { a: 'b' }, annotations: { 'x/y': '' } }))).toEqual([]);
  });

  it('that was there before may stay, and a new one beside it may not come', () => {
    const before = withContainer({ lifecycle: {} });
    const moved = template({
      containers: [
        { ...container, ports: [{ containerPort: 80 }] },
        { name: 'b', image: 'b', lifecycle: {} },
      ],
    });
    expect(
      problems(template({ containers: [{ ...container, lifecycle: {} }], timeoutSeconds: 5 }), before),
    ).toEqual([]);
    expect(problems(moved, before)).toEqual([]);
    expect(problems(withContainer({ lifecycle: {}, tty: true }), before)).toEqual([
      expect.stringContaining('.tty: '),
    ]);
  });

  it('is one of ten at most in one answer', () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`odd${index}`, 1]));
    expect(problems(withContainer(many))).toHaveLength(10);
  });
});

describe('an annotation by which Knative scales', () => {
  const scaled = (annotations: object, spec: object = {}) => {
    const { spec: own, ...rest } = template({}, { annotations: prefixed(annotations) }) as { spec: object };
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
    [{ targetUtilizationPercentage: '101' }, {}, 'must be a number from 1 to 100'],
    [{ window: '5s' }, {}, 'must be a time from 6s to 1h'],
    [{ scaleDownDelay: '2h' }, {}, 'must be a time from 0s to 1h'],
    [{ 'scale-down-delay': '1.5s' }, {}, 'must be a time from 0s to 1h'],
    [
      { class: 'vpa.autoscaling.knative.dev' },
      {},
      '[autoscaling.knative.dev/class]: "vpa.autoscaling.knative.dev"',
    ],
    [{ metric: 'cpu' }, {}, '"cpu" is no metric of kpa.autoscaling.knative.dev'],
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
    [{ class: 'keda.example.com', metric: 'queue' }, {}],
    [{ 'scale-down-delay': '1m30s', window: '1h' }, {}],
    [{ 'target-burst-capacity': '-1', target: '0.5' }, {}],
  ])('%j is taken as Knative takes it', (annotations, spec) => {
    expect(problems(scaled(annotations, spec))).toEqual([]);
  });

  it('that was there before may stay', () => {
    expect(
      problems(scaled({ 'min-scale': 'abc' }, { state: 'disabled' }), scaled({ 'min-scale': 'abc' })),
    ).toEqual([]);
  });
});

describe('a name that a Capp gives to its revision', () => {
  const NAME = 'spec.configurationSpec.template.metadata.name';
  const named = (name: string, image = 'app:v1', more: object = {}) =>
    raw({
      configurationSpec: {
        template: { metadata: { name }, spec: { containers: [{ name: 'app', image }] } },
      },
      ...more,
    });
  const labelled = (labels: object) => {
    const { metadata, ...rest } = named('app-v1') as { metadata: object };
    return { ...rest, metadata: { ...metadata, labels } };
  };

  it('begins with the name of the Capp, as Knative wants it', () => {
    expect(problems(named('app-v1'))).toEqual([]);
    for (const other of ['v1', 'other-v1', 'app'])
      expect(problems(named(other))).toEqual([
        `${NAME}: must begin with "app-", as Knative names revisions: correct it, or leave it out`,
      ]);
  });

  it.each<[string, unknown]>([
    ['another image', named('app-v1', 'app:v2')],
    ['other bounds of scaling', named('app-v1', 'app:v1', { scaleSpec: { minReplicas: 2 } })],
    ['another metric', named('app-v1', 'app:v1', { scaleMetric: 'rps' })],
    ['another timeout of its route', named('app-v1', 'app:v1', { routeSpec: { routeTimeoutSeconds: 5 } })],
    ['a label for its Pods', labelled({ team: 'red' })],
  ])('is another with each edit of the revision: %s', (_, object) => {
    expect(problems(object, named('app-v1'))).toEqual([
      `${NAME}: is the name of the former revision, which Knative does not change: give this one another that begins with "app-", or leave it out`,
    ]);
  });

  it.each<[string, unknown, unknown]>([
    ['is another', named('app-v2', 'app:v2'), named('app-v1')],
    ['is left out', raw({}), named('app-v1')],
    ['stays, and so does the revision', named('app-v1', 'app:v1', { site: '' }), named('app-v1')],
    [
      'stays, and only a label of Helm changes',
      labelled({ 'helm.sh/chart': 'shop-2' }),
      labelled({ 'helm.sh/chart': 'shop-1' }),
    ],
    [
      'stays while the Capp was disabled',
      named('app-v1', 'app:v2'),
      named('app-v1', 'app:v1', { state: 'disabled' }),
    ],
    [
      'was not good before, and the Capp is disabled',
      named('odd', 'app:v1', { state: 'disabled' }),
      named('odd'),
    ],
  ])('is taken when it %s', (_, object, before) => {
    expect(problems(object, before)).toEqual([]);
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
    '@hourly',
    '0 0 29 2 *',
  ])('that Knative can read is taken: %s', (schedule) => {
    expect(problems(ping({ schedule, data: '{}' }))).toEqual([]);
  });

  it('with data that is no JSON object is refused', () => {
    expect(problems(ping({ schedule: '@daily', data: 'not json' }))).toEqual([
      expect.stringContaining('.data: '),
    ]);
  });
});

describe('an NFS volume', () => {
  const nfs = { volumesSpec: { nfsVolumes: [{ name: 'data', server: 's', path: '/a', capacity: {} }] } };
  const pod = (more: object, mount?: string) => ({
    configurationSpec: {
      template: {
        spec: {
          containers: [
            mount === undefined
              ? container
              : { ...container, volumeMounts: [{ name: mount, mountPath: '/data' }] },
          ],
          ...more,
        },
      },
    },
  });
  const claims = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] };

  it('that nobody mounts is refused on the hub, where it would be made and used by nobody', () => {
    const idle = [
      'spec.volumesSpec.nfsVolumes[0].name: volume "data" must be mounted by at least one container: add it to the volumeMounts of one, or remove the volume',
    ];
    expect(problems(raw({ ...nfs, ...pod({}) }))).toEqual(idle);
    expect(problems(raw({ ...nfs, ...pod(claims) }))).toEqual([
      expect.stringContaining('no container mounts "v"'),
      ...idle,
    ]);
  });

  it.each([
    ['by its own name', pod({}, 'data')],
    ['by a volume of its claim', pod(claims, 'v')],
  ])('may be mounted %s', (_how, template) => {
    expect(problems(raw({ ...nfs, ...template }))).toEqual([]);
  });

  it('that nobody mounted before is left as it is by another edit', () => {
    const before = raw({ ...nfs, ...pod({}) });
    expect(problems(raw({ ...nfs, ...pod({}), state: 'disabled' }), before)).toEqual([]);
  });
});
