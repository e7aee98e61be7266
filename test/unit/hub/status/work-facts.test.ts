// What the hub takes from the conditions that a site's work agent writes on a work: that Cappstan's admission
// policies refused an object, named only as the hub shipped it.
import { factsOf, withLatestFacts } from '../../../../activities/hub/status/work-facts.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { aCopy, aFinding, aState } from '../../../support/builders/states.ts';

const metadata = { name: 'mw-create-apps-app', namespace: 'site-1', uid: 'w', generation: 2 };
const manifest = (kind: string, name: string) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'apps' },
});
const CARRIED = [
  manifest('Namespace', 'apps'),
  manifest('Secret', 'db'),
  manifest('ConfigMap', 'settings'),
  manifest('Capp', 'app'),
];
const policy = (name: string): string =>
  `Failed to apply manifest: x is forbidden: ValidatingAdmissionPolicy '${name}-v1' with binding '${name}-v1' denied request: c4n4ry`;

/** A work of which the manifests with these ordinals were refused. */
function work(
  refused: Readonly<Record<number, string>>,
  { observed = 2, carried = CARRIED } = {},
): ManifestWork {
  const status = Object.keys(refused).length === 0 ? ('True' as const) : ('False' as const);
  const manifests = carried.map((_, ordinal) => {
    const message = refused[ordinal];
    const applied =
      message === undefined ? { status: 'True' as const } : { status: 'False' as const, message };
    return {
      resourceMeta: { ordinal, kind: 'Forged', name: 'forged' },
      conditions: [{ type: 'Applied', ...applied }],
    };
  });
  const conditions = [
    { type: 'Applied', status, reason: 'AppliedManifestWorkFailed', observedGeneration: observed },
  ];
  return {
    metadata,
    spec: { workload: { manifests: carried } },
    status: { conditions, resourceStatus: { manifests } },
  };
}

test('an object that exists on the site under another owner is named as it was shipped, with the kubectl command that helps', () => {
  const { refused } = factsOf(work({ 1: policy('cappstan-not-ours') }));
  expect(refused?.reason).toBe('NotOurs');
  expect(refused?.message).toMatch(
    /^Secret db already exists on site-1 and does not belong to Cappstan, so it is left unchanged\./,
  );
  expect(refused?.message).toContain('kubectl -n apps label secret db rcs.dana.io/managed-by=rcs');
  expect(JSON.stringify(refused)).not.toMatch(/c4n4ry|orged/);
});

test('of several refused objects the first is named and the others are counted', () => {
  const { refused } = factsOf(work({ 1: policy('cappstan-not-ours'), 2: policy('cappstan-not-ours') }));
  expect(refused?.message).toMatch(/^Secret db \(and 1 more\) already exists on site-1/);
});

test('a site that belongs to another hub is reported as OtherHub, whatever else it refused', () => {
  const { refused } = factsOf(work({ 1: policy('cappstan-not-ours'), 3: policy('cappstan-one-hub') }));
  expect(refused).toEqual({
    reason: 'OtherHub',
    message: expect.stringContaining('site-1 belongs to another Cappstan hub'),
  });
});

test('a name that another hub has on the site is reported with that hub, and nothing else that the site says', () => {
  const taken = (hub: string): string =>
    `x is forbidden: ValidatingAdmissionPolicy 'cappstan-one-hub-v2-1' with binding 'b' denied request: Capp forged of this site belongs to the Cappstan hub ${hub}; take another name`;
  const { refused } = factsOf(work({ 3: taken('hub-a') }));
  expect(refused).toEqual({
    reason: 'OtherHub',
    message:
      'site-1 already has Capp app of hub hub-a, and keeps it. Take another name, or name another site in spec.site.',
  });
  for (const forged of ['<b>', 'a,b', 'x'.repeat(64), '-a'])
    expect(factsOf(work({ 3: taken(forged) })).refused?.message).toContain('site-1 belongs to another');
});

test('an agent that the site has let in for another hub is reported with that hub and the command that corrects it', () => {
  const letIn = (agent: string, hub: string): string =>
    `x is forbidden: ValidatingAdmissionPolicy 'cappstan-one-hub-v2-1' with binding 'b' denied request: This site belongs to the Cappstan hub hub-a, and Capp forged is of hub forged. Its agent ${agent} is let in for hub ${hub}. If that id is wrong, c4n4ry`;
  const labelled = CARRIED.map(({ metadata: named, ...rest }) => ({
    ...rest,
    metadata: { ...named, labels: { 'rcs.dana.io/hub': 'hub-b' } },
  }));
  const saying = (words: string) => factsOf(work({ 3: words }, { carried: labelled })).refused;
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
  const { refused } = factsOf(work({ 1: said, 3: said }));
  expect(refused).toMatchObject({
    reason: 'OtherHub',
    message: expect.stringMatching(
      /^Namespace apps of site-1 belongs to hub hub-a, .*kubectl label namespace apps rcs\.dana\.io\/other-hubs=allowed$/,
    ),
  });
  expect(JSON.stringify(refused)).not.toMatch(/c4n4ry|orged/);
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
      const { refused } = factsOf(as(work({ 1: words, 2: words })));
      expect(refused?.reason).toBe('NotAllowed');
      expect(refused?.message).toMatch(
        /^site-1 does not let ServiceAccount add-on\/cappstan-capps-1, .* apply Secret db \(and 1 more\)\. OCM tries again each minute\./,
      );
      expect(refused?.message).toContain('kubectl get clusterrole,clusterrolebinding cappstan-capps-1');
      expect(JSON.stringify(refused)).not.toMatch(/orged/);
    },
  );

  test('comes after what the policies of the site have refused', () => {
    const facts = factsOf(as(work({ 1: said, 3: policy('cappstan-one-hub') })));
    expect(facts).toMatchObject({ refused: { reason: 'OtherHub' }, isOthers: true });
  });
});

test.each<[string, ManifestWork]>([
  ['for another reason', work({ 1: 'Failed to apply manifest: no such kind' })],
  ['in an earlier generation', work({ 1: policy('cappstan-not-ours') }, { observed: 1 })],
  ['under an ordinal that the work does not have', work({ 9: policy('cappstan-not-ours') })],
])('an object that was refused %s is not reported as NotOurs', (_name, said) => {
  expect(factsOf(said).refused).toBeUndefined();
});

/** Faults as an API server says them when there is one: without brackets. */
const SINGLE = [
  ['type', 'Unsupported value: "c4n4ry"'],
  ['spec', 'Forbidden: c4n4ry'],
  ['data', 'Too long: may not be more than 1048576 bytes'],
  ['data[tls.key]', 'Required value'],
  ['metadata.labels', 'Invalid value: "c4n4ry": a valid label must be an empty string'],
] as const;

test.each<[string, number, string, string]>([
  [
    'an immutable ConfigMap with other content',
    2,
    'ConfigMap "settings" is invalid: data: Forbidden: field is immutable when `immutable` is set',
    'site-1 refuses ConfigMap settings, and keeps what it had: it is immutable there. Give the new content a new name,',
  ],
  [
    'a Secret of another type',
    1,
    'Secret "db" is invalid: [type: Invalid value: "c4n4ry": field is immutable, data[tls.key]: Required value: c4n4ry]',
    'site-1 refuses Secret db, and keeps what it had: type (Invalid), data[tls.key] (Required): that cannot be changed there. Give the new content a new name,',
  ],
  ...SINGLE.map(([field, words]): [string, number, string, string] => [
    `a Secret whose ${field} cannot be so`,
    1,
    `Secret "db" is invalid: ${field}: ${words}`,
    `site-1 refuses Secret db, and keeps what it had: ${field} (`,
  ]),
  [
    'a Secret that gets another type',
    1,
    'Secret "db" is invalid: type: Invalid value: "c4n4ry": field is immutable',
    'site-1 refuses Secret db, and keeps what it had: type (Invalid): that cannot be changed there. Give the new content a new name,',
  ],
  [
    'a Secret whose value looks like a field',
    1,
    'Secret "db" is invalid: data: Invalid value: "\\"c4n4ry: Forbidden: c4n4ry: Required": no',
    'keeps what it had: data (Invalid). Correct it',
  ],
  [
    'a ConfigMap that a policy of the site refuses',
    2,
    `configmaps "settings" is forbidden: ValidatingAdmissionPolicy 'no-settings.example.com' with binding 'b' denied request: c4n4ry`,
    'site-1 refuses ConfigMap settings, and keeps what it had, by ValidatingAdmissionPolicy no-settings.example.com. Ask whoever runs site-1',
  ],
  [
    'a ConfigMap that a webhook of the site refuses',
    2,
    'admission webhook "validation.gatekeeper.sh" denied the request: [c4n4ry] no',
    'and keeps what it had, by webhook validation.gatekeeper.sh.',
  ],
  [
    'a Secret beyond a quota',
    1,
    'secrets "db" is forbidden: exceeded quota: few, requested: secrets=1, used: secrets=1, limited: secrets=1',
    'keeps what it had: ResourceQuota few of its namespace there is used up.',
  ],
  [
    'a Role that grants too much',
    2,
    'roles.rbac.authorization.k8s.io "x" is forbidden: user "system:serviceaccount:a:b" (groups=["c4n4ry"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
    "keeps what it had: whoever applies the hub's Capps there may not grant what it grants.",
  ],
  [
    'a list with an entry twice',
    2,
    'failed to create typed patch object (apps/settings; v1, Kind=ConfigMap): .a[name="c4n4ry"].env: duplicate entries for key [name="c4n4ry"]',
    'keeps what it had: a[name].env (duplicate entries). Correct it',
  ],
  [
    'a field that the site does not know',
    2,
    'failed to create typed patch object (apps/settings; v1, Kind=ConfigMap): .dat: field not declared in schema c4n4ry',
    'site-1 refuses ConfigMap settings, and keeps what it had: dat (field not declared). Correct it',
  ],
])('%s is reported as Rejected, with the field and without a value', (_name, ordinal, said, words) => {
  const { refused } = factsOf(work({ [ordinal]: `Failed to apply manifest: ${said}` }));
  expect(refused?.reason).toBe('Rejected');
  expect(refused?.message).toContain(words);
  expect(JSON.stringify(refused)).not.toMatch(/c4n4ry|orged/);
});

const POLICY = `configmaps "settings" is forbidden: ValidatingAdmissionPolicy 'no.example.com' with binding 'b' denied request: no`;
const QUOTA = 'secrets "db" is forbidden: exceeded quota: few, requested: secrets=1';
const GRANTS = 'roles "x" is forbidden: user "a" is attempting to grant RBAC permissions not currently held:';
const FAULT = 'Secret "db" is invalid: type: Invalid value: "a": field is immutable';
const DENIED = 'admission webhook "v.example.com" denied the request: no';

test.each<[string, Record<number, string>, true | undefined]>([
  ['a policy refuses', { 2: POLICY }, true],
  ['a quota has no room for', { 1: QUOTA }, true],
  ['needs rights that are missing', { 1: GRANTS }, true],
  ['a webhook denies', { 1: DENIED }, undefined],
  ['cannot be so', { 1: FAULT }, undefined],
  ['cannot be so, beside what a quota has no room for', { 1: QUOTA, 2: FAULT }, undefined],
])('what %s may pass, unless it is for good', (_what, said, mayPass) => {
  expect(factsOf(work(said)).refused).toMatchObject({ reason: 'Rejected' });
  expect(factsOf(work(said)).refused?.mayPass).toBe(mayPass);
});

describe('before Ready is published for a Capp that its agent reports as Ready', () => {
  const facts = { uid: 'w', applied: 'Unknown', reason: '', withMore: true } as const;
  const ready = (given: object = {}) =>
    aState({
      serving: 'site-1',
      copies: { 'site-1': aCopy({ finding: aFinding(), work: { ...facts, ...given } }) },
    });
  /** A client that answers in this order, and then repeats the last answer. */
  const live = (...found: (ManifestWork | null)[]) => {
    const asked: string[] = [];
    const get = (_kind: unknown, { name }: { name: string }): Promise<ManifestWork | null> => {
      asked.push(name);
      return Promise.resolve(found[Math.min(asked.length, found.length) - 1] ?? null);
    };
    return { kube: { get: get as unknown as Kube['get'] }, asked };
  };

  test('the work is read once more', async () => {
    const { kube } = live(work({ 1: policy('cappstan-not-ours') }));
    expect((await withLatestFacts(kube, ready())).copies['site-1']?.work?.refused?.reason).toBe('NotOurs');
  });

  const unsaid = work({ 1: policy('cappstan-not-ours') }, { observed: 1 });

  test("the hub waits for OCM's Applied condition of the newest generation, even if that comes after the agent's report", async () => {
    const { kube, asked } = live(unsaid, unsaid, work({ 1: policy('cappstan-not-ours') }));
    expect((await withLatestFacts(kube, ready())).copies['site-1']?.work?.refused?.reason).toBe('NotOurs');
    expect(asked).toHaveLength(3);
  });

  test("the status is published without OCM's condition when that does not come in time", async () => {
    const { kube, asked } = live(unsaid);
    expect((await withLatestFacts(kube, ready())).copies['site-1']?.work).toEqual(facts);
    expect(asked.length).toBeLessThan(7);
  });

  test("the work is read only once when OCM's condition is there", async () => {
    const { kube, asked } = live(work({}));
    expect((await withLatestFacts(kube, ready())).copies['site-1']?.work?.applied).toBe('True');
    expect(asked).toHaveLength(1);
  });

  test('the conditions of another work with its name are ignored', async () => {
    const { kube } = live({
      ...work({ 1: policy('cappstan-not-ours') }),
      metadata: { ...metadata, uid: 'another' },
    });
    expect(await withLatestFacts(kube, ready())).toEqual(ready());
  });

  test.each<[string, object]>([
    ['the work carries nothing but the Capp', { withMore: undefined }],
    ['the site has applied all of the work', { applied: 'True' }],
  ])('nothing is read when %s', async (_name, given) => {
    const { kube, asked } = live(null);
    await withLatestFacts(kube, ready(given));
    expect(asked).toEqual([]);
  });
});
