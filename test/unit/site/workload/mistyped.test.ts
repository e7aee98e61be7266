// Labels and annotations of a template that are no text, on a site whose webhook was not asked.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { mistypedFault } from '../../../../site/workload/mistyped.ts';
import { workload } from '../../../../site/workload/service.ts';
import { aCapp } from '../../../support/builders/capps.ts';

const PATH = 'spec.configurationSpec.template.metadata';

function having(metadata: object): Capp {
  const { spec, ...capp } = aCapp();
  const { template } = spec.configurationSpec;
  return { ...capp, spec: { ...spec, configurationSpec: { template: { ...template, metadata } } } } as Capp;
}

test.each<[string, object, string]>([
  [
    'a number',
    { annotations: { 'autoscaling.knative.dev/min-scale': 2 } },
    'annotations[autoscaling.knative.dev/min-scale] must be text',
  ],
  [
    'a boolean',
    { annotations: { 'prometheus.io/scrape': true } },
    'annotations[prometheus.io/scrape] must be text',
  ],
  ['a list', { annotations: { a: 'b', c: ['d'] } }, 'annotations[c] must be text'],
  ['a map', { labels: { a: {} } }, 'labels[a] must be text'],
  ['a number as a label', { labels: { version: 1.1 } }, 'labels[version] must be text'],
  ['a list of annotations', { annotations: ['a'] }, 'annotations must be an object of texts'],
  ['a text for labels', { labels: 'a' }, 'labels must be an object of texts'],
  ['a number as the name', { name: 7 }, 'name must be text'],
])('%s is refused, with field and remedy', (_what, metadata, said) => {
  const fault = mistypedFault(having(metadata));
  expect(fault?.reason).toBe('Refused');
  expect(fault?.message).toBe(`${PATH}.${said}: put the value in quotes, or leave it out.`);
});

test.each<[string, object]>([
  ['texts', { name: 'app-one', labels: { a: '1' }, annotations: { b: 'true', c: '' } }],
  ['nothing', {}],
  ['null, which the API server drops', { labels: null, annotations: { a: null } }],
])('%s is taken', (_what, metadata) => {
  expect(mistypedFault(having(metadata))).toBeNull();
});

function onSite(live: object | undefined) {
  return {
    watched: { services: { served: () => true, get: () => live }, features: { current: () => null } },
    config: { current: () => null },
    kube: { list: async () => ({ items: [] }), apply: async (_kind: unknown, object: object) => object },
  } as never;
}

test('nothing is written of a Capp that has one', async () => {
  const capp = having({ annotations: { a: 1 } });
  await expect(workload(onSite(undefined), capp)).rejects.toThrow(`${PATH}.annotations[a] must be text`);
});

test('what was left out of a Capp before goes on without it, and is said when somebody edits the Capp', async () => {
  const live = await workload(onSite(undefined), having({ annotations: {} }));
  if (live === null) throw new Error('Nothing was written.');
  expect(await workload(onSite(live), having({ annotations: { a: 1 } }))).toBe(live);
  const edited = having({ annotations: { a: 1, b: 'c' } });
  await expect(workload(onSite(live), edited)).rejects.toThrow(`${PATH}.annotations[a] must be text`);
});
