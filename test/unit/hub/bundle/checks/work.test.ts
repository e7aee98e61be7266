// The work with the Jobs that check a Bundle: whose it is, what it carries, and when a Job in it has passed.
import { renderChecks } from '../../../../../activities/hub/bundle/checks/render.ts';
import { CHECKING_JOB } from '../../../../../activities/hub/bundle/ready/workloads.ts';
import { BUNDLE_KEY, BUNDLE_NAME, BUNDLE_UID, CHECKS_OF } from '../../../../../crds/labels.ts';
import { bundleOfWork } from '../../../../../crds/ocm/bundle-work.ts';
import { bundleOfChecks, checkWorkName } from '../../../../../crds/ocm/check-work.ts';
import type { ManifestWork } from '../../../../../crds/ocm/ocm.ts';
import { StageCheck } from '../../../../../crds/verification/job.ts';
import { aBundle, EXECUTORS_AT } from '../../../../support/builders/fleet/bundles.ts';

const bundle = aBundle({}, { name: 'shop.front' });
const check = (job: object = {}, more: object = {}) =>
  StageCheck.parse({
    name: 'smoke',
    job: { template: { spec: { template: { spec: { restartPolicy: 'Never' } } } }, ...job },
    ...more,
  });
const rendered = (...checks: readonly unknown[]): ManifestWork => {
  const ask = { cluster: 'site-1', revision: 'r1', round: '1/0', checks: JSON.stringify(checks) };
  const work = renderChecks(bundle, { executorNamespace: EXECUTORS_AT }, ask, 0);
  if ('reason' in work) throw new Error(work.message);
  return work;
};

test('nothing that looks for the works of the Bundle finds it', () => {
  const { metadata } = rendered(check());
  expect(bundleOfWork({ metadata })).toBeNull();
  expect([metadata.labels?.[BUNDLE_KEY], metadata.labels?.[BUNDLE_UID]]).toEqual([undefined, undefined]);
  expect(bundleOfChecks({ metadata })).toEqual({ namespace: 'apps', name: 'shop.front' });
});

test('by its name it is of the Bundle while it bears a mark of ours, and no longer', () => {
  const name = checkWorkName({ namespace: 'apps', name: 'base' });
  const base = { namespace: 'apps', name: 'base' };
  expect(bundleOfChecks({ metadata: { name, labels: { [CHECKS_OF]: 'x' } } })).toEqual(base);
  expect(bundleOfChecks({ metadata: { name, annotations: { [BUNDLE_NAME]: 'base' } } })).toEqual(base);
  expect(bundleOfChecks({ metadata: { name, labels: { team: 'sea' } } })).toBeNull();
});

test('a name that is too long becomes a hash, and the work says whose it is', () => {
  const long = { namespace: 'n'.repeat(63), name: 'b'.repeat(200) };
  const name = checkWorkName(long);
  expect(name.length).toBeLessThan(188);
  const annotations = {
    'rcs.dana.io/bundle-name': long.name,
    'rcs.dana.io/bundle-namespace': long.namespace,
  };
  expect(bundleOfChecks({ metadata: { name, annotations } })).toEqual(long);
});

test('each check is a Job in the namespace that it names, by the executor of the Bundle', () => {
  const work = rendered(check(), check({ namespace: 'shop' }, { name: 'other', timeoutSeconds: 20 }));
  expect(work.spec?.workload.manifests).toMatchObject([
    { metadata: { namespace: 'apps', name: expect.stringMatching(/^shop-front-smoke-/) } },
    { metadata: { namespace: 'shop' }, spec: { activeDeadlineSeconds: 20 } },
  ]);
  expect(work.spec?.executor).toMatchObject({
    subject: { serviceAccount: { namespace: EXECUTORS_AT, name: 'cappstan-bundles-apps' } },
  });
  expect(work.spec?.manifestConfigs?.[0]).toMatchObject({
    resourceIdentifier: { group: 'batch', resource: 'jobs' },
    conditionRules: [{ type: 'CEL' }],
  });
});

test('checks whose names begin the same are Jobs of their own, with names that Kubernetes takes', () => {
  const long = (end: string) => check({}, { name: `${'a'.repeat(38)}-${end}` });
  const names = (rendered(long('1'), long('2')).spec?.workload.manifests ?? []).map(
    ({ metadata }) => metadata.name,
  );
  expect(new Set(names).size).toBe(2);
  expect(names.every((name) => name.length <= 63)).toBe(true);
});

test('a template may ask for less time than its check', () => {
  const spec = { activeDeadlineSeconds: 5, template: { spec: { restartPolicy: 'Never' } } };
  expect(rendered(check({ template: { spec } })).spec?.workload.manifests).toMatchObject([
    { spec: { activeDeadlineSeconds: 5 } },
  ]);
});

test('only a Job that is Complete has passed: one that is suspended has not', () => {
  expect(CHECKING_JOB.ready).toContain("'Complete'");
  expect(CHECKING_JOB.ready).not.toContain('suspend');
});
