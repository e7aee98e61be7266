// What comes of a Capp of a set that the API server does not take.
import { writeChild, type Wanted } from '../../../activities/hub/set/write-child.ts';
import { render, type Rendered } from '../../../crds/set/render.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';

const set = aSet('shop', { sites: { clusters: ['site-1'] } });
const site = { cluster: 'site-1', labels: {} };
const wanted: Wanted = {
  set,
  cluster: 'site-1',
  name: 'shop-site-1',
  child: null,
  revision: 'r1',
  rendered: render(set.spec, site) as Rendered,
};

function refusing(code: number, reason: string): Kube {
  const apply = async () => {
    throw new ApiError({ method: 'PATCH', path: '/capps/shop-site-1', code, reason, fields: ['spec.site'] });
  };
  return { apply, getMetadata: async () => null } as unknown as Kube;
}

test.each<[number, string, string]>([
  [400, 'BadRequest', 'Rejected'],
  [403, 'Forbidden', 'Rejected'],
  [413, 'RequestEntityTooLarge', 'Rejected'],
  [422, 'Invalid', 'Rejected'],
  [409, 'Conflict', 'Overridden'],
])('an answer %i %s concerns that site alone, as %s, and names the Capp', async (code, reason, said) => {
  const outcome = await writeChild(refusing(code, reason), wanted, 0);
  expect(outcome).toMatchObject({ is: 'refused', reason: said });
  expect(outcome).toHaveProperty('message', expect.stringContaining('shop-site-1'));
});

test.each([0, 404, 429, 500, 503])('after an answer %i the turn is tried again', async (code) => {
  await expect(writeChild(refusing(code, 'Why'), wanted, 0)).rejects.toThrow(ApiError);
});
