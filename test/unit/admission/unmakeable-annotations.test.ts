// Annotations of a template that Knative takes and of which no Deployment can be made.
import { problems, templated } from '../../support/builders/admission.ts';

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
  [
    { [`${SIDECAR}/cpu-resource-limit`]: '10m' },
    'cpu-resource-limit',
    `10m is below the 25m that Knative's sidecar asks for, so no Pod can be created: raise it, or write ${SIDECAR}/cpu-resource-request beside it`,
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
  const given = { 'serving.knative.dev/progress-deadline': '0s', [`${SIDECAR}/cpu-resource-limit`]: '10m' };
  expect(problems(marked(given, { timeoutSeconds: 5 }), marked(given))).toEqual([]);
});
