// How new other kinds must be for a ring to be answered.
import { marksOfSite } from '../../bridge/beside.ts';
import type { Watched } from '../../bridge/watched.ts';
import { aCapp } from '../support/capps.ts';

const clusters = {
  get: ({ name }: { name: string }) => (name === 'site-1' ? { metadata: { name, resourceVersion: '7' } } : undefined),
} as unknown as Watched['clusters'];

test.each([
  ['site-1', { ManagedCluster: '7' }],
  ['gone', {}],
  [null, {}],
])('a decision that leaves %s is looked at with what that cluster has become: %j', (site, marks) => {
  const capp = { ...aCapp({ name: 'one' }), status: site === null ? {} : { applicationLinks: { site } } };
  expect(marksOfSite({ clusters }, capp)).toEqual(marks);
});
