// Which ManagedCluster admission does not let go, and what a site's own agent may not change.
import { PATHS } from '../../../admission/router.ts';
import { ALLOW_DETACH } from '../../../crds/labels.ts';
import { CLUSTER_SET_LABEL } from '../../../crds/ocm/placements.ts';
import { asked, judged, known } from '../../support/builders/admission.ts';

describe('a ManagedCluster', () => {
  const facts = known({ servedBy: (cluster) => (cluster === 'site-1' ? ['team-a/x', 'team-b/y'] : []) });
  const deletion = (metadata: object, name = 'site-1') =>
    judged(
      PATHS.validateManagedCluster,
      asked(null, { metadata: { name, ...metadata } }, { operation: 'DELETE', namespace: '', name }),
      facts,
    ).problems;

  it('that serves Capps is not deleted, and the refusal says how to drain it first', () => {
    const [problem] = deletion({});
    expect(problem?.message).toBe(
      'ManagedCluster site-1 serves 2 Capps: team-a/x, team-b/y. Drain it first: create a Drain named site-1, ' +
        'and wait until they have moved (kubectl wait drain site-1 --for=condition=Complete). If they may go down with it, set the annotation rcs.dana.io/allow-detach',
    );
    expect(deletion({ annotations: { [ALLOW_DETACH]: 'false' } })).toHaveLength(1);
  });

  it.each([
    ['serves no Capp', {}, 'site-2'],
    ['has the annotation that allows it', { annotations: { [ALLOW_DETACH]: 'true' } }, 'site-1'],
    ['is being deleted already', { deletionTimestamp: '2026-11-21T12:00:00Z' }, 'site-1'],
  ])('that %s may be deleted', (_title, metadata, name) => {
    expect(deletion(metadata, name)).toEqual([]);
  });

  it('may be changed while it serves Capps', () => {
    const request = asked({ metadata: {} }, { metadata: {} }, { namespace: '', name: 'site-1' });
    expect(judged(PATHS.validateManagedCluster, request, facts).problems).toEqual([]);
  });
});

describe('a ManagedCluster that its own agent writes', () => {
  const username = 'system:open-cluster-management:site-1:q7w2x';
  const taint = { key: 'gpu', value: 'none', effect: 'NoSelect' };
  const cluster = (labels: object, taints: readonly object[]) => ({ metadata: { labels }, spec: { taints } });
  const fields = (after: unknown, before: unknown, by = username) =>
    judged(
      PATHS.validateClusterFacts,
      asked(after, before, { namespace: '', name: 'site-1', username: by }),
    ).problems.map(({ field }) => field);

  it('is refused with the field of each label and of its taints', () => {
    const before = cluster({ region: 'us', zone: 'a' }, [taint]);
    expect(fields(cluster({ region: 'eu', tier: 'gold' }, []), before)).toEqual([
      'metadata.labels[region]',
      'metadata.labels[tier]',
      'metadata.labels[zone]',
      'spec.taints',
    ]);
    expect(fields(cluster({ region: 'eu' }, [taint]), null)).toEqual([
      'metadata.labels[region]',
      'spec.taints',
    ]);
  });

  it('is accepted without such a change, and so is one that an administrator writes', () => {
    const before = cluster({ region: 'us' }, [taint]);
    const timed = { ...taint, timeAdded: '2026-03-01T12:00:00Z' };
    expect(fields(cluster({ region: 'us', [CLUSTER_SET_LABEL]: 'default' }, [timed]), before)).toEqual([]);
    expect(fields(cluster({ region: 'eu' }, []), before, 'alice')).toEqual([]);
    expect(fields(null, null)).toEqual([]);
    expect(fields({ metadata: { labels: 7 }, spec: { taints: [null] } }, { metadata: null })).toEqual([
      'spec.taints',
    ]);
  });

  it('is refused while it is being deleted', () => {
    const going = { deletionTimestamp: '2026-03-01T12:00:00Z' };
    const [after, before] = [{ region: 'eu' }, {}].map((labels) => ({ metadata: { ...going, labels } }));
    expect(fields(after, before)).toEqual(['metadata.labels[region]']);
  });
});
