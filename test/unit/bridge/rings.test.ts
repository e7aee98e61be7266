// Rings of workflows that gather what has changed: nothing of it is lost when Temporal refuses a ring.
import { rings, type SeenVersions } from '../../../bridge/rings.ts';
import { eventually } from '../../../testbed/eventually.ts';

test('a ring that Temporal refuses is sent again, with what has changed meanwhile, and only the newest of each kind', async () => {
  const sent: (readonly [string, SeenVersions])[] = [];
  const errors: string[] = [];
  const { call, stop } = rings(
    async (key, changed) => {
      sent.push([key, changed]);
      if (sent.length > 1) return;
      call(key, { Capp: '9', Placement: '3' });
      throw new Error('no answer');
    },
    (key) => void errors.push(key),
  );
  call('apps/shop', { Capp: '7', Drain: '1' });
  await eventually(async () => (sent.length === 2 ? true : undefined));
  await stop();
  expect(sent).toEqual([
    ['apps/shop', { Capp: '7', Drain: '1' }],
    ['apps/shop', { Capp: '9', Drain: '1', Placement: '3' }],
  ]);
  expect(errors).toEqual(['apps/shop']);
});
