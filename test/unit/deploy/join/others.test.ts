// As which hub's a site that has several leaves: as the site's own policies take its agent.
import { hubsOf } from '../../../../deploy/join/leave/others.ts';
import type { Kube } from '../../../../kube/client.ts';

const OWN = 'open-cluster-management-agent.klusterlet-work-sa';
const OTHER = 'open-cluster-management-customer.klusterlet-work-sa';

const recorded = (data: Readonly<Record<string, string>>): Kube =>
  ({ get: () => Promise.resolve({ metadata: { name: 'cappstan-hub' }, data }) }) as unknown as Kube;

test.each([
  ['the first hub, when the record names no agent', { hub: 'a' }, null, 'a', []],
  ['the first hub, beside the agent of another', { hub: 'a', [OTHER]: 'b' }, null, 'a', ['b']],
  ['the hub that the record has for the agent', { hub: 'b', [OTHER]: 'b', [OWN]: 'a' }, null, 'a', ['b']],
  ['no hub, when the agent of the first is another', { hub: 'b', [OTHER]: 'b' }, null, null, ['b']],
  ['the hub that it has begun to leave', { hub: 'b', [OTHER]: 'b' }, 'a', 'a', ['b']],
  ['the hub that it has begun to leave, which is alone', { hub: 'a' }, 'a', 'a', []],
  ['no hub, when none is recorded', {}, null, null, []],
])('a site leaves as %s', async (_name, data, hubId, own, others) => {
  expect(await hubsOf(recorded(data as Readonly<Record<string, string>>), hubId)).toMatchObject({
    own,
    others,
  });
});
