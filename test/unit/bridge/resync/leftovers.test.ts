// Works of the Go operator whose Capp is gone: the bridge reports them with the command that deletes them,
// and leaves them in place.
import { leftovers, leftoverWatch, type Leftover } from '../../../../bridge/resync/leftovers.ts';
import type { BridgeWatched } from '../../../../bridge/changes/watched.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { byNames, labelsFor, ownWork } from '../../../support/builders/works.ts';

const bare = (name: string, cluster = 'site-1'): KubeObject => ({ metadata: { name, namespace: cluster } });

function hub(works: readonly KubeObject[]): Pick<BridgeWatched, 'capps' | 'works'> {
  return { capps: byNames([aCapp({ name: 'living' })]), works: byNames(works) } as unknown as Pick<
    BridgeWatched,
    'capps' | 'works'
  >;
}

test.each<[string, string[], KubeObject]>([
  ['without a label whose Capp is gone', ['mw-create-apps-gone'], bare('mw-create-apps-gone')],
  [
    'whose annotations name its Capp, which is gone',
    ['mw-create-apps-gone'],
    {
      metadata: {
        ...bare('mw-create-apps-gone').metadata,
        annotations: labelsFor('apps', 'gone').annotations,
      },
    },
  ],
  [
    'that is being deleted already',
    [],
    { metadata: { ...bare('mw-create-apps-gone').metadata, deletionTimestamp: '2026-03-01T12:00:00Z' } },
  ],
  ['of a Capp that exists', [], bare('mw-create-apps-living')],
  ['that Cappstan has made, which a workflow retires', [], ownWork({ name: 'gone' })],
  ['of another owner', [], bare('addon-cappstan-deploy-0')],
])('a work %s is reported as a leftover: %j', (_name, names, work) => {
  expect(leftovers(hub([work])).map(({ name }) => name)).toEqual(names);
});

test('each leftover work is reported with the kubectl command that deletes it', () => {
  expect(
    leftovers(hub([bare('mw-create-apps-b', 'site-2'), bare('mw-create-apps-a', 'site-2')])).map(
      ({ command }) => command,
    ),
  ).toEqual([
    'kubectl -n site-2 delete manifestwork mw-create-apps-a',
    'kubectl -n site-2 delete manifestwork mw-create-apps-b',
  ]);
});

test('leftover works are reported once, and again when the list changes', () => {
  const works = [bare('mw-create-apps-a')];
  const told: (readonly Leftover[])[] = [];
  const watched = hub(works);
  const look = leftoverWatch({ ...watched, works: { ...watched.works, list: () => works } }, (found) =>
    told.push(found),
  );
  look();
  look();
  expect(told.map(({ length }) => length)).toEqual([1]);
  works.pop();
  look();
  look();
  expect(told.map(({ length }) => length)).toEqual([1, 0]);
});
