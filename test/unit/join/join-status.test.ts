// When the status of a ClusterJoin is written again: what refuses it may quote another time or number each
// time.
import { publishJoin } from '../../../activities/hub/join/join-status.ts';
import type { ClusterJoin } from '../../../crds/join/cluster-join.ts';
import type { Kube } from '../../../kube/client.ts';
import { held } from '../../../workflows/join/declared.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

/** What is written over what a first look has said. */
async function writtenAfter(first: string, second: string): Promise<number> {
  let join: ClusterJoin = {
    metadata: { namespace: 'rooms', name: 'edge-1', uid: 'u', generation: 1 },
    spec: { cluster: 'edge-1' },
  };
  let writes = 0;
  const apply = async (_kind: unknown, object: ClusterJoin): Promise<ClusterJoin> => {
    writes += 1;
    join = { ...join, status: object.status ?? {} };
    return join;
  };
  const kube = { apply, patch: apply } as unknown as Kube;
  await publishJoin(kube, join, { standing: held('HubRefuses', first), now: NOW });
  await publishJoin(kube, join, { standing: held('HubRefuses', second), now: NOW + 1_000 });
  return writes - 1;
}

test.each([
  ['the same words', 'denied by gold', 'denied by gold', 0],
  ['another time and request', 'at 12:00:01 (id 6f1c-22)', 'at 12:00:09 (id 9a7e-31)', 0],
  ['another cause', 'denied by gold', 'denied by silver', 1],
])('with %s it is written so often again: %s, then %s', async (_what, first, second, times) => {
  expect(await writtenAfter(first, second)).toBe(times);
});
