// A tree down to Pods, where somebody can tell them: below their Revision, or below a copy that has none.
import type { Branch } from '../../../../cli/explain/tree/branch.ts';
import { withPods } from '../../../../cli/explain/tree/pods.ts';
import { treeText } from '../../../../cli/show/tree.ts';
import { aReachedPod } from '../../../support/builders/site/reached-pods.ts';
import { NO_COLOURS } from '../../../support/builders/process/terminals.ts';

const branch = (kind: string, name: string, on: string, ...branches: Branch[]): Branch => ({
  kind,
  name,
  on,
  tone: 'good',
  says: '',
  branches,
});
const tree = branch(
  'Capp',
  'apps/shop',
  'hub',
  branch(
    'Capp',
    'apps/shop',
    'site-1',
    branch('Service', 'shop', 'site-1', branch('Revision', 'shop-2', 'site-1')),
  ),
  branch('Capp', 'apps/shop', 'site-2'),
);
const drawn = (root: Branch): string[] =>
  treeText(root, { isWide: true, colours: NO_COLOURS })
    .split('\n')
    .map((line) => line.replaceAll(/ {2,}(?=\S)/g, ' '));

test('each Pod stands below its Revision, and that of a copy without one below the copy', () => {
  const pods = [
    aReachedPod('site-1', 'one', { restarts: 1 }),
    aReachedPod('site-1', 'old', { revision: 'shop-1', phase: 'Terminating' }),
    aReachedPod('site-2', 'two', { ready: false, phase: 'Pending', restarts: 2 }),
  ];
  const told = withPods(tree, (capp, site) =>
    capp === 'apps/shop' ? pods.filter((pod) => pod.site === site) : null,
  );
  expect(drawn(told).map((line) => line.replace(/^[│ ├└─]+/, ''))).toEqual([
    'Capp apps/shop hub',
    'Capp apps/shop site-1',
    'Service shop site-1',
    'Revision shop-2 site-1',
    'Pod one site-1 Ready, 1 restart',
    'Pod old site-1 Terminating',
    'Capp apps/shop site-2',
    'Pod two site-2 Pending, 2 restarts',
  ]);
});

test('where nobody tells of Pods, the tree is as it was', () => {
  expect(withPods(tree, () => null)).toEqual(tree);
});
