// What the hub takes from the conditions that a site's work agent writes on a work: that Cappstan's admission
// policies refused an object, named only as the hub shipped it.
import { factsOf } from '../../../../activities/hub/status/work-facts.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { CARRIED, policy, refusedWork } from '../../../support/builders/hub/refused-works.ts';

test('an object that exists on the site under another owner is named as it was shipped, with the kubectl command that helps', () => {
  const { refused } = factsOf(refusedWork({ 1: policy('cappstan-not-ours') }));
  expect(refused?.reason).toBe('NotOurs');
  expect(refused?.message).toMatch(
    /^Secret db already exists on site-1 and does not belong to Cappstan, so it is left unchanged\./,
  );
  expect(refused?.message).toContain('kubectl -n apps label secret db rcs.dana.io/managed-by=rcs');
  expect(JSON.stringify(refused)).not.toMatch(/c4n4ry|orged/);
});

test('of several refused objects the first is named and the others are counted', () => {
  const { refused } = factsOf(
    refusedWork({ 1: policy('cappstan-not-ours'), 2: policy('cappstan-not-ours') }),
  );
  expect(refused?.message).toMatch(/^Secret db \(and 1 more\) already exists on site-1/);
});

test('a site that belongs to another hub is reported as OtherHub, whatever else it refused', () => {
  const { refused } = factsOf(refusedWork({ 1: policy('cappstan-not-ours'), 3: policy('cappstan-one-hub') }));
  expect(refused).toEqual({
    reason: 'OtherHub',
    message: expect.stringContaining('site-1 belongs to another Cappstan hub'),
  });
});

test('a name that another hub has on the site is reported with that hub, and nothing else that the site says', () => {
  const taken = (hub: string): string =>
    `x is forbidden: ValidatingAdmissionPolicy 'cappstan-one-hub-v2-1' with binding 'b' denied request: Capp forged of this site belongs to the Cappstan hub ${hub}; take another name`;
  const { refused } = factsOf(refusedWork({ 3: taken('hub-a') }));
  expect(refused).toEqual({
    reason: 'OtherHub',
    message:
      'site-1 already has Capp app of hub hub-a, and keeps it. Take another name, or name another site in spec.site.',
  });
  for (const forged of ['<b>', 'a,b', 'x'.repeat(64), '-a'])
    expect(factsOf(refusedWork({ 3: taken(forged) })).refused?.message).toContain(
      'site-1 belongs to another',
    );
});

test('an agent that the site has let in for another hub is reported with that hub and the command that corrects it', () => {
  const letIn = (agent: string, hub: string): string =>
    `x is forbidden: ValidatingAdmissionPolicy 'cappstan-one-hub-v2-1' with binding 'b' denied request: This site belongs to the Cappstan hub hub-a, and Capp forged is of hub forged. Its agent ${agent} is let in for hub ${hub}. If that id is wrong, c4n4ry`;
  const labelled = CARRIED.map(({ metadata: named, ...rest }) => ({
    ...rest,
    metadata: { ...named, labels: { 'rcs.dana.io/hub': 'hub-b' } },
  }));
  const saying = (words: string) => factsOf(refusedWork({ 3: words }, { carried: labelled })).refused;
  expect(saying(letIn('customer.klusterlet-work-sa', 'hub-c'))).toEqual({
    reason: 'OtherHub',
    message:
      'site-1 has let this hub\'s agent in for another hub (hub-c), and refuses works of this one (hub-b). If that is wrong, have an admin of site-1 correct the record there: kubectl -n open-cluster-management-agent-addon patch configmap cappstan-hub --type merge -p \'{"data":{"customer.klusterlet-work-sa":"hub-b"}}\'',
  });
  for (const [agent, hub] of [['x"; rm', 'hub-c'] as const, ['a.b-work-sa', '<b>'] as const])
    expect(saying(letIn(agent, hub))?.message).toContain('site-1 belongs to another Cappstan hub (hub-a)');
});

test('a Namespace of another hub is reported with that hub and the command by which the site opens it', () => {
  const said =
    "x is forbidden: ValidatingAdmissionPolicy 'cappstan-own-namespaces-v1-1' with binding 'b' denied request: Namespace forged of this site belongs to the Cappstan hub hub-a, whose Secrets are there. c4n4ry";
  const { refused } = factsOf(refusedWork({ 1: said, 3: said }));
  expect(refused).toMatchObject({
    reason: 'OtherHub',
    message: expect.stringMatching(
      /^Namespace apps of site-1 belongs to hub hub-a, .*kubectl label namespace apps rcs\.dana\.io\/other-hubs=allowed$/,
    ),
  });
  expect(JSON.stringify(refused)).not.toMatch(/c4n4ry|orged/);
});

test('a Namespace without a label is reported with the command by which the site says that it is of this hub', () => {
  const labelled = CARRIED.map(({ metadata: named, ...rest }) => ({
    ...rest,
    metadata: { ...named, labels: { 'rcs.dana.io/hub': 'hub-b' } },
  }));
  const saying = (words: string) =>
    factsOf(refusedWork({ 1: words }, { carried: labelled })).refused ?? { reason: '', message: '' };
  const by = (name: string, words: string): string =>
    `x is forbidden: ValidatingAdmissionPolicy '${name}-1' with binding 'b' denied request: Namespace forged ${words} c4n4ry`;
  const own = (words: string) => saying(by('cappstan-own-namespaces-v1', words));
  const unlabelled = own('of this site bears the label of no hub that this site has, and');
  expect(own('of this site bears the label of no hub, and')).toEqual(unlabelled);
  const closed = saying(by('cappstan-open-namespaces-v1', 'of this site was not made for Capps of a hub.'));
  expect([unlabelled.reason, closed.reason]).toEqual(['OtherHub', 'NamespaceClosed']);
  // Another hub's label may be there, which kubectl replaces only when it is told to.
  expect([unlabelled, closed].map(({ message }) => message.endsWith(' --overwrite'))).toEqual([true, false]);
  for (const { message } of [unlabelled, closed]) {
    expect(message).toMatch(
      /^Namespace apps of site-1 .*: kubectl label namespace apps rcs\.dana\.io\/hub-capps=allowed rcs\.dana\.io\/hub=hub-b(?: --overwrite)?$/,
    );
    expect(message).not.toMatch(/c4n4ry|orged/);
  }
});

describe('an object that the executor of the work may not apply', () => {
  // As OCM 1.2.1 says it.
  const said =
    'Failed to apply manifest: not allowed to apply the resource  secrets, apps db, will try again in 1m0s';
  const escalated =
    'Failed to apply manifest: not allowed to apply the resource rbac.authorization.k8s.io roles, apps app-logs-reader, error: permission escalation, will try again in 1m0s';
  const executor = {
    subject: { type: 'ServiceAccount', serviceAccount: { namespace: 'add-on', name: 'cappstan-capps-1' } },
  } as const;
  const as = (one: ManifestWork): ManifestWork => ({
    ...one,
    spec: { workload: one.spec?.workload ?? {}, executor },
  });

  test.each([said, escalated])(
    'is named with the account and with where its rights are to be found: %s',
    (words) => {
      const { refused } = factsOf(as(refusedWork({ 1: words, 2: words })));
      expect(refused?.reason).toBe('NotAllowed');
      expect(refused?.message).toMatch(
        /^site-1 does not let ServiceAccount add-on\/cappstan-capps-1, .* apply Secret db \(and 1 more\)\. OCM tries again each minute\./,
      );
      expect(refused?.message).toContain('kubectl get clusterrole,clusterrolebinding cappstan-capps-1');
      expect(JSON.stringify(refused)).not.toMatch(/orged/);
    },
  );

  test('comes after what the policies of the site have refused', () => {
    const facts = factsOf(as(refusedWork({ 1: said, 3: policy('cappstan-one-hub') })));
    expect(facts).toMatchObject({ refused: { reason: 'OtherHub' }, isOthers: true });
  });
});

test.each<[string, ManifestWork]>([
  ['for another reason', refusedWork({ 1: 'Failed to apply manifest: no such kind' })],
  ['in an earlier generation', refusedWork({ 1: policy('cappstan-not-ours') }, { observed: 1 })],
  ['under an ordinal that the work does not have', refusedWork({ 9: policy('cappstan-not-ours') })],
])('an object that was refused %s is not reported as NotOurs', (_name, said) => {
  expect(factsOf(said).refused).toBeUndefined();
});
