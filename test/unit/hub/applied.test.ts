// Whether the site of a work has applied it as it is now: what is deleted before that takes with it what was
// to stay.
import { isDone, isDoneWhole } from '../../../activities/hub/retire/applied.ts';
import type { ManifestWork } from '../../../crds/ocm/ocm.ts';

type Said = readonly [kind: string, observedGeneration: number, status?: 'True' | 'False'];

/** Of the second generation: what the site says of the work as a whole, and of its manifests. */
function workOf(
  [observedGeneration, status = 'True']: readonly [number, ('True' | 'False')?],
  ...said: readonly Said[]
): ManifestWork {
  const manifests = said.map(([kind, of, is = 'True'], ordinal) => ({
    resourceMeta: { ordinal, group: '', version: 'v1', kind, resource: 'r', name: 'n' },
    conditions: [{ type: 'Applied', status: is, observedGeneration: of }],
  }));
  return {
    metadata: { name: 'w', namespace: 'a', generation: 2 },
    spec: { workload: { manifests: [{}, {}] as never } },
    status: { conditions: [{ type: 'Applied', status, observedGeneration }], resourceStatus: { manifests } },
  };
}

const isNamespace = ({ resourceMeta }: { readonly resourceMeta: { readonly kind?: string } }): boolean =>
  resourceMeta.kind === 'Namespace';

test.each<[string, ManifestWork, boolean]>([
  ['applied it all', workOf([2]), true],
  ['applied the former generation', workOf([1], ['Namespace', 1]), false],
  ['refused another part', workOf([2, 'False'], ['Namespace', 2], ['Secret', 2, 'False']), true],
  ['refused what matters', workOf([2, 'False'], ['Namespace', 2, 'False'], ['Secret', 2]), false],
  ['what matters as it was before', workOf([2, 'False'], ['Namespace', 1], ['Secret', 2, 'False']), false],
  // That nothing is said of it is no word that it is done.
  ['said nothing of what matters', workOf([2, 'False'], ['Secret', 2, 'False']), false],
  ['said nothing of any manifest', workOf([2, 'False']), false],
])('of a work whose site has %s, what matters is done: %#', (_what, work, isSo) => {
  expect(isDone(work, isNamespace)).toBe(isSo);
});

test.each<[string, ManifestWork, boolean]>([
  ['each', workOf([2], ['Namespace', 2], ['Secret', 2]), true],
  ['one of two', workOf([2], ['Namespace', 2]), false],
  ['none', workOf([2]), false],
  ['each, and one as it was before', workOf([2], ['Namespace', 2], ['Secret', 1]), false],
  ['each, and refuses one', workOf([2], ['Namespace', 2], ['Secret', 2, 'False']), false],
])('a work of which the site names %s is done whole: %#', (_what, work, isSo) => {
  expect(isDoneWhole(work)).toBe(isSo);
});
