// What may be asked of the move of a Capp, and what is said of one that does not move.
import { appSheets } from '../../../../cli/dashboard/view/sheets/app.ts';
import { explain } from '../../../../cli/explain/capp/why.ts';
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

test('where somebody has asked for it all the same, it is said which set to change, and the page has no button for it', () => {
  const conditions = [{ type: 'Migrating', status: 'False', reason: 'MoveRefused', message: 'Pinned.' }];
  const capp = { ...ofSet(), status: { conditions } } as unknown as Capp;
  const [finding] = explain(capp, Date.now()).findings;
  expect(finding).toMatchObject({
    remedy: 'Change which sites CappSet web has: it keeps each of its Capps on one of them.',
    command: 'kubectl -n apps edit cappset web',
  });
  const acts = (set: string | null) =>
    appSheets({
      namespace: 'apps',
      name: 'app',
      set,
      site: 'site-1',
      isPaused: false,
      isRecreated: false,
      hasPast: true,
      sites: ['site-2'],
    }).map(({ act }) => act);
  expect([acts('web'), acts(null)]).toEqual([['pause'], ['move', 'rollback', 'pause']]);
});
