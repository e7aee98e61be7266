// On a site with two hubs an agent sees the Capps of its own hub, as if there were no others.
import { cappsOf } from '../../../activities/agent/report/of-hub.ts';
import { siteCapps } from '../../../activities/agent/report/site-capps.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { KnativeService } from '../../../crds/kubernetes/knative.ts';
import { HUB } from '../../../crds/labels.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { Kube } from '../../../kube/client.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { fakeCache } from '../../support/builders/process/fake-cache.ts';

function of(name: string, hub: string | null): Capp {
  const capp = aCapp({});
  const labels = hub === null ? {} : { [HUB]: hub };
  return { ...capp, metadata: { ...capp.metadata, name, labels } };
}

/** A site whose record names that hub as its first; null: it has none. */
function recording(first: string | null): Pick<Kube, 'get'> {
  return {
    get: (() => Promise.resolve(first === null ? null : { data: { hub: first } })) as unknown as Kube['get'],
  };
}

const failing = (code: number): Pick<Kube, 'get'> => ({
  get: () => Promise.reject(new ApiError({ method: 'GET', path: '/', code, reason: 'x' })),
});

test.each<[string, string, Pick<Kube, 'get'>, readonly boolean[]]>([
  ['the first hub sees its own, and those of nobody', 'a', recording('a'), [true, false, true]],
  ['the second hub sees its own alone', 'b', recording('a'), [false, true, false]],
  ['a site without a record has one hub', 'a', recording(null), [true, false, true]],
  ['so has one whose record it may not read', 'a', failing(403), [true, false, true]],
  ['a hub without an id sees all', '', failing(500), [true, true, true]],
])('%s', async (_, hub, kube, seen) => {
  const isOurs = await cappsOf(kube, hub);
  expect([of('x', 'a'), of('x', 'b'), of('x', null)].map(isOurs)).toEqual(seen);
});

test('an agent that cannot ask does not guess', async () => {
  await expect(cappsOf(failing(503), 'a')).rejects.toMatchObject({ code: 503 });
});

test('a Capp of another hub is not there, and one that is handed over is gone', async () => {
  const capps = fakeCache(of('ours', 'a'), of('theirs', 'b'));
  const get = ((_: unknown, { name }: { name: string }) =>
    Promise.resolve(of(name, name === 'ours' ? 'a' : 'b'))) as unknown as Kube['get'];
  const watchServices = () => fakeCache<KnativeService>().cache;
  const isOurs = await cappsOf(recording('a'), 'a');
  const site = siteCapps({ kube: { get }, capps: capps.cache, watchServices, isOurs });
  const key = (name: string) => ({ namespace: 'apps', name });
  expect(site.list().map(({ metadata }) => metadata.name)).toEqual(['ours']);
  expect([site.get(key('ours')) === undefined, site.get(key('theirs'))]).toEqual([false, undefined]);
  expect(await site.read(key('theirs'))).toBeNull();
  expect((await site.read(key('ours')))?.metadata.name).toBe('ours');

  const heard: string[] = [];
  site.subscribe(({ type, object }) => heard.push(`${type} ${object.metadata.name}`));
  capps.put(of('theirs', 'b'));
  capps.put(of('ours', 'b'));
  expect(heard).toEqual(['Deleted ours']);
});
