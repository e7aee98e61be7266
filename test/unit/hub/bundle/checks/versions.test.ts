// What a late turn writes about Jobs names the version that it has read: it undoes nothing that came since.
import { orderChecks, removeEnded } from '../../../../../activities/hub/bundle/checks/carry-out.ts';
import { CAPP_KEY, VERIFY } from '../../../../../crds/labels.ts';
import { askedBy, textOf } from '../../../../../crds/verification/asked-of-jobs.ts';
import type { Kube } from '../../../../../kube/client.ts';
import { ApiError } from '../../../../../kube/failure.ts';
import type { KubeObject } from '../../../../../kube/resource.ts';
import { aBundle } from '../../../../support/builders/fleet/bundles.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const ASKED = askedBy({ revision: 'new', round: '1/0', checks: '[]' });
const LATER = { ...ASKED, round: '1/5' };

test('a verdict is noted on exactly the version of the work that was read', async () => {
  const patched: object[] = [];
  const kube = { patch: async (_kind: object, _key: object, body: object) => patched.push(body) };
  const work = { metadata: { namespace: 'site-1', name: 'w', uid: 'uid-w', resourceVersion: '7' } };
  const unnoted = { ...ASKED, verdict: 'Passed', at: NOW, says: '' };
  const members = [{ site: { cluster: 'site-1' }, work, unnoted }];
  const look = { plan: {}, members, memory: { refused: {} } };
  const errand = { kube, bundle: aBundle(), isStill: async () => true, terms: {}, look };
  await orderChecks({ ...errand, checking: { jobsOn: () => undefined } } as never, 100, NOW);
  expect(patched).toMatchObject([{ metadata: { uid: 'uid-w', resourceVersion: '7' } }]);
});

/** Of no site: each work in the cache is of one that the Bundle has left. */
const LEFT = { plan: {}, members: [], memory: { rollout: { revision: 'new', settled: 'new' } } } as never;

const jobs = (asked: typeof ASKED, resourceVersion: string): KubeObject => ({
  metadata: {
    namespace: 'site-1',
    name: 'verify-apps.base',
    uid: 'uid-1',
    resourceVersion,
    labels: { [CAPP_KEY]: 'x' },
    annotations: { [VERIFY]: textOf(asked) },
  },
});

/** Which versions were removed by a turn that has seen version 7, where version 8 is there now. */
async function removed(live: typeof ASKED): Promise<readonly string[]> {
  const versions: string[] = [];
  const now = jobs(live, '8');
  const kube = {
    remove: async (_kind: object, _key: object, { resourceVersion }: { resourceVersion: string }) => {
      if (resourceVersion !== '8')
        throw new ApiError({ method: 'DELETE', path: '/', code: 409, reason: 'Conflict' });
      return versions.push(resourceVersion) > 0;
    },
    get: async () => now,
    getMetadata: async () => now,
    list: async () => ({ items: [] }),
  } as unknown as Kube;
  await removeEnded(kube, { works: { by: () => [jobs(ASKED, '7')] } } as never, aBundle(), LEFT);
  return versions;
}

test('Jobs that have ended go although something else of their work has changed', async () => {
  expect(await removed(ASKED)).toEqual(['8']);
});

test('a work stays that asks for something else by now', async () => {
  expect(await removed(LATER)).toEqual([]);
});
