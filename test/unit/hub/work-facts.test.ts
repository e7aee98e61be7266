// What the hub takes from the word of a site's work agent: that its own policies have refused something, and
// of what it was, nothing but what it shipped.
import { factsOf, withLatestFacts } from '../../../activities/hub/status/work-facts.ts';
import type { ManifestWork } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { aCopy, aFinding, aState } from '../../support/builders/states.ts';

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

/** A work of which these were refused, by their place in it. */
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

test('an object of others that has the name of ours is named, as it was shipped, with the remedy', () => {
  const { refused } = factsOf(work({ 1: policy('cappstan-not-ours') }));
  expect(refused?.reason).toBe('NotOurs');
  expect(refused?.message).toMatch(
    /^Secret db is on site-1 already and is not Cappstan's, so it stays as it is\./,
  );
  expect(refused?.message).toContain('kubectl -n apps label secret db rcs.dana.io/managed-by=rcs');
  expect(JSON.stringify(refused)).not.toMatch(/c4n4ry|orged/);
});

test('of many the first is named and the others are counted', () => {
  const { refused } = factsOf(work({ 1: policy('cappstan-not-ours'), 2: policy('cappstan-not-ours') }));
  expect(refused?.message).toMatch(/^Secret db \(and 1 more\) is on site-1 already/);
});

test('a site of another hub is called that, whatever else it refused', () => {
  const { refused } = factsOf(work({ 1: policy('cappstan-not-ours'), 3: policy('cappstan-one-hub') }));
  expect(refused).toEqual({
    reason: 'OtherHub',
    message: expect.stringContaining('site-1 belongs to another Cappstan hub'),
  });
});

test.each<[string, ManifestWork]>([
  ['for another reason', work({ 1: 'Failed to apply manifest: no such kind' })],
  ['in an earlier generation', work({ 1: policy('cappstan-not-ours') }, { observed: 1 })],
  ['of a policy that is none of ours', work({ 1: policy('somebody-elses') })],
  ['beyond what the work carries', work({ 9: policy('cappstan-not-ours') })],
])('what was refused %s is not said to be of others', (_name, said) => {
  expect(factsOf(said).refused).toBeUndefined();
});

describe('of a Capp that its site calls Ready', () => {
  const facts = { uid: 'w', applied: 'Unknown', reason: '', withMore: true } as const;
  const ready = (given: object = {}) =>
    aState({
      serving: 'site-1',
      copies: { 'site-1': aCopy({ finding: aFinding(), work: { ...facts, ...given } }) },
    });
  /** Answers in this order, and with the last from then on. */
  const live = (...found: (ManifestWork | null)[]) => {
    const asked: string[] = [];
    const get = (_kind: unknown, { name }: { name: string }): Promise<ManifestWork | null> => {
      asked.push(name);
      return Promise.resolve(found[Math.min(asked.length, found.length) - 1] ?? null);
    };
    return { kube: { get: get as unknown as Kube['get'] }, asked };
  };

  test('the work is read once more before that is told', async () => {
    const { kube } = live(work({ 1: policy('cappstan-not-ours') }));
    expect((await withLatestFacts(kube, ready())).copies['site-1']?.work?.refused?.reason).toBe('NotOurs');
  });

  const unsaid = work({ 1: policy('cappstan-not-ours') }, { observed: 1 });

  test("OCM's word on what was shipped is waited for, though it comes after the site's", async () => {
    const { kube, asked } = live(unsaid, unsaid, work({ 1: policy('cappstan-not-ours') }));
    expect((await withLatestFacts(kube, ready())).copies['site-1']?.work?.refused?.reason).toBe('NotOurs');
    expect(asked).toHaveLength(3);
  });

  test('a word that does not come keeps nobody from being told', async () => {
    const { kube, asked } = live(unsaid);
    expect((await withLatestFacts(kube, ready())).copies['site-1']?.work).toEqual(facts);
    expect(asked.length).toBeLessThan(7);
  });

  test('a word that is there is not waited for', async () => {
    const { kube, asked } = live(work({}));
    expect((await withLatestFacts(kube, ready())).copies['site-1']?.work?.applied).toBe('True');
    expect(asked).toHaveLength(1);
  });

  test('another work under its name says nothing of it', async () => {
    const { kube } = live({
      ...work({ 1: policy('cappstan-not-ours') }),
      metadata: { ...metadata, uid: 'another' },
    });
    expect(await withLatestFacts(kube, ready())).toEqual(ready());
  });

  test.each<[string, object]>([
    ['the Capp came alone', { withMore: undefined }],
    ['all of it was applied', { applied: 'True' }],
  ])('nothing is read when %s', async (_name, given) => {
    const { kube, asked } = live(null);
    await withLatestFacts(kube, ready(given));
    expect(asked).toEqual([]);
  });
});
