// Earlier versions wrote the empty lists of a Capp, as Helm renders them, on its Knative Service. An upgrade
// alone writes nothing.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { normalise } from '../../../../crds/capp/normalise.ts';
import { digestOf } from '../../../../crds/digest.ts';
import type { KnativeService } from '../../../../crds/kubernetes/knative.ts';
import { APPLIED } from '../../../../crds/labels.ts';
import { DEFAULT_AUTOSCALE, type Autoscale } from '../../../../site/workload/autoscaling.ts';
import { knativeService } from '../../../../site/workload/knative-service.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { writtenService, type AroundService } from '../../../support/builders/site/written-service.ts';

const TARGET = 'autoscaling.knative.dev/target';
const TODAY: Autoscale = {
  ...DEFAULT_AUTOSCALE,
  targets: { ...DEFAULT_AUTOSCALE.targets, concurrency: 99 },
};
/** Here every feature of Pods is off that is off by default. */
const FEATURES = { metadata: { namespace: 'knative-serving', name: 'config-features' }, data: {} };
const TOLERATIONS = [{ key: 'edge', operator: 'Exists' }];
const EMPTY = { imagePullSecrets: [], volumes: [] };

function having(pod: object, metadata: object = {}): Capp {
  const containers = [{ name: 'a', image: 'i' }];
  const template = { metadata, spec: { ...EMPTY, containers, ...pod } };
  const spec = { configurationSpec: { template } };
  return normalise(aCapp({ name: 'app', namespace: 'ns', uid: 'u', spec })).capp;
}

/** The Service as the version before wrote it: the whole Pod of the Capp, and the hash of that. */
function formerly(capp: Capp, autoscale: Autoscale): KnativeService {
  const now = knativeService(capp, autoscale);
  if (now === null) throw new Error('The Capp is disabled.');
  const pod = { ...capp.spec.configurationSpec.template.spec, enableServiceLinks: false };
  const object = { ...now, spec: { template: { ...now.spec?.template, spec: pod } } };
  const annotations = { ...object.metadata.annotations, [APPLIED]: digestOf(JSON.stringify(object), 16) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** What a site writes that has every feature off. */
const written = (capp: Capp, live: KnativeService, around: AroundService = {}) =>
  writtenService(capp, live, { features: FEATURES, ...around });

test.each<[string, object, object]>([
  ['nobody has edited', {}, {}],
  ['names its revision', {}, { name: 'app-v1' }],
  ['uses a feature that its site has switched off since', { tolerations: TOLERATIONS }, {}],
  ['has one of the lists', { volumes: [{ name: 'scratch', secret: { secretName: 's' } }] }, {}],
])('a Capp that %s is not written', async (_which, pod, metadata) => {
  const capp = having(pod, metadata);
  expect(await written(capp, formerly(capp, DEFAULT_AUTOSCALE))).toBeNull();
  expect(await written(capp, formerly(capp, TODAY), { autoscale: null })).toBeNull();
});

test('a Capp that waits for its step goes on waiting, and takes it without the lists', async () => {
  const capp = having({});
  const live = formerly(capp, DEFAULT_AUTOSCALE);
  expect(await written(capp, live, { autoscale: TODAY, width: 0 })).toBeNull();
  const template = (await written(capp, live, { autoscale: TODAY }))?.spec?.template;
  expect(template?.metadata?.annotations).toMatchObject({ [TARGET]: '99' });
  for (const list of Object.keys(EMPTY)) expect(template?.spec).not.toHaveProperty(list);
});

test.each<[string, object]>([
  ['one that uses no feature', {}],
  ['one that uses a feature which is off', { tolerations: TOLERATIONS }],
])('a Capp that names its revision keeps its figures: %s', async (_which, pod) => {
  const capp = having(pod, { name: 'app-v1' });
  const live = formerly(capp, DEFAULT_AUTOSCALE);
  expect(await written(capp, live, { autoscale: TODAY })).toBeNull();
});

test('an edit is written without the lists, and refused for a feature that is off', async () => {
  const live = formerly(having({}), DEFAULT_AUTOSCALE);
  const containers = [{ name: 'a', image: 'another' }];
  const pod = (await written(having({ containers }), live))?.spec?.template?.spec;
  expect(pod).toEqual({ containers, enableServiceLinks: false });
  await expect(written(having({ containers, tolerations: TOLERATIONS }), live)).rejects.toThrow(
    'kubernetes.podspec-tolerations',
  );
});
