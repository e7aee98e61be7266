// Works as the hub worker writes them, with everything that they can carry, and works of any content.
import { renderChecks } from '../../../../activities/hub/bundle/checks/render.ts';
import type { Terms } from '../../../../activities/hub/bundle/manifests/render.ts';
import { renderWork } from '../../../../activities/hub/ship/render/work.ts';
import { identityWork } from '../../../../activities/hub/identity/identity-work.ts';
import { cappsExecutor, executorAs } from '../../../../crds/ocm/executors.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { aCapp } from '../capps.ts';
import { aBundle, rendered } from '../fleet/bundles.ts';

export const SITE = 'site-1';
export const NS = 'apps';
export const ADDON = 'open-cluster-management-agent-addon';
/** The executor of Capps. */
export const CAPPS = { namespace: ADDON, name: cappsExecutor('hub-under-test') };
/** Of the work of a Capp `app`. */
export const NAME = `mw-create-${NS}-app`;

/** One of any content. */
export function aWork(name: string, manifests: readonly object[], more: object = {}): ManifestWork {
  const { apiVersion, kind } = MANIFEST_WORK;
  const spec = { workload: { manifests }, ...more };
  return { apiVersion, kind, metadata: { namespace: SITE, name }, spec } as unknown as ManifestWork;
}

const metadata = (name: string) => ({ namespace: NS, name, uid: 'u', resourceVersion: '1' });

/** A work with everything that a work of a Capp can carry. */
export function ofCapp(executor?: typeof CAPPS, more: object = {}): ManifestWork {
  const shipment = {
    capp: aCapp({ namespace: NS, name: 'app', pod: { serviceAccountName: 'modest' } }),
    secrets: [{ metadata: metadata('db'), data: { password: 'eA==' } }],
    configMaps: [{ metadata: metadata('settings'), data: { color: 'red' } }],
    logReaders: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'alice' }],
    podSecurity: { 'pod-security.kubernetes.io/enforce': 'baseline' },
    ...(executor === undefined ? {} : { executor }),
    ...more,
  };
  return renderWork(shipment, { cluster: SITE, name: NAME, incarnation: '1', salt: 's' }).work;
}

export function ofBundle(where: { namespace: string; name: string }, executor: object | null): ManifestWork {
  const bundle = aBundle({ manifests: [DEPLOYMENT] }, where);
  const work = rendered(bundle, null).workOn(SITE, 1);
  return { ...work, spec: { ...work.spec, ...(executor === null ? {} : { executor }) } } as ManifestWork;
}

/** With the Jobs that check such a Bundle on the site. */
export function ofChecks(
  where: { namespace: string; name: string },
  terms: Terms = { executorNamespace: ADDON },
): ManifestWork {
  const template = { spec: { template: { spec: { restartPolicy: 'Never', containers: [] } } } };
  const checks = JSON.stringify([{ name: 'smoke', job: { template } }]);
  const ask = { cluster: SITE, revision: 'r1', round: '1/0', checks };
  const work = renderChecks(aBundle({}, where), terms, ask, 1);
  if ('reason' in work) throw new Error(work.message);
  return work;
}

export const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: NS, name: 'web' },
  spec: {},
};
export const SECRET = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: NS, name: 'db' } };

const token = { text: 't', madeAt: 1, endsAt: 2 };
export const identity = identityWork({
  cluster: SITE,
  hubId: 'h',
  siteNamespace: ADDON,
  token,
  trusted: 'pem',
});

/** A Bundle whose work has a hash for a name. */
export const LONG = { namespace: NS, name: 'n'.repeat(200) };

/** With this account as its executor. */
export const forged = (name: string, namespace = ADDON) => ({ executor: executorAs({ namespace, name }) });
export const rbac = (kind: string, rest: object) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { namespace: NS, name: 'forged' },
  ...rest,
});
export const binding = (kind: string, name: string) =>
  rbac('RoleBinding', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'mallory' }],
  });
