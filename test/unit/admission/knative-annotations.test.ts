// Annotations of a Capp itself: what Knative reads of them is refused where it cannot be read, on Capps and
// on those of sets, and what it does not read there is said.
import { readFileSync } from 'node:fs';
import { PATHS } from '../../../admission/router.ts';
import { KNATIVE_ANNOTATIONS } from '../../../crds/knative/capp-annotations.ts';
import { serviceOf } from '../../support/corpus/as-service.ts';
import { asked, judged, raw, said } from '../../support/builders/admission.ts';

const TEMPLATE = 'spec.configurationSpec.template.metadata';
const marked = (annotations: object) => raw({}, { annotations });
const answer = (object: unknown, before: unknown = null) => judged(PATHS.validateCapp, asked(object, before));
const problems = (object: unknown, before: unknown = null) => said(answer(object, before).problems);

it.each<[string, string, string]>([
  ['serving.knative.dev/rollout-duration', '5 minutes', '"5 minutes" is no time of whole seconds: write one'],
  ['serving.knative.dev/rolloutDuration', '1500ms', 'is no time of whole seconds'],
  ['serving.knative.dev/rollout-duration', '-5s', 'is no time of whole seconds'],
  ['networking.knative.dev/http-protocol', 'https', 'write Enabled or Redirected'],
  ['networking.knative.dev/httpOption', 'Disabled', 'write Enabled or Redirected'],
  ['networking.knative.dev/disable-external-domain-tls', 'yes', 'is neither true nor false'],
  ['networking.knative.dev/disableAutoTLS', 'on', 'is neither true nor false'],
  [
    'serving.knative.dev/creator',
    'alice',
    'Knative writes it itself, and refuses every other value: take it out',
  ],
  ['serving.knative.dev/lastModifier', 'alice', 'take it out'],
])('%s: %s is refused by name, unless it was there before', (name, value, words) => {
  const field = `metadata.annotations[${name}]`;
  expect(problems(marked({ [name]: value }))).toEqual([expect.stringContaining(words)]);
  expect(problems(marked({ [name]: value }), marked({}))).toEqual([expect.stringContaining(`${field}: `)]);
  expect(problems(marked({ [name]: value, note: 'new' }), marked({ [name]: value }))).toEqual([]);
});

it.each<[string, string]>([
  ['serving.knative.dev/rollout-duration', '1m30s'],
  ['serving.knative.dev/rollout-duration', '0'],
  ['serving.knative.dev/rolloutDuration', ''],
  ['networking.knative.dev/http-protocol', 'Redirected'],
  ['networking.knative.dev/httpOption', 'enabled'],
  ['networking.knative.dev/disable-auto-tls', 'true'],
  ['networking.knative.dev/ingress-class', 'kourier.ingress.networking.knative.dev'],
  ['serving.knative.dev/creators', 'alice'],
])('%s: %j is taken', (name, value) => {
  const { problems: found, warnings } = answer(marked({ [name]: value }));
  expect([found, warnings]).toEqual([[], []]);
});

it.each<[string, string, string]>([
  [
    'serving.knative.dev/visibility',
    'cluster-local',
    'write networking.knative.dev/visibility: cluster-local',
  ],
  ['serving.knative.dev/visibility', 'private', 'write networking.knative.dev/visibility'],
  ['networking.knative.dev/visiblity', 'cluster-local', 'write networking.knative.dev/visibility'],
  ['networking.knative.dev/Visibility', 'private', 'write networking.knative.dev/visibility'],
  ['netwroking.knative.dev/visibility', 'cluster-local', 'write networking.knative.dev/visibility'],
  ['autoscaling.knative.dev/minscale', '2', 'Did you mean autoscaling.knative.dev/min-scale?'],
  ['autoscaling.knative.dev/whatever', '2', 'Take it out.'],
  ['serving.knative.dev/progressDeadline', '30s', 'Did you mean serving.knative.dev/progress-deadline?'],
  [
    'queue.sidecar.serving.knative.dev/cpu-resource-limits',
    '1',
    'Did you mean queue.sidecar.serving.knative.dev/cpu-resource-limit?',
  ],
  [
    'networking.knative.dev/http-protokol',
    'Redirected',
    'Did you mean networking.knative.dev/http-protocol?',
  ],
  ['networking.knative.dev/ingres-class', 'own', 'Did you mean networking.knative.dev/ingress-class?'],
  ['features.knative.dev/http-fullduplex', 'Enabled', 'Did you mean features.knative.dev/http-full-duplex?'],
])('%s: %s has no effect, and whoever writes it is told', (name, value, words) => {
  const named = { [name]: value };
  const template = { metadata: { labels: named }, spec: { containers: [{ name: 'a', image: 'i:1' }] } };
  for (const [place, object] of [
    ['metadata.annotations', marked(named)],
    ['metadata.labels', raw({}, { labels: named })],
    ['spec.configurationSpec.template.metadata.labels', raw({ configurationSpec: { template } })],
  ] as const) {
    const { problems: found, warnings } = answer(object);
    expect([found, warnings]).toEqual([[], [expect.stringContaining(words)]]);
    expect(warnings[0]).toContain(`${place}[${name}] has no effect`);
    expect(answer(object, object).warnings).toEqual([]);
  }
});

it.each([
  ['networking.knative.dev/visibility', 'cluster-local'],
  ['example.com/visibility', 'cluster-local'],
  ['example.dev/visibility', 'public'],
  ['serving.knative.dev/routes', 'app'],
  ['example.com/serving.knative.dev', 'x'],
])('%s: %s is no slip', (name, value) => {
  expect(answer(marked({ [name]: value })).warnings).toEqual([]);
});

it.each([
  ['autoscaling.knative.dev/min-scale', 'Use spec.scaleSpec, or write it into'],
  ['autoscaling.knative.dev/maxScale', 'Use spec.scaleSpec, or write it into'],
  ['serving.knative.dev/progress-deadline', 'Write it into'],
  ['queue.sidecar.serving.knative.dev/cpu-resource-limit', 'Write it into'],
])('%s has no effect on a Capp, and whoever writes it is told', (name, words) => {
  const given = marked({ [name]: '5' });
  const told = `metadata.annotations[${name}] has no effect: Knative does not read it there. ${words} ${TEMPLATE}.annotations.`;
  for (const { problems: found, warnings } of [answer(given), answer(given, marked({}))])
    expect([found, warnings]).toEqual([[], [told]]);
  expect(answer(given, given).warnings).toEqual([]);
});

const written = (place: string, named: object): object => {
  const [kind = ''] = place.split('.').slice(-1);
  if (!place.startsWith('spec')) return raw({}, { [kind]: named });
  const template = { metadata: { [kind]: named }, spec: { containers: [{ name: 'a', image: 'i:1' }] } };
  return raw({ configurationSpec: { template } });
};

it.each<[string, string, string, string]>([
  ['serving.knative.dev/rollout-duration', '10s', `${TEMPLATE}.annotations`, 'metadata.annotations'],
  ['networking.knative.dev/http-protocol', 'Enabled', `${TEMPLATE}.annotations`, 'metadata.annotations'],
  ['networking.knative.dev/disableAutoTLS', 'true', `${TEMPLATE}.annotations`, 'metadata.annotations'],
  ['networking.knative.dev/ingress.class', 'own', `${TEMPLATE}.annotations`, 'metadata.annotations'],
  ['networking.knative.dev/certificate-class', 'own', 'metadata.labels', 'metadata.annotations'],
  ['autoscaling.knative.dev/min-scale', '1', 'metadata.labels', `${TEMPLATE}.annotations`],
  ['autoscaling.knative.dev/metric-type', 'Value', 'metadata.annotations', `${TEMPLATE}.annotations`],
  ['autoscaling.knative.dev/maxScale', '1', `${TEMPLATE}.labels`, `${TEMPLATE}.annotations`],
  ['serving.knative.dev/progress-deadline', '1m', `${TEMPLATE}.labels`, `${TEMPLATE}.annotations`],
  ['features.knative.dev/http-full-duplex', 'Enabled', 'metadata.annotations', `${TEMPLATE}.annotations`],
])('%s: %s has no effect in %s, and whoever writes it is told where it has', (name, value, place, right) => {
  const words = /\/m(?:in-s|axS)cale$/.test(name) ? 'Use spec.scaleSpec, or write' : 'Write';
  const { problems: found, warnings } = answer(written(place, { [name]: value }));
  expect([found, warnings]).toEqual([
    [],
    [`${place}[${name}] has no effect: Knative does not read it there. ${words} it into ${right}.`],
  ]);
  // An API server would cut it.
  expect(warnings[0]?.length).toBeLessThan(256);
  expect(answer(written(right, { [name]: value })).warnings).toEqual([]);
});

it('a switch of a revision that is not Enabled has no effect, and whoever writes it is told', () => {
  const of = (value: string) =>
    answer(written(`${TEMPLATE}.annotations`, { 'features.knative.dev/queueproxy-podinfo': value }));
  expect(of('true').warnings).toEqual([
    `${TEMPLATE}.annotations[features.knative.dev/queueproxy-podinfo] has no effect: Knative knows only Enabled for it. Write that, or take it out.`,
  ]);
  for (const value of ['Enabled', 'enabled', 'Disabled']) expect(of(value).warnings).toEqual([]);
});

it('is said of the Capps of a set, with the field of the template', () => {
  const set = (annotations: object) => {
    const { spec } = raw({}) as { readonly spec: object };
    return {
      metadata: {},
      spec: { sites: { clusters: ['site-1'] }, template: { metadata: { annotations }, spec } },
    };
  };
  const name = 'serving.knative.dev/rollout-duration';
  const before = set({});
  expect(
    said(judged(PATHS.validateCappSet, asked(set({ [name]: 'slow' }), before, { name: 'edge' })).problems),
  ).toEqual([
    expect.stringContaining(`spec.template.metadata.annotations[${name}]: on site-1, "slow" is no time`),
  ]);
});

it('reaches the webhook when it is changed alone: the chart has the same names', () => {
  const url = new URL('../../../deploy/helm/templates/_webhook.tpl', import.meta.url);
  const [, list = ''] = readFileSync(url, 'utf8').split('define "cappstan.knativeAnnotations" -}}\n');
  const names = list.slice(0, list.indexOf('{{')).trim().split('\n');
  expect(names).toEqual(KNATIVE_ANNOTATIONS.map((name) => `- ${name}`));
});

it('what Knative writes itself is not on the Service, so that a Capp made of one that runs works', () => {
  const annotations = {
    'serving.knative.dev/creator': 'bob',
    'serving.knative.dev/lastModifier': 'bob',
    note: 'a',
  };
  const template = { spec: { containers: [{ name: 'app', image: 'app:v1' }] } };
  expect(serviceOf({ template, annotations }).metadata.annotations).toEqual({ note: 'a' });
});
