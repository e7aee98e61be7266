// What a Bundle reads from ConfigMaps, as long as they may be: nothing holds the hub worker's thread until
// all of it is read.
import { setImmediate as turn } from 'node:timers/promises';
import { load } from '../../../../../activities/hub/bundle/manifests/load.ts';
import { MANIFEST_LIMIT } from '../../../../../crds/ocm/work-size.ts';
import { objectsOf } from '../../../../../kube/files/lists.ts';
import { documentsOf } from '../../../../../kube/files/read.ts';
import { aBundle } from '../../../../support/builders/fleet/bundles.ts';
import { LONG_FILES } from '../../../../support/builders/manifests/long-files.ts';
import { timesAsLong } from '../../../../support/pace.ts';

const NAMES = ['one', 'two'];

/** What becomes of a Bundle with ConfigMaps that hold this file each, and how often others had a turn. */
async function loaded(file: string, names: readonly string[] = NAMES) {
  const kube = {
    get: (_kind: unknown, { name }: { name: string }) =>
      Promise.resolve({ metadata: { name, uid: 'u', resourceVersion: '1' }, data: { file } }),
  };
  const bundle = aBundle();
  const manifestsFrom = names.map((configMap) => ({ configMap }));
  const asked = { ...bundle, spec: { ...bundle.spec, manifests: [], manifestsFrom } };
  const over = new AbortController();
  const loading = load(kube as never, asked, '').finally(() => over.abort());
  let turns = 0;
  for (; !over.signal.aborted; turns += 1) await turn();
  return { result: await loading, turns };
}

test('others have their turn again and again while many documents are read', async () => {
  const { result, turns } = await loaded(LONG_FILES['documents']?.(MANIFEST_LIMIT - 10) ?? '');
  expect(result).toHaveProperty('reason');
  expect(turns).toBeGreaterThan(3);
});

test('one document that no work can carry is not read', async () => {
  const { result } = await loaded(LONG_FILES['merge keys']?.(MANIFEST_LIMIT) ?? '');
  expect(result).toEqual({
    reason: 'TooLarge',
    message:
      'ConfigMap one, key file, line 1: the document that begins here has more than 512000 characters: make several of it.',
  });
});

test('ConfigMaps that hold more than twice what a work can carry are not read, whatever is in them', async () => {
  const comments = '# nothing\n'.repeat(MANIFEST_LIMIT / 10 - 1_000);
  const most = await loaded(comments);
  expect(most.result).toMatchObject({ reason: 'Invalid' });
  const more = await loaded(comments, [...NAMES, 'three']);
  expect(more.result).toMatchObject({ reason: 'TooLarge' });
});

test.each(Object.entries(LONG_FILES))('many %s are read in time that grows with their bytes', (_, file) => {
  const [few, many] = [file(60_000), file(240_000)];
  const read = (text: string) => (): unknown => objectsOf(documentsOf(text));
  expect(timesAsLong(9, read(many), read(few))).toBeLessThan(9);
});

test('a list of very many items is taken apart', () => {
  expect(objectsOf(documentsOf(LONG_FILES['items of one list']?.(1_000_000) ?? ''))).toHaveLength(500_000);
});
