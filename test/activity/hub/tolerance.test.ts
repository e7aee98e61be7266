// The hub worker beside others: a newer CRD than it knows, other clients' fields, and a second hub worker at
// the same moment.
import { ApplicationFailure } from '@temporalio/common';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { EVENT, type Event } from '../../../crds/kubernetes/core.ts';
import { CAPP_DEFINITION } from '../../../crds/definitions/definitions.ts';
import { FINALIZER } from '../../../crds/labels.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { Failure } from '../../../workflows/failures.ts';
import type { Applied } from '../../../workflows/ports/applied.ts';
import { initialState, type CappRef, type State } from '../../../workflows/capp/state.ts';
import { capp } from '../../../testbed/capps.ts';
import { serve } from '../../support/servers/api/definitions.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { APPS, startHub, type HubForTests } from '../../support/testbeds/hub/hub.ts';
import { aCopy } from '../../support/builders/states.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
  await serve(stage.kube, newer(CAPP_DEFINITION), CAPP);
}, 300_000);
afterAll(() => stage?.stop());

/** The CRD with one more field in the spec and one in the status, as a later version may have them. */
function newer(definition: KubeObject): KubeObject {
  const copy = structuredClone(definition) as KubeObject & {
    spec: { versions: [{ schema: { openAPIV3Schema: Schema } }] };
  };
  const { spec, status } = copy.spec.versions[0].schema.openAPIV3Schema.properties ?? {};
  for (const part of [spec, status]) Object.assign(part?.properties ?? {}, { later: { type: 'string' } });
  return copy;
}

interface Schema {
  readonly properties?: Record<string, Schema>;
}

function placed(ref: CappRef): State {
  const copy = aCopy({ stamp: null, generation: 0, finding: null, work: null });
  return {
    ...initialState(ref),
    serving: 'site-1',
    placing: { reason: 'Chosen', message: 'chosen' },
    copies: { 'site-1': copy },
  };
}

async function make(name: string): Promise<CappRef> {
  const plain = capp({ namespace: APPS, name });
  const metadata = { ...plain.metadata, annotations: { theirs: 'kept' }, finalizers: ['theirs/finalizer'] };
  const create = () =>
    stage.kube.create<Capp>(CAPP, { ...plain, metadata, spec: { ...plain.spec, later: 'kept' } } as Capp);
  const made = await eventually(async () => {
    const created = await create();
    if ('later' in created.spec) return created;
    await stage.kube.patch(CAPP, { namespace: APPS, name }, { metadata: { finalizers: null } });
    await stage.kube.remove(CAPP, { namespace: APPS, name });
    return undefined;
  });
  return { namespace: APPS, name, uid: made.metadata.uid ?? '' };
}

test('W10 fields of a newer CRD, annotations and finalizers of other clients stay', async () => {
  const ref = await make('tolerant');
  await stage.kube.patch(CAPP, ref, { status: { later: 'kept' } }, { subresource: 'status' });
  await stage.hub.apply(ref, 'site-1', placed(ref), null);
  const after = (await stage.read(ref)) as Capp & { spec: { later?: string }; status?: { later?: string } };
  expect(after.metadata).toMatchObject({
    annotations: { theirs: 'kept' },
    finalizers: ['theirs/finalizer', FINALIZER],
  });
  expect([after.spec.later, after.status?.later]).toEqual(['kept', 'kept']);
  expect(after.status?.applicationLinks?.site).toBe('site-1');
});

test('W25 concurrent applies of one Capp make one work, and no Warning event', async () => {
  const ref = await stage.make({ name: 'raced' });
  const ship = (): Promise<Applied> =>
    eventually(() =>
      stage.hub.apply(ref, 'site-1', placed(ref), null).catch((error: unknown) => againAfter(error)),
    );
  const outcomes = await Promise.all([ship(), ship(), ship()]);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['Applied', 'Applied', 'Applied']);
  expect(outcomes.filter((one) => one.outcome === 'Applied' && one.created).length).toBeLessThanOrEqual(1);
  expect(new Set(outcomes.map((one) => one.outcome === 'Applied' && one.stamp)).size).toBe(1);
  await stage.events.queue.idle();
  const { items } = await stage.kube.list<Event>(EVENT, { namespace: APPS });
  expect(items.filter(({ regarding, type }) => regarding.name === 'raced' && type === 'Warning')).toEqual([]);
});

/** Retries after a conflict, as Temporal does. */
function againAfter(error: unknown): undefined {
  if (!(error instanceof ApplicationFailure) || error.type !== Failure.Conflict) throw error;
  return undefined;
}
