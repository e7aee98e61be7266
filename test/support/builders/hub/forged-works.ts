// Works that the hub worker must not write, each with what is forged in it.
import { identitySecret } from '../../../../crds/hub/agent-identity.ts';
import { bundleWorkName } from '../../../../crds/ocm/bundle-work.ts';
import { checkWorkName } from '../../../../crds/ocm/check-work.ts';
import { bundleExecutor } from '../../../../crds/ocm/executors.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { aWork, binding, CAPPS, DEPLOYMENT, forged, NAME, NS, rbac, SECRET } from './sent-works.ts';

const role = (...rules: object[]) => rbac('Role', { rules });
const bundleName = bundleWorkName({ namespace: NS, name: 'base' });
const checksName = checkWorkName({ namespace: NS, name: 'base' });
const JOB = { ...DEPLOYMENT, apiVersion: 'batch/v1', kind: 'Job' };
const short = CAPPS.name.slice(-10);

export const FORGERIES: readonly (readonly [string, ManifestWork])[] = [
  ['a name of its own', aWork('mine', [SECRET])],
  ['the name of an add-on’s work', aWork('addon-cappstan-deploy-0', [SECRET])],
  ['a name that ends like ours', aWork(`x-${NAME}`, [SECRET])],
  ['a longer name of an identity', aWork('cappstan-agent-identity-2', [SECRET])],
  ['an account that exists as its executor', aWork(NAME, [SECRET], forged('cappstan-site'))],
  ['the executor of Capps elsewhere', aWork(NAME, [SECRET], forged(CAPPS.name, 'kube-system'))],
  ['an executor that begins like that of Capps', aWork(NAME, [SECRET], forged(`${CAPPS.name}0`))],
  ['an executor that ends like it', aWork(NAME, [SECRET], forged(`x${CAPPS.name}`))],
  ['the executor of Bundles for a Capp', aWork(NAME, [SECRET], forged(bundleExecutor(NS)))],
  ['the executor of Capps for a Bundle', aWork(bundleName, [SECRET], forged(CAPPS.name))],
  ['the executor of another namespace', aWork(bundleName, [SECRET], forged(bundleExecutor('retail')))],
  ['an executor that begins like its own', aWork(bundleName, [SECRET], forged(bundleExecutor(`${NS}-x`)))],
  [
    'an executor with too much of a short id',
    aWork(bundleName, [SECRET], forged(`${bundleExecutor(NS)}.x.${short}`)),
  ],
  ['the executor of Capps for checks', aWork(checksName, [JOB], forged(CAPPS.name))],
  [
    'the executor of another namespace for checks',
    aWork(checksName, [JOB], forged(bundleExecutor('retail'))),
  ],
  ['a Deployment for checks', aWork(checksName, [JOB, DEPLOYMENT], forged(bundleExecutor(NS)))],
  ['a Job of another group for checks', aWork(checksName, [{ ...JOB, apiVersion: 'x.example/v1' }])],
  [
    'a Job of the site that checks are to report',
    aWork(checksName, [JOB], {
      ...forged(bundleExecutor(NS)),
      manifestConfigs: [
        {
          resourceIdentifier: { group: 'batch', resource: 'jobs', namespace: NS, name: 'web' },
          updateStrategy: { type: 'ReadOnly' },
          feedbackRules: [{ type: 'JSONPaths', jsonPaths: [{ name: 'p', path: '.spec.template' }] }],
        },
      ],
    }),
  ],
  ['an executor for an identity', aWork('cappstan-agent-identity', [], forged(CAPPS.name))],
  ['a Deployment for a Capp', aWork(NAME, [SECRET, DEPLOYMENT], forged(CAPPS.name))],
  ['a list for a Capp', aWork(NAME, [{ apiVersion: 'v1', kind: 'List', items: [DEPLOYMENT] }])],
  ['a Secret of another group', aWork(NAME, [{ ...SECRET, apiVersion: 'x.example/v1' }])],
  ['a ServiceAccount', aWork(NAME, [{ ...SECRET, kind: 'ServiceAccount' }])],
  ['a Pod', aWork(NAME, [{ ...SECRET, kind: 'Pod' }])],
  [
    'a kind of ours that is no Capp',
    aWork(NAME, [{ ...SECRET, apiVersion: 'rcs.dana.io/v1alpha1', kind: 'CappConfig' }]),
  ],
  [
    'a Role that lets write pods',
    aWork(NAME, [role({ apiGroups: [''], resources: ['pods'], verbs: ['create'] })]),
  ],
  [
    'a Role that lets read Secrets',
    aWork(NAME, [role({ apiGroups: [''], resources: ['secrets'], verbs: ['get'] })]),
  ],
  ['a Role for all', aWork(NAME, [role({ apiGroups: ['*'], resources: ['*'], verbs: ['*'] })])],
  [
    'a Role for pods of any group',
    aWork(NAME, [role({ apiGroups: ['', '*'], resources: ['pods'], verbs: ['get'] })]),
  ],
  [
    'a Role that lets use every account',
    aWork(NAME, [role({ apiGroups: [''], resources: ['serviceaccounts'], verbs: ['use'] })]),
  ],
  [
    'a Role that lets impersonate an account',
    aWork(NAME, [
      role({
        apiGroups: [''],
        resources: ['serviceaccounts'],
        verbs: ['use', 'impersonate'],
        resourceNames: ['a'],
      }),
    ]),
  ],
  ['a ClusterRole', aWork(NAME, [rbac('ClusterRole', { rules: [] })])],
  ['a binding to cluster-admin', aWork(NAME, [binding('ClusterRole', 'cluster-admin')])],
  ['a binding to a Role of the site', aWork(NAME, [binding('Role', 'admin')])],
  [
    'things of two namespaces',
    aWork(NAME, [SECRET, { ...SECRET, metadata: { namespace: 'kube-system', name: 'db' } }]),
  ],
  [
    'a Namespace and what is in another',
    aWork(NAME, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } }, SECRET]),
  ],
  [
    'a Secret of the site that is to be reported',
    aWork(NAME, [SECRET], {
      manifestConfigs: [
        {
          resourceIdentifier: { group: '', resource: 'secrets', namespace: NS, name: 'db' },
          updateStrategy: { type: 'ReadOnly' },
          feedbackRules: [{ type: 'JSONPaths', jsonPaths: [{ name: 'p', path: '.data.password' }] }],
        },
      ],
    }),
  ],
  ['another Secret in an identity', aWork('cappstan-agent-identity', [SECRET])],
  [
    'an identity of another namespace',
    aWork('cappstan-agent-identity', [
      { ...SECRET, metadata: { namespace: 'kube-system', name: identitySecret('h') } },
    ]),
  ],
];
