// The history that the hub keeps of what it ships, on a real API server: a revision for each generation, the
// last ten, and what is noted of a rollback.
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { keepRevision, revisionOf } from '../../../../activities/hub/ship/revision.ts';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { CAPP_REVISION, numberOf, type CappRevision } from '../../../../crds/capp-revision.ts';
import {
  CAPP_OF_REVISION,
  LAST_UPDATED_BY,
  requestedBy,
  ROLLBACK,
  ROLLED_BACK_TO,
} from '../../../../crds/labels.ts';
import type { CappRef, State } from '../../../../workflows/capp/state.ts';
import { countingRequests } from '../../../support/testbeds/hub/counting.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { warranted } from '../../../support/testbeds/hub/warranted.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
}, 300_000);
afterAll(() => stage?.stop());

const kept = async ({ name }: { name: string }): Promise<CappRevision[]> => {
  const labelSelector = `${CAPP_OF_REVISION}=${name}`;
  const { items } = await stage.kube.list<CappRevision>(CAPP_REVISION, { namespace: APPS, labelSelector });
  return items.toSorted((a, b) => numberOf(a) - numberOf(b));
};
const numbers = async (ref: CappRef): Promise<number[]> => (await kept(ref)).map(numberOf);
const edit = (ref: CappRef, minReplicas: number, annotations: object = {}): Promise<Capp> =>
  stage.kube.patch<Capp>(CAPP, ref, { metadata: { annotations }, spec: { scaleSpec: { minReplicas } } });

/** Ships each edit; returns the state in which the last one has left the workflow. */
async function shipEdits(ref: CappRef, count: number): Promise<State> {
  let { state } = await stage.ship(ref);
  for (let edits = 1; edits <= count; edits += 1) {
    await edit(ref, edits);
    ({ state } = await stage.ship(ref, state));
  }
  return state;
}

test('each generation that is shipped becomes a revision with its number, its spec and its author, and of twelve the last ten stay', async () => {
  const ref = await stage.make({ name: 'kept' });
  await edit(ref, 0, { [LAST_UPDATED_BY]: 'alice' });
  await shipEdits(ref, 11);
  const all = await kept(ref);
  expect(all.map(numberOf)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  const { generation } = (await stage.read(ref)).metadata;
  expect(generation).toBe(13);
  const newest = all.at(-1);
  expect(newest?.spec).toMatchObject({
    revisionNumber: 13,
    cappTemplate: { cappSpec: (await stage.read(ref)).spec },
  });
  expect(newest?.metadata).toMatchObject({
    annotations: { [LAST_UPDATED_BY]: 'alice' },
    ownerReferences: [{ kind: 'Capp', uid: ref.uid }],
  });
});

test('what is shipped already, or to a second site, makes no request about revisions', async () => {
  const ref = await stage.make({ name: 'again' });
  const state = await shipEdits(ref, 1);
  const { asked, kube } = countingRequests(stage.kube);
  const apply = (site: string) =>
    hubApply({ kube, ...warranted(stage.caches), events: stage.events, audit: stage.audit }).apply(
      ref,
      site,
      state,
      null,
    );
  await apply('site-1');
  await apply('site-2');
  expect(asked.filter((one) => one.includes('CappRevision'))).toEqual([]);
  expect(await numbers(ref)).toEqual([1, 2]);
});

test('a try that is repeated after it was cut off makes nothing twice, and ends the trimming', async () => {
  const ref = await stage.make({ name: 'cut' });
  await shipEdits(ref, 11);
  // The try that made the eleventh was cut off before it trimmed.
  await edit(ref, 100);
  const capp = await stage.read(ref);
  await stage.kube.create(CAPP_REVISION, revisionOf(capp));
  expect(await numbers(ref)).toHaveLength(11);
  await keepRevision(stage.kube, capp);
  await keepRevision(stage.kube, capp);
  expect(await numbers(ref)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
});

test('a Capp that was deleted and made again has a history of its own, whatever the old one has left', async () => {
  const old = await stage.make({ name: 'twice' });
  const before = await stage.read(old);
  await keepRevision(stage.kube, before);
  await stage.kube.remove(CAPP, old);
  const ref = await stage.make({ name: 'twice' });
  expect(ref.uid).not.toBe(old.uid);
  await stage.ship(ref);
  const [only, ...more] = await kept(ref);
  expect(more).toEqual([]);
  expect(only?.metadata.ownerReferences).toMatchObject([{ uid: ref.uid }]);
});

test('revisions that cannot be kept, such as by a quota, hold up no rollout', async () => {
  const ref = await stage.make({ name: 'unkept' });
  const { kube } = countingRequests(stage.kube);
  const refusing = {
    ...kube,
    create: (resource: { kind: string }, ...rest: never[]) => {
      if (resource.kind === 'CappRevision')
        return stage.kube.create(
          { ...CAPP_REVISION, plural: 'nosuchkinds' },
          { metadata: { name: 'x', namespace: APPS } },
        );
      return kube.create(resource as never, ...(rest as [never]));
    },
  } as typeof kube;
  await keepRevision(refusing, await stage.read(ref));
  expect(await numbers(ref)).toEqual([]);
});

describe('a rollback that the API server has carried out', () => {
  const by = requestedBy(ROLLBACK);
  /** As the webhook does it: the spec in the same write as the request and its author. */
  const asked = async (ref: CappRef, value: string, minReplicas: number): Promise<void> =>
    void (await edit(ref, minReplicas, { [ROLLBACK]: value, [by]: 'alice' }));
  const lines = (name: string) =>
    stage.acts.filter(({ act, what }) => act === 'Rollback' && what.name === name);

  test('is noted once, in the audit, the status and the new revision', async () => {
    const ref = await stage.make({ name: 'back' });
    const state = await shipEdits(ref, 2);
    await asked(ref, '2#one it leaks', 1);
    const { state: after } = await stage.ship(ref, state);
    expect((await stage.read(ref)).status?.rollback).toMatchObject({
      id: 'one',
      to: 2,
      generation: 4,
      result: 'RolledBack',
      by: 'alice',
      why: 'it leaks',
    });
    const line = {
      act: 'Rollback',
      who: { via: 'Annotation', by: 'alice' },
      what: { kind: 'Capp', namespace: APPS, name: 'back', uid: ref.uid, revision: 2 },
      why: 'it leaks',
      result: 'RolledBack',
      occasion: 'one',
    };
    expect(lines('back')).toEqual([line]);
    expect((await kept(ref)).at(-1)?.metadata.annotations?.[ROLLED_BACK_TO]).toBe('2');
    await edit(ref, 7);
    await stage.ship(ref, after);
    expect(lines('back')).toEqual([line]);
    expect((await kept(ref)).at(-1)?.metadata.annotations?.[ROLLED_BACK_TO]).toBeUndefined();
    expect((await stage.read(ref)).status?.rollback?.generation).toBe(4);
  });

  test('and edited again before the hub has looked is not called rolled back', async () => {
    const ref = await stage.make({ name: 'raced' });
    const state = await shipEdits(ref, 2);
    await asked(ref, '2#two', 1);
    await edit(ref, 9);
    await stage.ship(ref, state);
    expect((await stage.read(ref)).status?.rollback).toMatchObject({ result: 'NotRolledBack', by: 'alice' });
    expect(lines('raced')).toMatchObject([{ result: 'NotRolledBack', who: { by: 'alice' } }]);
  });
});
