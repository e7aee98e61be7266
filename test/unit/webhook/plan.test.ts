// Plans that many ask for at once: one is made at a time, and whoever cannot wait is told so.
import { PATHS } from '../../../admission/router.ts';
import type { AdmissionRequest } from '../../../admission/request.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { PLAN } from '../../../crds/labels.ts';
import type { Resource } from '../../../kube/resource.ts';
import { planner } from '../../../workers/webhook/plan.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';

const KEY = { namespace: 'system', name: 'config' };

function asking(given: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const made = aSet('shop', {}, 'retail');
  const object = { ...made, metadata: { ...made.metadata, annotations: { [PLAN]: 'yes' } } };
  return {
    operation: 'CREATE',
    namespace: 'retail',
    name: 'shop',
    username: 'alice',
    object,
    oldObject: null,
    dryRun: true,
    ...given,
  };
}

/** Lists nothing, and answers only when somebody waits in `answered`. */
function slowHub() {
  const waiting: (() => void)[] = [];
  const lists: string[] = [];
  const list = async ({ kind }: Resource) => {
    lists.push(kind);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { items: [], resourceVersion: '1' };
  };
  const kube = { list, get: async () => null, getMetadata: async () => null } as unknown as Parameters<
    typeof planner
  >[0];
  const letGo = async (): Promise<void> => {
    for (const go of waiting.splice(0)) go();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const answered = async <T>(answers: readonly Promise<T>[]): Promise<T[]> => {
    const over = new AbortController();
    const all = Promise.all(answers).finally(() => over.abort());
    while (!over.signal.aborted) await letGo();
    return all;
  };
  return { kube, answered, capps: () => lists.filter((kind) => kind === CAPP.kind).length };
}

test('of 200 that ask at once one lists Capps, four wait, and the others are told to ask again', async () => {
  const { kube, answered, capps } = slowHub();
  const plan = planner(kube, KEY);
  const answers = Array.from({ length: 200 }, () => plan(PATHS.mutateCappSet, asking()));
  const told = await Promise.all(answers.slice(5));
  expect(new Set(told)).toEqual(
    new Set(['{"failed":"Others ask for plans at this moment. Ask again in a few seconds."}']),
  );
  expect(capps()).toBe(1);
  for (const answer of await answered(answers.slice(0, 5))) expect(answer).not.toContain('Others ask');
  expect(capps()).toBe(5);
  expect(await answered([plan(PATHS.mutateCappSet, asking())])).not.toContainEqual(
    expect.stringContaining('Others ask'),
  );
});

test.each<[string, Partial<AdmissionRequest>]>([
  ['without a namespace', { namespace: '' }],
  ['with a namespace that leads out of itself', { namespace: '..' }],
  ['with a namespace that no hub has', { namespace: 'n'.repeat(64) }],
  ['that is no dry run', { dryRun: false }],
  ['of another kind', {}],
  ['that asks for no plan', { object: aSet('shop', {}, 'retail') }],
])('a request %s lists nothing', async (how, given) => {
  const { kube, capps } = slowHub();
  const path = how === 'of another kind' ? PATHS.mutateCapp : PATHS.mutateCappSet;
  expect(await planner(kube, KEY)(path, asking(given))).toBeNull();
  expect(capps()).toBe(0);
});
