// `kubectl capp why` of a Capp whose agent is silent says what the site itself shows, where a reader tells
// it.
import { besideStandInHub, cappBeside } from '../../../support/servers/api/capp-beside-hub.ts';
import { podsIfTold } from '../../../../cli/hub/logs/pods.ts';
import { shownBy } from '../../../../cli/explain/capp/shown.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { ReachedPod } from '../../../../reach/pods.ts';
import { READER_TIMES } from '../../../../reach/times.ts';
import { aReachedPod } from '../../../support/builders/site/reached-pods.ts';
import { refuse, type StandInHub } from '../../../support/servers/api/stand-in-hub.ts';

let hub: StandInHub;
besideStandInHub((given) => {
  hub = given;
  hub.places = { 'shop-a': { serves: 'site-1', available: 'AgentSilent' }, 'shop-b': { serves: 'site-1' } };
});

const aPod = (name: string, more: Partial<ReachedPod> = {}): ReachedPod => aReachedPod('site-1', name, more);
const answer = (items: readonly object[], missing: readonly object[] = []): void => {
  hub.answer = (_part, _name, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items, missing }));
};

test.each([
  [[aPod('a')], [], 'site-1 has 1 Pod of it now, 1 ready (shop-2).'],
  [
    [
      aPod('a', { restarts: 1 }),
      aPod('b', { ready: false }),
      aPod('c', { phase: 'Terminating', revision: 'shop-1' }),
    ],
    [],
    'site-1 has 3 Pods of it now, 1 ready (shop-1, shop-2), with 1 restart.',
  ],
  [[], [], 'site-1 has no Pod of it now.'],
  [
    [],
    [{ site: 'site-1', why: 'no direct way to site-1: its tunnel does not answer' }],
    'its tunnel does not answer.',
  ],
])('of %j and %j', async (pods, missing, sentence) => {
  answer(pods, missing);
  const { out, ended } = cappBeside(hub, ['why', 'shop-a']);
  expect(await ended).toBe(0);
  expect(out.join('\n')).toContain(sentence);
  expect(out.join('\n')).toContain('Nothing is decided by this.');
});

test('of a Capp that its agent tells of, no site is asked', async () => {
  answer([aPod('a')]);
  const { out, ended } = cappBeside(hub, ['why', 'shop-b']);
  expect(await ended).toBe(0);
  expect(out.join('\n')).not.toContain('Asked now');
  expect(hub.asked).toEqual([]);
});

test.each([403, 404, 503])('a reader that answers %i changes nothing', async (code) => {
  hub.answer = (_part, _name, response) => refuse(response, code, 'x');
  const { out, notes, ended } = cappBeside(hub, ['why', 'shop-a']);
  expect(await ended).toBe(0);
  expect(out.join('\n')).not.toContain('Asked now');
  expect(notes).toEqual([]);
});

test('a reader has longer than it waits for a site, and one that is too late is a sentence of each site', async () => {
  const asked: { readonly deadlineMs?: number | undefined }[] = [];
  const raw: Kube['raw'] = async (method, path, options = {}) => {
    asked.push(options);
    throw new ApiError({ method, path, code: 0, reason: 'Timeout' });
  };
  const { signal } = new AbortController();
  const key = { namespace: 'apps', name: 'shop-a' };
  const told = (await podsIfTold({ kube: { raw } as Kube }, [key], signal)).get('apps/shop-a');
  expect(asked).toEqual([{ deadlineMs: expect.any(Number), signal }]);
  expect(asked[0]?.deadlineMs).toBeGreaterThan(READER_TIMES.site.ms);
  const { pods, missing } = told ?? { pods: [], missing: [] };
  expect(shownBy(['site-1', 'site-2'], { pods, missing }).map(({ says }) => says)).toEqual([
    "site-1: no answer of the hub's reader within 10 seconds.",
    "site-2: no answer of the hub's reader within 10 seconds.",
  ]);
});
