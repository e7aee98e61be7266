// Annotations of a template that Knative takes and of which no Deployment can be made.
import { problems, templated, validated } from '../../support/builders/admission.ts';

const PLACE = 'spec.configurationSpec.template.metadata.annotations';
const SIDECAR = 'queue.sidecar.serving.knative.dev';
const marked = (annotations: object, spec: object = {}) => templated(spec, { annotations });

it.each<[Record<string, string>, string, string]>([
  [{ 'serving.knative.dev/progress-deadline': '0s' }, 'progress-deadline', 'write one of 1s or more'],
  [{ 'serving.knative.dev/progress-deadline': '' }, 'progress-deadline', 'or leave it out'],
  [{ 'serving.knative.dev/progress-deadline': '600000h' }, 'progress-deadline', 'write a shorter one'],
  [{ [`${SIDECAR}/cpu-resource-request`]: '-100m' }, 'cpu-resource-request', 'must not be below 0'],
  [{ [`${SIDECAR}/memory-resource-limit`]: '-1Gi' }, 'memory-resource-limit', 'must not be below 0'],
  [
    { [`${SIDECAR}/memory-resource-request`]: '1Gi', [`${SIDECAR}/memory-resource-limit`]: '512Mi' },
    'memory-resource-request',
    '1Gi is above the limit of 512Mi, so no Pod can be created: lower it, or raise the limit',
  ],
])('%j is refused by its name, with what to write', (annotations, name, words) => {
  const [found = '', ...others] = problems(marked(annotations));
  expect(others).toEqual([]);
  expect(found).toContain(`${PLACE}[`);
  expect(found).toContain(`/${name}]: `);
  expect(found).toContain(words);
});

it.each<Record<string, string>>([
  { 'serving.knative.dev/progress-deadline': '1s' },
  { 'serving.knative.dev/progress-deadline': '2147483647s' },
  { [`${SIDECAR}/cpu-resource-request`]: '5m', [`${SIDECAR}/cpu-resource-limit`]: '10m' },
  { [`${SIDECAR}/cpu-resource-limit`]: '10m', [`${SIDECAR}/resource-percentage`]: '10' },
  { [`${SIDECAR}/cpu-resource-limit`]: '25m' },
  { [`${SIDECAR}/memory-resource-limit`]: '1Mi' },
  { [`${SIDECAR}/cpu-resource-request`]: '0' },
])('%j is taken', (annotations) => {
  expect(problems(marked(annotations))).toEqual([]);
});

it('stays where it was before, and does not stand in the way of another edit', () => {
  const given = { 'serving.knative.dev/progress-deadline': '0s', [`${SIDECAR}/cpu-resource-limit`]: '-10m' };
  expect(problems(marked(given, { timeoutSeconds: 5 }), marked(given))).toEqual([]);
});

describe('a limit of the sidecar below what Knative asks for by itself', () => {
  const LIMIT = `${SIDECAR}/cpu-resource-limit`;
  it('is taken with a warning, since a site may ask for less', () => {
    const { problems: refusals, warnings } = validated(marked({ [LIMIT]: '20m' }));
    expect(refusals).toEqual([]);
    expect(warnings).toEqual([
      `${PLACE}[${LIMIT}]: below the 25m that Knative's sidecar asks for on most sites, where no Pod could be made: raise it, or write cpu-resource-request, too.`,
    ]);
    // An API server would cut it.
    expect(warnings[0]?.length).toBeLessThan(256);
  });

  it('is told of once, when it is written', () => {
    const before = marked({ [LIMIT]: '20m' });
    expect(validated(marked({ [LIMIT]: '20m' }, { timeoutSeconds: 5 }), before).warnings).toEqual([]);
    expect(validated(before, marked({})).warnings).toHaveLength(1);
  });

  it.each<Record<string, string>>([
    { [LIMIT]: '25m' },
    { [LIMIT]: '20m', [`${SIDECAR}/cpu-resource-request`]: '10m' },
    { [LIMIT]: '20m', [`${SIDECAR}/resourcePercentage`]: '10' },
    { [`${SIDECAR}/memory-resource-limit`]: '1' },
  ])('is none in %j', (annotations) => {
    expect(validated(marked(annotations)).warnings).toEqual([]);
  });
});
