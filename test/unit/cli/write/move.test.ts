// What may be asked of the move of one Capp, before any hub is asked.
import { moveRequest } from '../../../../cli/hub/acts/capp.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { aCapp } from '../../../support/builders/capps.ts';

const controller = { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'CappSet', name: 'web', uid: 'set-1' };

function ofSet(): Capp {
  const capp = aCapp({});
  const ownerReferences = [{ ...controller, controller: true }];
  return { ...capp, metadata: { ...capp.metadata, ownerReferences }, spec: { ...capp.spec, site: 'site-1' } };
}

test('a Capp of a CappSet is not asked to move, since the set keeps it on its site, and what helps is said', () => {
  expect(() => moveRequest(ofSet(), 'site-2', false)).toThrow(
    'CappSet web keeps app on site-1, so it does not move. To run it elsewhere, change which sites the set has: kubectl -n apps edit cappset web.',
  );
  expect(moveRequest(aCapp({}), 'site-2', false)).toMatchObject({ source: 'migrate', to: 'site-2' });
});
