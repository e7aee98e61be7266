// That a rollout goes back is in the status before any copy is written, and only when it turns round.
import { noteWayBack } from '../../../activities/hub/rollout/noted.ts';
import { memoryOf } from '../../../activities/hub/rollout/memory.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import type { Kube } from '../../../kube/client.ts';
import type { StagePlan, Rollout } from '../../../workflows/stages/types.ts';
import { begin } from '../../../workflows/stages/rollout.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const REQUEST = { what: 'retry', request: '#1', by: 'alice', at: new Date(NOW).toISOString() };
const FORWARD = begin(null, 'new', NOW);
const BACK: Rollout = { ...FORWARD, direction: 'Back', cause: 'A site failed.' };
const ADVANCE = [{ cluster: 'a' }] as unknown as StagePlan['advance'];

async function noting(before: Rollout, rollout: Rollout, advance: StagePlan['advance']) {
  const made = aSet('shop', {});
  const metadata = { ...made.metadata, uid: 'u', resourceVersion: '7' };
  const set: CappSet = { ...made, metadata, status: { ready: 4 } };
  const written: unknown[] = [];
  const apply = (_kind: unknown, object: unknown) => {
    written.push(object);
    return Promise.resolve({ ...set, metadata: { ...metadata, resourceVersion: '8' } });
  };
  const kube = { apply } as unknown as Pick<Kube, 'apply'>;
  const memory = { ...memoryOf(set, null), rollout: before };
  const turning = { plan: { advance, rollout }, memory, asked: [REQUEST], fieldManager: 'test' };
  return { noted: await noteWayBack(kube, CAPP_SET, set, turning), written };
}

test('the direction and its cause are added to what the status says, as it was read', async () => {
  const { noted, written } = await noting(FORWARD, BACK, ADVANCE);
  expect(written).toEqual([
    {
      metadata: { name: 'shop', namespace: 'apps', uid: 'u', resourceVersion: '7' },
      status: expect.objectContaining({
        ready: 4,
        rollout: expect.objectContaining({ direction: 'Back', cause: 'A site failed.' }) as unknown,
        asked: [REQUEST],
      }) as unknown,
    },
  ]);
  expect(noted).toMatchObject({ asked: [], object: { metadata: { resourceVersion: '8' } } });
});

test.each<[string, Rollout, Rollout, StagePlan['advance']]>([
  ['goes on forward', FORWARD, FORWARD, ADVANCE],
  ['was going back before', BACK, BACK, ADVANCE],
  ['turns round and has no copy to write', FORWARD, BACK, []],
])('nothing is written when it %s', async (_, before, rollout, advance) => {
  const { noted, written } = await noting(before, rollout, advance);
  expect(written).toEqual([]);
  expect(noted).toMatchObject({ asked: [REQUEST], object: { metadata: { resourceVersion: '7' } } });
});
