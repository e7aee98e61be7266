// The ManifestWork of a Bundle: its name and labels, as whom and how it is applied, and when it is ready.
import { BUNDLE_MANIFEST, BUNDLE_REVISION } from '../../../../crds/labels.ts';
import { bundleOfWork, bundleWorkName, isWorkOfBundle } from '../../../../crds/ocm/bundle-work.ts';
import { readWritten } from '../../../../crds/written.ts';
import { carriedOf } from '../../../../activities/hub/bundle/manifests/manifests.ts';
import { render, type Rendered } from '../../../../activities/hub/bundle/manifests/render.ts';
import { pluralOf } from '../../../../activities/hub/bundle/manifests/identify.ts';
import {
  aBundle,
  aConfigMap,
  aDeployment,
  carriedBy,
  EXECUTORS_AT,
  rendered,
} from '../../../support/builders/fleet/bundles.ts';

const specOf = (...args: Parameters<typeof rendered>) => rendered(...args).workOn('site-1', 0).spec;
const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'a.b' },
};
const SPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'apps' } };

test('no two Bundles share the name of a work, and the name tells whose it is', () => {
  const one = { namespace: 'a-b', name: 'c' };
  const other = { namespace: 'a', name: 'b-c' };
  expect(bundleWorkName(one)).not.toBe(bundleWorkName(other));
  const work = rendered(aBundle()).workOn('site-1', 0);
  expect(bundleOfWork(work)).toEqual({ namespace: 'apps', name: 'base' });
  expect(bundleOfWork({ metadata: { name: 'bundle-of-somebody' } })).toBeNull();
  const long = aBundle({}, { name: 'n'.repeat(250) });
  const { metadata } = rendered(long).workOn('site-1', 0);
  expect(metadata.name.length).toBeLessThan(189);
  expect(bundleOfWork({ metadata })).toEqual({ namespace: 'apps', name: long.metadata.name });
});

test('a work with the name of a Bundle and without anything that the hub puts on it is somebody else’s', () => {
  const { metadata } = rendered(aBundle()).workOn('site-1', 0);
  const { name, labels = {}, annotations = {} } = metadata;
  const bundle = { namespace: 'apps', name: 'base' };
  expect(isWorkOfBundle({ metadata }, bundle)).toBe(true);
  for (const left of [{ labels }, { annotations }])
    expect(isWorkOfBundle({ metadata: { name, ...left } }, bundle)).toBe(true);
  const others = { name, labels: { team: 'sea' }, annotations: { note: 'mine' } };
  expect(isWorkOfBundle({ metadata: others }, bundle)).toBe(false);
  expect(isWorkOfBundle({ metadata }, { namespace: 'apps', name: 'other' })).toBe(false);
});

test('a work is applied as the executor of the namespace, by server-side apply that takes nothing from others', () => {
  const spec = specOf(aBundle());
  const serviceAccount = { namespace: 'open-cluster-management-agent-addon', name: 'cappstan-bundles-apps' };
  expect(spec?.executor).toEqual({ subject: { type: 'ServiceAccount', serviceAccount } });
  const serverSideApply = { force: false, fieldManager: 'work-agent-bundle-apps/base' };
  expect(spec?.manifestConfigs).toMatchObject([
    {
      resourceIdentifier: { group: '', resource: 'configmaps', namespace: 'apps', name: 'settings' },
      updateStrategy: { type: 'ServerSideApply', serverSideApply },
    },
  ]);
  expect(specOf(aBundle(), null)?.executor).toBeUndefined();
});

describe('an executor whose name bears the short id of the hub', () => {
  const bundle = aBundle();
  const as = (executorNamespace: string | null, executorHub: string) =>
    render(bundle, carriedBy(bundle), { executorNamespace, executorHub });
  const accountOf = (one: Rendered) => one.workOn('site-1', 0).spec?.executor?.subject.serviceAccount;

  test('is another for each hub, and none where the work agent applies', () => {
    const names = ['hub-a', 'hub-b'].map((hub) => accountOf(as(EXECUTORS_AT, hub))?.name ?? '');
    for (const name of names) expect(name).toMatch(/^cappstan-bundles-apps\.[0-9a-f]{10}$/);
    expect(new Set(names).size).toBe(2);
    expect(accountOf(as(null, 'hub-a'))).toBeUndefined();
  });

  test('changes neither revision nor content, so it rolls nothing', () => {
    const [before, after] = [rendered(bundle), as(EXECUTORS_AT, 'hub-a')];
    expect([after.revision, after.content]).toEqual([before.revision, before.content]);
  });

  test('leaves the revisions of earlier versions as they were', () => {
    // As 35781a2b gave them.
    expect(rendered(bundle).revision).toBe('dc6453dca504923225aa4e180b984fa6');
    expect(rendered(bundle, null).revision).toBe('303b9680cb523c9c895a548876c8db70');
  });
});

test('the revision is the same for the same content, and another for any change of what is applied or how', () => {
  const { revision } = rendered(aBundle());
  expect(revision).toMatch(/^[0-9a-f]{32}$/);
  expect(rendered(aBundle({ sites: { clusters: ['site-2'] } }, { generation: 9 })).revision).toBe(revision);
  const others = [
    rendered(aBundle({ manifests: [aConfigMap({ color: 'blue' })] })),
    rendered(aBundle({ onRemoval: 'Orphan' })),
    rendered(aBundle({ ready: [{ kind: 'ConfigMap', name: 'settings', namespace: 'apps', when: 'true' }] })),
    rendered(aBundle(), null),
  ];
  expect(new Set([revision, ...others.map((one) => one.revision)]).size).toBe(5);
  const written = readWritten(
    rendered(aBundle()).workOn('site-1', 7).metadata.annotations?.[BUNDLE_REVISION],
  );
  expect(written).toMatchObject({ revision, content: rendered(aBundle()).content, at: 7 });
});

test('what a site says was written later than the year 9999 is not read, so it is written again', () => {
  const at = (time: string) => readWritten(`revision/content/${time}/rules`);
  expect(at('9999-12-31T23:59:59.999Z')).not.toBeNull();
  expect(at('+010000-01-01T00:00:00.000Z')).toBeNull();
  expect(at('+275760-09-13T00:00:00.000Z')).toBeNull();
});

test('two Bundles ship the same Secret alike, and each version of it is another revision', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'apps' }, data: {} };
  const shipped = (name: string, version: string) => {
    const bundle = aBundle({ manifests: [secret] }, { name });
    const read = carriedOf([{ value: secret, where: 'spec.manifests[0]', version }]);
    if ('reason' in read) throw new Error(read.message);
    return render(bundle, read.carried, { executorNamespace: null });
  };
  const manifestsOf = (one: Rendered) => one.workOn('site-1', 0).spec?.workload.manifests;
  expect(manifestsOf(shipped('one', 'u/1'))).toEqual(manifestsOf(shipped('other', 'v/7')));
  expect(shipped('one', 'u/1').revision).not.toBe(shipped('one', 'u/2').revision);
});

test('an unchanged manifest is not touched on sites when another one changes', () => {
  const tokens = (color: string) =>
    specOf(aBundle({ manifests: [aConfigMap({ color }), aConfigMap({}, 'other')] }))?.workload.manifests?.map(
      ({ metadata }) => metadata.annotations?.[BUNDLE_MANIFEST],
    );
  const [before, after] = [tokens('red'), tokens('blue')];
  expect(after?.[0]).not.toBe(before?.[0]);
  expect(after?.[1]).toBe(before?.[1]);
});

test('a Deployment is ready by a rule of its own, only at the version that is shipped; a given rule replaces it', () => {
  const rulesOf = (ready?: object[]) =>
    specOf(aBundle({ manifests: [aDeployment()], ...(ready === undefined ? {} : { ready }) }))
      ?.manifestConfigs?.[0];
  const [carried] = carriedBy(aBundle({ manifests: [aDeployment()] }));
  const [rule] = rulesOf()?.conditionRules ?? [];
  expect(rule).toMatchObject({ condition: 'Ready', type: 'CEL' });
  expect(rule?.celExpressions[0]).toContain(`[?'${BUNDLE_MANIFEST}'].orValue('') == '${carried?.token}'`);
  expect(rule?.celExpressions[1]).toContain('observedGeneration');
  expect(rule?.messageExpression).toContain('ProgressDeadlineExceeded');
  expect(rulesOf()?.feedbackScrapeType).toBe('Watch');
  const given = rulesOf([
    { kind: 'Deployment', name: 'web', namespace: 'apps', when: 'object.spec.replicas > 1' },
  ]);
  expect(given?.conditionRules?.[0]?.celExpressions.slice(1)).toEqual([
    'object.spec.replicas > 1',
    '!has(object.metadata.deletionTimestamp)',
  ]);
  expect(rulesOf([{ kind: 'Deployment', name: 'web', when: 'false' }])).toEqual(rulesOf());
});

test('the rules of kinds are no part of the revision, so a version with better ones writes no work anew', () => {
  const of = (apiVersion: string, kind: string, name: string) => ({
    apiVersion,
    kind,
    metadata: { name, namespace: 'apps' },
    spec: {},
  });
  const manifests = [
    of('apps/v1', 'Deployment', 'a'),
    of('apps/v1', 'StatefulSet', 'b'),
    of('apps/v1', 'DaemonSet', 'c'),
    of('batch/v1', 'Job', 'd'),
    of('v1', 'ConfigMap', 'e'),
    of('x.io/v1', 'Thing', 'f'),
    of('v1', 'PersistentVolumeClaim', 'g'),
  ];
  const ready = [{ kind: 'Thing', name: 'f', namespace: 'apps', when: 'true' }];
  // As the version before said; further digits do not make it another revision (`isSameRevision`).
  expect(rendered(aBundle({ manifests, ready }), 'add-on').revision.slice(0, 12)).toBe('9dab1094c9da');
  expect(rendered(aBundle({ manifests, ready }), null).revision.slice(0, 12)).toBe('47f05168cac5');
});

test('Namespaces and CustomResourceDefinitions stay when the Bundle goes; everything stays with Orphan', () => {
  expect(specOf(aBundle())?.deleteOption).toEqual({ propagationPolicy: 'Foreground' });
  expect(specOf(aBundle({ manifests: [SPACE, CRD, aConfigMap()] }))?.deleteOption).toEqual({
    propagationPolicy: 'SelectivelyOrphan',
    selectivelyOrphans: {
      orphaningRules: [
        { group: '', resource: 'namespaces', name: 'apps', namespace: '' },
        { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', name: 'a.b', namespace: '' },
      ],
    },
  });
  expect(specOf(aBundle({ onRemoval: 'Orphan' }))?.deleteOption).toEqual({ propagationPolicy: 'Orphan' });
});

test.each([
  ['Deployment', 'deployments'],
  ['Ingress', 'ingresses'],
  ['NetworkPolicy', 'networkpolicies'],
  ['Gateway', 'gateways'],
  ['Endpoints', 'endpoints'],
])('the plural of %s is %s', (kind, plural) => {
  expect(pluralOf('', kind)).toBe(plural);
});

test('a Bundle says the plural of a kind that has an unusual one', () => {
  expect(pluralOf('a.example', 'Constraints', { Constraints: 'constraints' })).toBe('constraints');
  expect(pluralOf('a.example', 'constructor')).toBe('constructors');
});

test('a Bundle says nothing of the plurals of Kubernetes itself, so a Namespace stays whatever it says', () => {
  const plurals = { Namespace: 'spaces', CustomResourceDefinition: 'definitions', Deployment: 'deploys' };
  expect(specOf(aBundle({ manifests: [SPACE, CRD], plurals }))?.deleteOption).toEqual(
    specOf(aBundle({ manifests: [SPACE, CRD] }))?.deleteOption,
  );
  expect(pluralOf('apps', 'Deployment', plurals)).toBe('deployments');
  expect(pluralOf('a.example', 'Deployment', plurals)).toBe('deploys');
});
