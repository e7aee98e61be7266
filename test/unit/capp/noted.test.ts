// When a wait notes a change of the order of commands: only where it has truly waited. One that ends at once
// stands behind whatever was done before it, which may be a local activity.
import { ASKED_FIRST } from '../../../workflows/capp/changes.ts';
import type { CappLife } from '../../../workflows/capp/life.ts';
import { rest } from '../../../workflows/capp/steps/wait.ts';
import { NOW } from '../../support/builders/states.ts';
import { after, BAD, moving, READY } from '../../support/builders/moving.ts';

/** Users were sent to a copy that has failed since. Returns what a rest notes. */
async function notedByRest(hasNews: boolean): Promise<string[]> {
  const by = { publish: async () => undefined };
  const noted = new Set<string>();
  const runtime = {
    now: () => NOW,
    isLong: () => false,
    until: async () => undefined,
    patched: () => true,
    localWrite: () => by,
    hub: () => by,
  };
  const life = {
    state: after(moving({}, READY, BAD)),
    runtime,
    noted,
    agent: { asking: () => [], hasNews: () => hasNews },
    verifier: { follow: () => undefined, hasNews: () => false },
    record: null,
    unpublished: null,
  } as unknown as CappLife;
  await rest(life, NOW + 1_000);
  return [...noted];
}

test('a rest that ends with a timer notes what it may lead to', async () => {
  expect(await notedByRest(false)).toEqual([ASKED_FIRST]);
});

test('a rest that has news at once notes nothing', async () => {
  expect(await notedByRest(true)).toEqual([]);
});
