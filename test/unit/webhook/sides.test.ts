// What was noted of a Drain that was let in counts until the cache shows it, and no longer: a Drain that is
// deleted a moment later keeps nobody waiting.
import { nothingPending } from '../../../admission/pending.ts';
import type { Drain } from '../../../crds/drain/drain.ts';
import type { Change } from '../../../kube/watch/store.ts';
import { settleDrains } from '../../../workers/webhook/sides.ts';

function noted() {
  const pending = nothingPending();
  const listeners: ((event: Change<Drain>) => void)[] = [];
  settleDrains(
    { subscribe: (listener: (event: Change<Drain>) => void) => void listeners.push(listener) } as never,
    pending,
  );
  const now = Date.now();
  for (const name of ['site-1', 'site-2'])
    pending.drains.note(name, { namespace: '', name, deleting: false }, now);
  const shown = (name: string, dryRun: boolean): void => {
    const object = { metadata: { name }, spec: { dryRun } } as Drain;
    for (const listener of listeners) listener({ type: 'Added', object } as Change<Drain>);
  };
  const left = (): string[] => ['site-1', 'site-2'].filter((name) => pending.drains.of(name, now).length > 0);
  return { shown, left };
}

test('once the cache shows the Drain, what was noted of its site is dropped, and of no other', () => {
  const { shown, left } = noted();
  expect(left()).toEqual(['site-1', 'site-2']);
  shown('site-1', false);
  expect(left()).toEqual(['site-2']);
});

test('a dry run that the cache still shows does not end what was noted when it was to begin', () => {
  const { shown, left } = noted();
  shown('site-1', true);
  expect(left()).toEqual(['site-1', 'site-2']);
});
