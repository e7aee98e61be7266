// What the page says would become of what is on a site that dies.
import { lossView } from '../../../../cli/dashboard/view/loss.ts';
import type { ShownOutlook } from '../../../../cli/show/suppose.ts';

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
