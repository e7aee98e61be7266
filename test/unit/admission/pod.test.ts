// What Knative refuses of the content of a Pod is refused on the hub when it is written, with the field and
// the remedy. Whether it is Knative's own opinion test/e2e/site/data-plane asks its webhook.
import { PATHS } from '../../../admission/router.ts';
import { asked, judged, KNOWN, raw, said, problems } from '../../support/builders/admission.ts';
import type { Example } from '../../support/corpus/pods/examples.ts';
import { REFUSED } from '../../support/corpus/pods/refused.ts';
import { TWICE } from '../../support/corpus/pods/twice.ts';
import { ACCEPTED } from '../../support/corpus/pods/accepted.ts';

const TEMPLATE = 'spec.configurationSpec.template';

const capp = ({ template, more = {}, annotations = {} }: Omit<Example, 'title'>, spec: object = {}): object =>
  raw({ configurationSpec: { template }, ...more, ...spec }, { annotations });

const UNREAD = TWICE.map(([title, template, field, words]) => ({ title, template, field, words }));

describe.each([...REFUSED, ...UNREAD])('$title', (example) => {
  it('is refused, and the one sentence names the field', () => {
    const { field, words } = example;
    const [found = '', ...others] = problems(capp(example));
    expect(others).toEqual([]);
    expect(found.startsWith(`${TEMPLATE}.${field}: `)).toBe(true);
    expect(found).toContain(words);
  });

  it('stays where it was before, and does not stand in the way of another edit', () => {
    const { spec } = example.template;
    const edited = { ...example.template, spec: { ...spec, timeoutSeconds: 5 } };
    expect(problems(capp({ ...example, template: edited }, { state: 'disabled' }), capp(example))).toEqual(
      [],
    );
  });
});

test.each(ACCEPTED)('$title is taken', (example) => {
  expect(problems(capp(example))).toEqual([]);
});

const container = { name: 'app', image: 'app:v1' };
const withPort = (containerPort: number, more: object = {}): object =>
  capp({ template: { spec: { containers: [{ ...container, ports: [{ containerPort }] }], ...more } } });

it('what was wrong before may not be made wrong in another way', () => {
  expect(problems(withPort(8013), withPort(8012))).toEqual([expect.stringContaining('8013')]);
  expect(problems(withPort(8012, { serviceAccountName: 'A' }), withPort(8012))).toEqual([
    expect.stringContaining('.serviceAccountName: '),
  ]);
});

it.each(['https://ghcr.io/me/app:v1', 'http://localhost:5000/app'])(
  'the address %s is no image, which Knative takes and nobody can pull',
  (image) => {
    const template = { spec: { containers: [{ ...container, image }] } };
    expect(problems(capp({ template }))).toEqual([
      expect.stringMatching(/containers\[0\]\.image: .* leave out https?:\/\//),
    ]);
  },
);

it('a volume of Cappstan that goes while a container mounts it is missed by name', () => {
  const promised = ACCEPTED.find(({ title }) => title === 'a volume of Cappstan');
  if (promised === undefined) throw new Error('There is no such example.');
  expect(problems(capp({ template: promised.template }), capp(promised))).toEqual([
    expect.stringContaining(
      'volumeMounts[0].name: there is no volume "v": add it to volumes of the template',
    ),
  ]);
});

it('content of any shape is no error', () => {
  const odd = [null, 1, 'a', [], {}, [null], [1], [{}], [[]]];
  for (const value of odd)
    for (const field of ['containers', 'initContainers', 'volumes', 'securityContext'])
      expect(() => problems(capp({ template: { spec: { [field]: value } } }))).not.toThrow();
  for (const value of odd)
    for (const field of ['ports', 'env', 'envFrom', 'volumeMounts', 'readinessProbe', 'image', 'name'])
      expect(() =>
        problems(capp({ template: { spec: { containers: [{ [field]: value }] } } })),
      ).not.toThrow();
});

describe('a CappSet whose Capps would have it', () => {
  const set = (template: object, more: object = {}) => ({
    metadata: { name: 'edge', namespace: 'apps' },
    spec: { sites: { clusters: ['site-1'] }, template, ...more },
  });
  const told = (object: unknown, before: unknown = null) =>
    said(judged(PATHS.validateCappSet, asked(object, before, { name: 'edge' }), KNOWN).problems);
  const { spec } = withPort(8012) as { readonly spec: object };

  it('is refused with the field of its template', () => {
    expect(told(set({ spec }))).toEqual([
      expect.stringMatching(
        /^spec\.template\.spec\.configurationSpec\.template\.spec\.containers\[0\]\.ports\[0\]\.containerPort: on site-1, Knative itself listens on 8012/,
      ),
    ]);
  });

  it('may have it where it had it before, and be edited otherwise', () => {
    expect(told(set({ spec }, { paused: true }), set({ spec }))).toEqual([]);
    const other = withPort(8013) as { readonly spec: object };
    expect(told(set({ spec: other.spec }), set({ spec }))).toEqual([expect.stringContaining('8013')]);
  });
});
