// The rights of each ServiceAccount of the chart on a site: exactly those that its process uses, and none
// that would do harm.
import { AGENT_CLAIMS } from '../../../../crds/ocm/cluster-claim.ts';
import { cappsExecutor, cappsExecutorClaim } from '../../../../crds/ocm/executors.ts';
import {
  forHub,
  forSite,
  installAll,
  startCluster,
  type Cluster,
  SITE_AGENT,
} from '../../../support/servers/chart/chart.ts';
import {
  ALL_PROCESSES,
  FIGURES,
  hasItsRights,
  OCM,
  SITE_NAMESPACE,
  type Process,
} from '../../../support/servers/chart/process-rights.ts';
import { accountOf, rightsOf } from '../../../support/servers/api/rights.ts';

/** Of the hub that the chart is rendered for. */
const EXECUTOR = cappsExecutor('hub-under-test');
/** The name without the hub is that of an earlier version. */
const CLAIMS = [...AGENT_CLAIMS, cappsExecutorClaim('hub-under-test')];

const PROCESSES: readonly Process[] = [
  {
    account: accountOf(SITE_NAMESPACE, SITE_AGENT),
    everywhere: [
      'create clusterclaims.cluster.open-cluster-management.io',
      `delete get patch clusterclaims.${OCM} named ${CLAIMS.toSorted().join(', ')}`,
      `get clusterrolebindings.rbac.authorization.k8s.io named ${EXECUTOR}`,
      `get clusterroles.rbac.authorization.k8s.io named ${EXECUTOR}`,
      'get customresourcedefinitions.apiextensions.k8s.io named services.serving.knative.dev',
      'list resourcequotas',
      'list storageclasses.storage.k8s.io',
      'get cappconfigs.rcs.dana.io named capp-config',
      'get configmaps named autoscale-defaults, cappstan-hub, dns-config',
      'get list watch capps.rcs.dana.io',
      'get list watch services.serving.knative.dev',
      'list watch nodes',
      'list watch pods',
    ],
    within: { [FIGURES.namespace]: [`get configmaps named ${FIGURES.name}`] },
    never: {
      'write a Capp': 'patch capps.rcs.dana.io apps/app',
      "write a Capp's status": 'patch capps.rcs.dana.io/status apps/app',
      'give itself rights': `patch clusterroles.rbac.authorization.k8s.io ${EXECUTOR}`,
      'change what the site claims to be': 'patch clusterclaims.cluster.open-cluster-management.io id.k8s.io',
      'read a Secret': 'get secrets apps/db',
      'raise a quota': 'patch resourcequotas apps/small',
      'read another ConfigMap': `get configmaps ${FIGURES.namespace}/cluster-info`,
      'delete a Pod': 'delete pods apps/app-1',
      'write a Knative Service': 'patch services.serving.knative.dev apps/app',
      'cordon a node': 'patch nodes node-1',
    },
  },
  {
    account: accountOf(SITE_NAMESPACE, 'cappstan-site'),
    everywhere: [
      'create delete list patch watch certificates.cert-manager.io',
      'create delete list patch watch cnamerecords.record.dns-v2.m.crossplane.io',
      'create delete get list patch watch cnamerecords.record.dns.crossplane.io',
      'create delete get list watch capprevisions.rcs.dana.io',
      'create delete list patch watch domainmappings.serving.knative.dev',
      'create delete list patch watch kafkasources.sources.knative.dev',
      'create delete list patch watch nfspvcs.nfspvc.dana.io',
      'create delete list patch watch pingsources.sources.knative.dev',
      'create delete list patch watch services.serving.knative.dev',
      'create delete list patch watch syslogngflows.logging.banzaicloud.io',
      'create delete list patch watch syslogngoutputs.logging.banzaicloud.io',
      'create events.events.k8s.io',
      'create delete get list resourcequotas',
      'delete get list watch namespaces',
      'get configmaps named kube-root-ca.crt',
      'get serviceaccounts named default',
      'list watch cappconfigs.rcs.dana.io',
      // No CRD of it is brought, unless the chart's addon.sealing is set.
      'list watch cappsecrets.rcs.dana.io',
      'list watch configmaps named autoscale-defaults, dns-config',
      'list watch configmaps named config-features',
      'list patch watch capps.rcs.dana.io',
      'list watch pods',
      'list watch revisions.serving.knative.dev',
      'patch capps.rcs.dana.io/status',
    ],
    within: {
      [SITE_NAMESPACE]: ['create configmaps', 'get configmaps named cappstan-namespaces'],
    },
    never: {
      'make a Capp': 'create capps.rcs.dana.io apps/app',
      'delete a Capp': 'delete capps.rcs.dana.io apps/app',
      'change what a Capp was': 'patch capprevisions.rcs.dana.io apps/app-00001',
      'get a Secret by name': 'get secrets apps/db',
      'W-53 list Secrets': 'list secrets apps/',
      'watch Secrets': 'watch secrets apps/',
      'list ConfigMaps': 'list configmaps apps/',
      'read a kind that it does not know': 'list widgets.example.com apps/',
      'write a Secret': 'create secrets apps/db',
      'delete the Secret of a certificate': 'delete secrets apps/shop.example.com-tls',
      'open a Namespace to Capps': 'patch namespaces apps',
      'change its record of open Namespaces': `patch configmaps ${SITE_NAMESPACE}/cappstan-namespaces`,
      'make a Pod': 'create pods apps/app-1',
      'make a namespace': 'create namespaces apps',
      'give itself rights': 'patch clusterroles.rbac.authorization.k8s.io cappstan-site',
    },
  },
];

let site: Cluster;
beforeAll(async () => {
  site = await startCluster('site');
  await installAll(site.kube, forSite(await forHub(ALL_PROCESSES)));
}, 300_000);
afterAll(() => site?.stop());

describe.each(PROCESSES)('$account.name', (one) => {
  test('has the rights that it uses, and no others', () => hasItsRights(site, one));

  test.each(Object.entries(one.never))('may not %s', async (_, act) => {
    expect(await rightsOf(site, one.account).mayDo(act)).toBe(false);
  });
});
