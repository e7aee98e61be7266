// What a plan or a drill deletes when it ends: the Drain that it made, as long as that is for its answer
// alone. The hub is a stand-in with one Drain, which changes between a read and a deletion.
import { deleteAnswer } from '../../../../cli/hub/objects/drains.ts';
import type { ConnectedHub } from '../../../../cli/hub/connection/hub.ts';
import type { Drain } from '../../../../crds/drain/drain.ts';
import { ENDS_AFTER } from '../../../../crds/labels.ts';
import { ApiError } from '../../../../kube/failure.ts';

const aDrain = (dryRun: boolean, resourceVersion: string): Drain =>
  ({
    metadata: { name: 'site-1', uid: 'u', resourceVersion, annotations: { [ENDS_AFTER]: '900' } },
    spec: { dryRun },
  }) as unknown as Drain;

/** Resolves with whether the Drain is gone. `next` is what becomes of it before the first deletion comes. */
async function ended(next: Drain | null): Promise<boolean> {
  let there: Drain | null = aDrain(true, '1');
  let isFirst = true;
  const kube = {
    get: async () => there,
    remove: async (_kind: unknown, _key: unknown, { resourceVersion }: { resourceVersion?: string }) => {
      if (isFirst && next !== null) there = next;
      isFirst = false;
      if (resourceVersion !== there?.metadata.resourceVersion)
        throw new ApiError({ method: 'DELETE', path: '/drains/site-1', code: 409, reason: 'Conflict' });
      there = null;
      return true;
    },
  };
  await deleteAnswer({ kube } as unknown as ConnectedHub, aDrain(true, '1'));
  return there === null;
}

test('the Drain of an answer goes when the command ends', async () => {
  expect(await ended(null)).toBe(true);
});

test('the Drain of an answer goes although its status was written between the read and the deletion', async () => {
  expect(await ended(aDrain(true, '2'))).toBe(true);
});

test('a Drain stays when somebody makes a drain of it between the read and the deletion', async () => {
  expect(await ended(aDrain(false, '2'))).toBe(false);
});
