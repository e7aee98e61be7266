// What the page says would become of what is on a site that dies.
import { readFor } from '../../../../cli/dashboard/feed/reads.ts';
import { lossView, type LossView } from '../../../../cli/dashboard/view/loss.ts';
import type { OpenedHub } from '../../../../cli/hub/connection/hub.ts';
import type { ShownOutlook } from '../../../../cli/show/suppose.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { Key, Resource } from '../../../../kube/resource.ts';

const outlook = (over: Partial<ShownOutlook> = {}): ShownOutlook => ({
  kind: 'Capp',
  name: 'apps/shop',
  does: 'Moves',
  to: 'site-2',
  afterSeconds: 300,
  isEstimate: true,
  reason: 'SiteLost',
  message: 'site-2 is the best other site',
  ...over,
});

test('each is named with what it does, where and when, and leads to its page', () => {
  const set = outlook({ kind: 'CappSet', name: 'apps/all', does: 'Stays', to: null, isEstimate: false });
  const { says, rows, notes } = lossView('site-1', { outlooks: [outlook(), set], unread: [] });
  expect(says).toBe('With the loss of site-1, 1 would move, 1 would stay. Nothing has been changed.');
  expect(rows).toEqual([
    expect.objectContaining({ address: '/apps/apps/shop', does: 'Moves', to: 'site-2', when: 'after 5m' }),
    expect.objectContaining({ address: '/rollouts/CappSet/apps/all', when: '', isEstimate: false }),
  ]);
  expect(notes).toEqual([expect.stringContaining('estimate: OCM was not asked')]);
});

test('what cannot be read is said, and of hundreds the first fifty are named', () => {
  const many = Array.from({ length: 53 }, (_, at) => outlook({ name: `apps/a-${at}`, isEstimate: false }));
  const { rows, more, notes } = lossView('site-1', { outlooks: many, unread: ['drains'] });
  expect([rows.length, more]).toEqual([50, 3]);
  expect(notes).toEqual(['You may not read drains, so the answer leaves out what they say.']);
});

test('a site with nothing on it says so', () => {
  expect(lossView('site-1', { outlooks: [], unread: [] })).toMatchObject({
    says: 'Nothing would change with the loss of site-1: no Capp, CappSet or Bundle is there.',
    rows: [],
  });
});

test('the page’s question is answered by the hub’s own functions, with what the person may read', async () => {
  const forbidden = (plural: string): ApiError =>
    new ApiError({ method: 'GET', path: plural, code: 403, reason: 'Forbidden' });
  const cluster = (name: string): object => ({
    metadata: { name, uid: name },
    spec: { hubAcceptsClient: true },
  });
  const capp = {
    metadata: { namespace: 'apps', name: 'shop', uid: 'u' },
    spec: {},
    status: { applicationLinks: { site: 'site-1' }, migration: { serving: 'site-1' } },
  };
  const items: Readonly<Record<string, readonly object[]>> = {
    managedclusters: [cluster('site-1'), cluster('site-2')],
    capps: [capp],
    rcsconfigs: [],
    placements: [],
    placementdecisions: [],
  };
  const hub = {
    kube: {
      list: ({ plural }: Resource) =>
        items[plural] === undefined
          ? Promise.reject(forbidden(plural))
          : Promise.resolve({ items: items[plural], resourceVersion: '1' }),
      getMetadata: (_: Resource, { name }: Key) =>
        Promise.resolve(name === 'site-1' ? cluster('site-1') : null),
    },
  } as unknown as OpenedHub;
  const ask = (name: string) =>
    readFor(hub, new URLSearchParams({ what: 'loss', name }), () => {
      throw new Error('no facts are needed');
    });
  const { loss } = (await ask('site-1')) as { loss: LossView };
  expect(loss.says).toContain('With the loss of site-1, 1 would');
  expect(loss.rows).toEqual([expect.objectContaining({ name: 'apps/shop', address: '/apps/apps/shop' })]);
  expect(loss.notes.at(-1)).toContain('You may not read');
  await expect(ask('site-9')).rejects.toThrow('site-9');
});
