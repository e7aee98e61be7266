// When a publication may rest on the cache, and what it leaves to a live read.
import { tellByCache, type ByCache } from '../../../../activities/hub/status/by-cache.ts';
import type { CappTold } from '../../../../activities/hub/status/happenings.ts';
import { isContestedSince, partsOf } from '../../../../activities/hub/status/status.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { DecisionRecord } from '../../../../crds/capp/decision.ts';
import { HAS_PLACEMENT } from '../../../../crds/labels.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { aTry } from '../../../support/builders/process/tries.ts';
import { aCopy, aPlacedState, NOW } from '../../../support/builders/states.ts';

const TOLD: CappTold = { record: null, mirror: null, at: NOW };
const before = aPlacedState({}, { finding: null });
const after: State = aPlacedState();

/** As the cache has it after a publication of `before`. */
function cached(metadata: object = {}): Capp {
  const capp = aCapp();
  const annotations = { [HAS_PLACEMENT]: 'site-1' };
  const known = { ...capp, metadata: { ...capp.metadata, annotations, resourceVersion: '7', ...metadata } };
  const { decisions: _none, ...status } = partsOf(known, before, TOLD).hub ?? {};
  return { ...known, status };
}

interface Told {
  readonly is: ByCache['is'];
  readonly patches: readonly unknown[];
  readonly events: number;
}

async function tell(
  capp: Capp | undefined,
  {
    state = after,
    told = TOLD,
    attempt = 1,
    code = 0,
    fields = [],
  }: Partial<Record<'state', State>> & {
    told?: CappTold;
    attempt?: number;
    code?: number;
    fields?: readonly string[];
  } = {},
): Promise<Told> {
  const patches: unknown[] = [];
  let events = 0;
  const patch = async (...given: readonly unknown[]): Promise<object> => {
    patches.push(given[2]);
    if (code !== 0)
      throw new ApiError({
        method: 'PATCH',
        path: '/capps/a/status',
        code,
        reason: code === 422 ? 'Invalid' : 'Conflict',
        fields,
      });
    return {};
  };
  const nothing = { by: () => [], get: () => undefined, list: () => [] };
  const caches = { capps: { ...nothing, get: () => capp }, works: nothing, clusters: nothing };
  const by = { kube: { patch }, events: { note: () => (events += 1) }, caches };
  const ref = { namespace: 'team', name: 'app', uid: aCapp().metadata.uid ?? '' };
  const given = by as unknown as Parameters<typeof tellByCache>[0];
  const { is } = await aTry({ attempt }).run(() => tellByCache(given, ref, state, told));
  return { is, patches, events };
}

const UNREAD = { is: 'Unread', patches: [], events: 0 };

test('what differs is one patch of the version that the cache has', async () => {
  const { is, patches } = await tell(cached());
  expect([is, patches.length]).toEqual(['Told', 1]);
  expect(patches[0]).toContainEqual({ op: 'replace', path: '/metadata/resourceVersion', value: '7' });
});

test.each([409, 422])('a late cache tells nothing, neither a status nor an event: %i', async (code) => {
  expect(await tell(cached(), { code })).toMatchObject({ is: 'Late', events: 0 });
});

test('a status that the API server calls invalid is thrown', async () => {
  const invalid = tell(cached(), { code: 422, fields: ['status.sites: FieldValueInvalid'] });
  await expect(invalid).rejects.toThrow('422');
});

test('a refusal that reading does not mend is thrown', async () => {
  await expect(tell(cached(), { code: 500 })).rejects.toThrow('500');
});

const RECORD = { cluster: 'site-1', candidates: [], excluded: [] } as unknown as DecisionRecord;

test.each<[string, () => Promise<Told>]>([
  ['that the cache does not have', () => tell(undefined)],
  ['that the cache has under another uid', () => tell(cached({ uid: 'another' }))],
  ['whose status is not there yet', () => tell({ ...cached(), status: {} })],
  ['for which nothing differs', () => tell(cached(), { state: before })],
  ['whose annotation names another site', () => tell(cached({ annotations: {} }))],
  ['with a decision, which no cache keeps', () => tell(cached(), { told: { ...TOLD, record: RECORD } })],
  ['that an earlier try may have written', () => tell(cached(), { attempt: 2 })],
  [
    'that is to serve where nothing allows it',
    () =>
      tell(cached({ annotations: { [HAS_PLACEMENT]: 'site-2' } }), {
        state: { ...after, serving: 'site-2', copies: { 'site-2': aCopy() } },
      }),
  ],
])('a Capp %s is read', async (_, telling) => {
  expect(await telling()).toEqual(UNREAD);
});

test('who else wrote since the cache saw the Capp decides, unless this state is known to be newer', () => {
  const at = (time: number) => new Date(time).toISOString();
  const known = cached();
  const live = (status: Capp['status']): Capp => ({ ...known, status: { ...known.status, ...status } });
  const other = live({ ...partsOf(known, after, TOLD).hub, migration: { decidedAt: at(NOW) } });
  const decided = (statusDecidedAt: number): State => ({ ...after, statusDecidedAt });
  expect(isContestedSince(known, live({ decisions: [] }), decided(0))).toBe(false);
  expect(isContestedSince(known, other, decided(0))).toBe(true);
  expect(isContestedSince(known, other, decided(NOW))).toBe(true);
  expect(isContestedSince(known, other, decided(NOW + 1))).toBe(false);
});
