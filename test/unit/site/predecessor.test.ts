// Whether container-app-operator runs on the site: it puts its finalizer back on a Capp from which we take
// it.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Change } from '../../../kube/watch/store.ts';
import { predecessor } from '../../../site/predecessor.ts';
import { eventually } from '../../../testbed/eventually.ts';

const FINALIZER = 'dana.io/capp-cleanup';

/** A site whose cache shows each write at once; `answers` says whether the other operator runs. */
function aSite(names: readonly string[], finalizers: readonly string[] = [FINALIZER]) {
  const capps = new Map<string, Capp>();
  const listeners: ((change: Change<Capp>) => void)[] = [];
  const state = { answers: false, told: true, patched: [] as string[], found: [] as string[], gone: 0 };
  const put = (name: string, held: readonly string[], told = true): void => {
    const metadata = {
      namespace: 'apps',
      name,
      uid: `u-${name}`,
      resourceVersion: '1',
      finalizers: [...held],
    };
    const capp = { metadata, spec: {} } as unknown as Capp;
    capps.set(name, capp);
    if (told)
      listeners.forEach((listener) =>
        listener({ type: 'Modified', object: capp, previous: capp, initial: false }),
      );
  };
  for (const name of names) put(name, finalizers);
  const kube = {
    patch: async (
      _: unknown,
      { name }: { name: string },
      body: { metadata: { finalizers: string[] | null } },
    ) => {
      state.patched.push(name);
      put(name, body.metadata.finalizers ?? []);
      if (state.answers) put(name, [...(body.metadata.finalizers ?? []), FINALIZER], state.told);
    },
  } as unknown as Kube;
  const cache = {
    list: () => [...capps.values()],
    get: ({ name }: { name: string }) => capps.get(name),
    subscribe: (listener: (change: Change<Capp>) => void) => {
      listeners.push(listener);
      return () => undefined;
    },
  };
  const older = predecessor(kube, cache, {
    onFound: ({ metadata }) => state.found.push(metadata.name),
    onError: () => undefined,
    answerMs: 40,
    againMs: 20,
  });
  const watch = (): void => older.watch(() => (state.gone += 1));
  return { older, state, put, watch };
}

test('a site without its finalizers is ours at once, and nothing is written to find out', () => {
  const { older, state, watch } = aSite(['a', 'b'], []);
  watch();
  expect([older.runs(), state.gone, state.patched]).toEqual([false, 1, []]);
});

test('where it has stopped, one Capp is asked and then the site is ours', async () => {
  const { older, state, watch } = aSite(['b', 'a']);
  watch();
  expect(older.runs()).toBe(true);
  await eventually(() => (state.gone === 1 ? true : undefined));
  expect([older.runs(), state.patched, state.found]).toEqual([false, ['a'], []]);
});

test.each([
  { how: 'its watch tells', told: true },
  { how: 'only the cache shows after an interrupted watch', told: false },
])('where it runs, as $how, we stand back and say so once, until it has stopped', async ({ told }) => {
  const { older, state, watch } = aSite(['a', 'b']);
  Object.assign(state, { answers: true, told });
  watch();
  await eventually(() => (state.patched.length >= 3 ? true : undefined));
  expect([older.runs(), state.found, state.gone]).toEqual([true, ['a'], 0]);
  state.answers = false;
  await eventually(() => (state.gone === 1 ? true : undefined));
  expect(older.runs()).toBe(false);
  older.stop();
});

test('when it starts again later, we stand back again', async () => {
  const { older, state, put, watch } = aSite(['a', 'b'], []);
  watch();
  put('b', [FINALIZER]);
  expect([older.runs(), state.found]).toEqual([true, ['b']]);
  await eventually(() => (state.gone === 2 ? true : undefined));
  older.stop();
});

test('finalizers of others are neither asked about nor removed', () => {
  const { state, watch } = aSite(['a'], ['example.com/theirs']);
  watch();
  expect([state.gone, state.patched]).toEqual([1, []]);
});
