// Which names a Capp may give to its revision.
import { raw, problems } from '../../../support/builders/admission.ts';

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

  it.each(['app-V2', 'app-v1.2', 'app-v_1', 'app-', `app-${'v'.repeat(60)}`])(
    'is a name that Kubernetes takes: not %s',
    (name) => {
      expect(problems(named(name))).toEqual([
        `${NAME}: must be at most 63 lower-case letters, digits and "-", with a letter or digit at its end: correct it, or leave it out`,
      ]);
      expect(problems(named(name, 'app:v2'), named(name, 'app:v1', { state: 'disabled' }))).toEqual([]);
    },
  );

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
