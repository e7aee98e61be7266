// The rights of each ServiceAccount of the chart on the hub: exactly those that its process uses, and none
// that would do harm.
import { RELEASE_NAMESPACE } from '../../../../deploy/local/cappstan/chart.ts';
import {
  forHub,
  installAll,
  startCluster,
  type Cluster,
  SITE_AGENT,
} from '../../../support/servers/chart/chart.ts';
import {
  ALL_PROCESSES,
  hasItsRights,
  OCM,
  SITE_NAMESPACE,
  WORKS,
  type Process,
} from '../../../support/servers/chart/process-rights.ts';
import { accountOf, rightsOf } from '../../../support/servers/api/rights.ts';

/** With `dns.records` alone. */
const RECORDS = ['cnamerecords.record.dns-v2.m.crossplane.io', 'cnamerecords.record.dns.crossplane.io'];

const PROCESSES: readonly Process[] = [
  {
    account: accountOf(RELEASE_NAMESPACE, 'cappstan-bridge'),
    everywhere: [
      // Everybody may read them.
      'create hubstatuses.rcs.dana.io',
      'get hubstatuses.rcs.dana.io named hub',
      'patch hubstatuses.rcs.dana.io/status named hub',
      'list watch bundles.rcs.dana.io',
      'list watch capps.rcs.dana.io',
      ...RECORDS.map((kind) => `list watch ${kind}`),
      'list watch cappsets.rcs.dana.io',
      'list watch baremetalhosts.metal3.io',
      'list watch sipclusters.airship.airshipit.org',
      'list watch configmaps',
      'list watch drains.rcs.dana.io',
      'list watch managedclusteraddons.addon.open-cluster-management.io',
      `list watch managedclusters.${OCM}`,
      `list watch managedclustersetbindings.${OCM}`,
      `list watch managedclustersets.${OCM}`,
      `list watch ${WORKS}`,
      `list watch placementdecisions.${OCM}`,
      `list watch placements.${OCM}`,
      'list watch rcsconfigs.rcs.dana.io',
      'list watch rolebindings.rbac.authorization.k8s.io',
      'list watch secrets',
      'list watch serviceaccounts',
    ],
    within: {},
    never: {
      'write a Capp': 'patch capps.rcs.dana.io apps/app',
      "write a Capp's status": 'patch capps.rcs.dana.io/status apps/app',
      "write a Drain's status": 'patch drains.rcs.dana.io/status site-1',
      'get a Secret by name': 'get secrets apps/db',
      'write a work': `create ${WORKS} site-1/mw-create-apps-app`,
      'delete a work': `delete ${WORKS} site-1/mw-create-apps-app`,
      'publish under another name': 'patch hubstatuses.rcs.dana.io/status other',
      'write an event': 'create events.events.k8s.io apps/app.1',
      'accept a cluster': `patch managedclusters.${OCM} site-1`,
    },
  },
  {
    account: accountOf(RELEASE_NAMESPACE, 'cappstan-hub'),
    everywhere: [
      'create events.events.k8s.io',
      ...RECORDS.map((kind) => `create delete list patch ${kind}`),
      `create delete execute-as get list patch watch ${WORKS}`,
      `create list watch addonplacementscores.${OCM}`,
      'get configmaps',
      'create delete get list capprevisions.rcs.dana.io',
      'create delete get list patch watch capps.rcs.dana.io',
      'create delete get list setrevisions.rcs.dana.io',
      'get patch cappsets.rcs.dana.io',
      'patch cappsets.rcs.dana.io/status',
      'update cappsets.rcs.dana.io/finalizers',
      'get patch bundles.rcs.dana.io',
      'patch bundles.rcs.dana.io/status',
      'update bundles.rcs.dana.io/finalizers',
      'create delete get list bundlerevisions.rcs.dana.io',
      'get list patch baremetalhosts.metal3.io',
      'list patch sipclusters.airship.airshipit.org',
      'patch sipclusters.airship.airshipit.org/status',
      'delete get list watch drains.rcs.dana.io',
      `get list watch managedclusters.${OCM}`,
      `list watch managedclustersetbindings.${OCM}`,
      `list watch managedclustersets.${OCM}`,
      'create get list watch serviceaccounts',
      'delete patch serviceaccounts named cappstan-agent',
      'create serviceaccounts/token named cappstan-agent',
      'get list watch namespaces',
      'get secrets',
      `list watch placementdecisions.${OCM}`,
      `list watch placements.${OCM}`,
      'list watch rcsconfigs.rcs.dana.io',
      'list watch rolebindings.rbac.authorization.k8s.io',
      `patch addonplacementscores.${OCM}/status`,
      'patch capps.rcs.dana.io/status',
      'patch drains.rcs.dana.io/status',
    ],
    within: {},
    never: {
      'empty a site of its own accord': 'create drains.rcs.dana.io site-1',
      'make DNS records of other types': 'create arecordsets.recordset.dns-v2.m.crossplane.io apps/app',
      'read the credentials of the DNS provider':
        'get clusterproviderconfigs.dns-v2.m.crossplane.io dns-default',
      'make a token of any other account': 'create serviceaccounts/token kube-system/admin',
      'list Secrets': 'list secrets',
      'watch the Secrets of a namespace': 'watch secrets apps/',
      'write a Secret': 'patch secrets apps/db',
      'list ConfigMaps': 'list configmaps',
      'make or delete a CappSet': 'delete cappsets.rcs.dana.io apps/shop',
      'change where Capps may go': `patch placements.${OCM} placements/default`,
      'decide in place of OCM': `patch placementdecisions.${OCM}/status placements/default-decision-1`,
      'taint or accept a cluster': `patch managedclusters.${OCM} site-1`,
      'change its own configuration': 'patch rcsconfigs.rcs.dana.io rcs-deployer-system/rcs-config',
      'give itself rights': 'patch clusterroles.rbac.authorization.k8s.io cappstan-hub',
      'write a Bundle of its own accord': 'create bundles.rcs.dana.io apps/base',
      'make or delete a host': 'create baremetalhosts.metal3.io metal/rdm9r006o001',
      'say what an operator found of a host': 'patch baremetalhosts.metal3.io/status metal/rdm9r006o001',
      'make or delete a SIPCluster': 'delete sipclusters.airship.airshipit.org metal/edge-7',
      'delete a Bundle': 'delete bundles.rcs.dana.io apps/base',
    },
  },
  {
    account: accountOf(RELEASE_NAMESPACE, 'cappstan-gateway'),
    everywhere: [
      'create tokenreviews.authentication.k8s.io',
      `get ${WORKS}`,
      `list watch managedclusters.${OCM}`,
    ],
    within: {
      [RELEASE_NAMESPACE]: [
        'create secrets',
        'get patch secrets named cappstan-gateway-certificate, cappstan-gateway-keys',
      ],
    },
    never: {
      'make a token': 'create serviceaccounts/token site-1/cappstan-agent',
      'write a work': `patch ${WORKS} site-1/mw-create-apps-app`,
      'see what all sites are sent': `list ${WORKS}`,
      'read a Capp': 'get capps.rcs.dana.io apps/app',
      "read a user's Secret": 'get secrets apps/db',
      'read the certificate for Temporal': `get secrets ${RELEASE_NAMESPACE}/temporal-client`,
      'accept a cluster': `patch managedclusters.${OCM} site-1`,
    },
  },
  {
    account: accountOf(RELEASE_NAMESPACE, 'cappstan-webhook'),
    everywhere: [
      'get patch mutatingwebhookconfigurations.admissionregistration.k8s.io named cappstan-webhook',
      'get patch validatingwebhookconfigurations.admissionregistration.k8s.io named cappstan-webhook',
      'get capprevisions.rcs.dana.io',
      'get namespaces named kube-system',
      'get bundlerevisions.rcs.dana.io',
      'get setrevisions.rcs.dana.io',
      'list watch drains.rcs.dana.io',
      `list placementdecisions.${OCM}`,
      'list watch capps.rcs.dana.io',
      `list watch managedclusters.${OCM}`,
      `list watch managedclustersetbindings.${OCM}`,
      `list watch managedclustersets.${OCM}`,
      `list watch placements.${OCM}`,
      'list watch rcsconfigs.rcs.dana.io',
    ],
    within: {
      [RELEASE_NAMESPACE]: ['create secrets', 'get patch secrets named cappstan-webhook-certificate'],
    },
    never: {
      'write a Capp': 'patch capps.rcs.dana.io apps/app',
      "read a user's Secret": 'get secrets apps/db',
      'read a Secret of its own namespace that is not its certificate': `get secrets ${RELEASE_NAMESPACE}/temporal-client`,
      'list Secrets, even its own': `list secrets ${RELEASE_NAMESPACE}/`,
      "change somebody else's webhook":
        'patch mutatingwebhookconfigurations.admissionregistration.k8s.io istio',
      'make a webhook': 'create mutatingwebhookconfigurations.admissionregistration.k8s.io cappstan-webhook',
      'see what sites are sent': `list ${WORKS}`,
    },
  },
  {
    account: accountOf(RELEASE_NAMESPACE, 'cappstan-notifier'),
    everywhere: [
      'get list watch notifications.rcs.dana.io',
      'list watch bundles.rcs.dana.io',
      'list watch capps.rcs.dana.io',
      'list watch cappsets.rcs.dana.io',
      'list watch drains.rcs.dana.io',
      `list watch managedclusters.${OCM}`,
      'list watch rcsconfigs.rcs.dana.io',
      'patch notifications.rcs.dana.io/status',
    ],
    // That of the whole hub; namespaces bind the same role themselves.
    within: { [RELEASE_NAMESPACE]: ['get secrets named cappstan-notifications'] },
    never: {
      'read an address that its namespace has not given it': 'get secrets apps/cappstan-notifications',
      'read another Secret of the release': `get secrets ${RELEASE_NAMESPACE}/temporal-client`,
      'list Secrets': `list secrets ${RELEASE_NAMESPACE}`,
      'write a Secret': `patch secrets ${RELEASE_NAMESPACE}/cappstan-notifications`,
      'see what sites are sent': `get ${WORKS} site-1/mw-create-apps-app`,
      'write a work': `patch ${WORKS} site-1/mw-create-apps-app`,
      'say whom to tell': 'create notifications.rcs.dana.io apps/chat',
      'list a host for itself': 'patch rcsconfigs.rcs.dana.io rcs-deployer-system/rcs-config',
      'approve a stage': 'patch cappsets.rcs.dana.io apps/shop',
      'say how an app is': 'patch capps.rcs.dana.io/status apps/app',
      'give itself rights': 'create rolebindings.rbac.authorization.k8s.io apps/cappstan-notifier',
    },
  },
];

let hub: Cluster;
beforeAll(async () => {
  hub = await startCluster('hub');
  await installAll(hub.kube, await forHub(ALL_PROCESSES));
}, 300_000);
afterAll(() => hub?.stop());

describe.each(PROCESSES)('$account.name', (one) => {
  test('has the rights that it uses, and no others', () => hasItsRights(hub, one));

  test.each(Object.entries(one.never))('may not %s', async (_, act) => {
    expect(await rightsOf(hub, one.account).mayDo(act)).toBe(false);
  });
});

test('the test distinguishes allowed from forbidden requests', async () => {
  const walker = rightsOf(hub, accountOf(RELEASE_NAMESPACE, 'cappstan-hub'));
  expect(await walker.mayDo('get secrets apps/db')).toBe(true);
  expect(await walker.mayDo('get namespaces apps')).toBe(true);
  expect(await walker.mayDo('delete namespaces apps')).toBe(false);
});

test.each([SITE_AGENT, 'cappstan-site'])('%s has no rights on the hub', async (name) => {
  expect(await rightsOf(hub, accountOf(SITE_NAMESPACE, name)).listIn('a-namespace-of-users')).toEqual([]);
});
