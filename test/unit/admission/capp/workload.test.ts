// What no site could run is refused when it is written, with the field: fields that Knative lacks, values of
// other types, volumes that nobody mounts.
import { raw, CONTAINER, templated, problems } from '../../../support/builders/admission.ts';

const withContainer = (more: object) => templated({ containers: [{ ...CONTAINER, ...more }] });
const mounting = (...names: string[]) => ({
  ...CONTAINER,
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
      templated({ terminationGracePeriodSeconds: 60 }),
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
      templated({ timeoutSeconds: '60' }),
      `${POD}.timeoutSeconds: must be a whole number`,
    ],
    [
      'that is no list',
      withContainer({ command: 'run' }),
      `${POD}.containers[0].command: must be a list: begin each entry with a dash`,
    ],
    [
      'that is a fraction without quotes',
      withContainer({ resources: { limits: { cpu: 0.5 } } }),
      `${POD}.containers[0].resources.limits[cpu]: must be text or a whole number: write "0.5" with quotes`,
    ],
    [
      'deep within a volume',
      templated({ containers: [mounting('v')], volumes: [{ name: 'v', secret: { secretname: 's' } }] }),
      `${POD}.volumes[0].secret.secretname: Knative has no such field: did you mean secretName?`,
    ],
    [
      'whose annotation is a number',
      templated({}, { annotations: { 'autoscaling.knative.dev/min-scale': 2 } }),
      `${MARKS}[autoscaling.knative.dev/min-scale]: must be text: write "2" with quotes`,
    ],
    [
      'whose annotation is true',
      templated({}, { annotations: { 'prometheus.io/scrape': true } }),
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
    expect(problems(templated(everything, { labels: { a: 'b' }, annotations: { 'x/y': '' } }))).toEqual([]);
  });

  it('that was there before may stay, and a new one beside it may not come', () => {
    const before = withContainer({ lifecycle: {} });
    const moved = templated({
      containers: [
        { ...CONTAINER, ports: [{ containerPort: 80 }] },
        { name: 'b', image: 'b', lifecycle: {} },
      ],
    });
    expect(
      problems(templated({ containers: [{ ...CONTAINER, lifecycle: {} }], timeoutSeconds: 5 }), before),
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

describe('an NFS volume', () => {
  const nfs = { volumesSpec: { nfsVolumes: [{ name: 'data', server: 's', path: '/a', capacity: {} }] } };
  const pod = (more: object, mount?: string) => ({
    configurationSpec: {
      template: {
        spec: {
          containers: [
            mount === undefined
              ? CONTAINER
              : { ...CONTAINER, volumeMounts: [{ name: mount, mountPath: '/data' }] },
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
  ])('may be mounted %s', (_how, templated) => {
    expect(problems(raw({ ...nfs, ...templated }))).toEqual([]);
  });

  it('that nobody mounted before is left as it is by another edit', () => {
    const before = raw({ ...nfs, ...pod({}) });
    expect(problems(raw({ ...nfs, ...pod({}), state: 'disabled' }), before)).toEqual([]);
  });
});
