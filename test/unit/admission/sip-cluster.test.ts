// The webhook on the deletion of a SIPCluster whose site serves Capps.
import { PATHS } from '../../../admission/router.ts';
import { SITE_CAME } from '../../../crds/metal/labels.ts';
import { asked, judged, known } from '../../support/builders/admission.ts';

describe('a SIPCluster', () => {
  const facts = known({ servedBy: (cluster) => (cluster === 'edge-7' ? ['team-a/x'] : []) });
  const CAME = { [SITE_CAME]: 'shop-uid' };
  const deletion = (site: object | undefined, metadata: object = {}) =>
    judged(
      PATHS.validateSipCluster,
      asked(
        null,
        { metadata: { name: 'shop', uid: 'shop-uid', annotations: CAME, ...metadata }, spec: { site } },
        { operation: 'DELETE', namespace: 'metal', name: 'shop' },
      ),
      facts,
    ).problems;

  it('whose site serves Capps is not deleted where onDelete is Refuse, and the refusal names them', () => {
    expect(deletion({ name: 'edge-7', onDelete: 'Refuse' }).map(({ message }) => message)).toEqual([
      'Site edge-7 of SIPCluster metal/shop serves a Capp: team-a/x. Move or delete them first. If its deletion is to drain the site, set spec.site.onDelete to Drain',
    ]);
  });

  it.each([
    ['drains its site', { name: 'edge-7', onDelete: 'Drain' }, {}],
    ['says nothing of it', { name: 'edge-7' }, {}],
    ['has no Capp on its site', { name: 'edge-8', onDelete: 'Refuse' }, {}],
    ['has no site', undefined, {}],
    ['names a site that is not its own', { name: 'edge-7', onDelete: 'Refuse' }, { annotations: {} }],
    [
      'was made again with the annotation of an earlier one',
      { name: 'edge-7', onDelete: 'Refuse' },
      { annotations: { [SITE_CAME]: 'earlier-uid' } },
    ],
    [
      'has no uid and no site that came',
      { name: 'edge-7', onDelete: 'Refuse' },
      { uid: undefined, annotations: undefined },
    ],
    [
      'is being deleted already',
      { name: 'edge-7', onDelete: 'Refuse' },
      { deletionTimestamp: '2026-11-21T12:00:00Z' },
    ],
  ])('that %s may be deleted', (_title, site, metadata) => {
    expect(deletion(site, metadata)).toEqual([]);
  });
});
