// What the hub reads of a work once more before it publishes that a Capp is Ready.
import { withLatestFacts } from '../../../../activities/hub/status/work-facts.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { policy, refusedWork } from '../../../support/builders/hub/refused-works.ts';
import { aCopy, aFinding, aState } from '../../../support/builders/states.ts';

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
    const { kube } = live(refusedWork({ 1: policy('cappstan-not-ours') }));
    expect((await withLatestFacts(kube, ready())).copies['site-1']?.work?.refused?.reason).toBe('NotOurs');
  });

  const unsaid = refusedWork({ 1: policy('cappstan-not-ours') }, { observed: 1 });

  test("the hub waits for OCM's Applied condition of the newest generation, even if that comes after the agent's report", async () => {
    const { kube, asked } = live(unsaid, unsaid, refusedWork({ 1: policy('cappstan-not-ours') }));
    expect((await withLatestFacts(kube, ready())).copies['site-1']?.work?.refused?.reason).toBe('NotOurs');
    expect(asked).toHaveLength(3);
  });

  test("the status is published without OCM's condition when that does not come in time", async () => {
    const { kube, asked } = live(unsaid);
    expect((await withLatestFacts(kube, ready())).copies['site-1']?.work).toEqual(facts);
    expect(asked.length).toBeLessThan(7);
  });

  test("the work is read only once when OCM's condition is there", async () => {
    const { kube, asked } = live(refusedWork({}));
    expect((await withLatestFacts(kube, ready())).copies['site-1']?.work?.applied).toBe('True');
    expect(asked).toHaveLength(1);
  });

  test('the conditions of another work with its name are ignored', async () => {
    const former = refusedWork({ 1: policy('cappstan-not-ours') });
    const { kube } = live({ ...former, metadata: { ...former.metadata, uid: 'another' } });
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
