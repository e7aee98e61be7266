// How a question is answered: at once where nothing can change the answer, and with patience where a cache
// may be behind.
import { nothingPending } from '../../../admission/pending.ts';
import type { Draining, HubKnowledge } from '../../../admission/known.ts';
import { PATHS } from '../../../admission/router.ts';
import { reply } from '../../../workers/webhook/answer.ts';
import { known, KNOWN, onHub, raw } from '../../support/builders/admission.ts';

const LONG = 60_000;
/** Much longer than the cache of a test is behind, also on a busy machine. */
const PATIENT = 3_000;

const question = (spec: object, given: object = {}): string => {
  const request = {
    uid: 'u',
    kind: { group: 'g', kind: 'Capp' },
    operation: 'CREATE',
    namespace: 'apps',
    name: 'app',
    userInfo: {},
  };
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { ...request, object: raw(spec), oldObject: null, ...given },
  });
};
const asked = async (
  text: string,
  facts: () => HubKnowledge,
  cacheLagMs = LONG,
  claimed = nothingPending(),
): Promise<boolean> => {
  const { status, body } = await reply(PATHS.validateCapp, text, {
    ...onHub(facts),
    pending: claimed,
    cacheLagMs,
  });
  expect(status).toBe(200);
  return (body as { response: { allowed: boolean } }).response.allowed;
};

test('a site that the cache shows a moment later is no reason to refuse', async () => {
  let looks = 0;
  const facts = (): HubKnowledge => {
    looks += 1;
    return known({ sites: () => (looks < 3 ? [] : [{ name: 'fresh', isHub: false, mayPin: true }]) });
  };
  expect(await asked(question({ site: 'fresh' }), facts)).toBe(true);
  expect(looks).toBe(3);
});

test('what no cache can change is refused at once, and what it does not change in the end', async () => {
  expect(await asked(question({ site: 'atlantis', routeSpec: { hostname: 'x' } }), () => KNOWN)).toBe(false);
  expect(await asked(question({ site: 'atlantis' }), () => KNOWN, 0)).toBe(false);
});

describe('a hostname', () => {
  const wanted = { routeSpec: { hostname: 'app.example.com' } };
  /** A webhook whose cache shows what `stored` gives. */
  const webhook = (stored: () => readonly string[], cacheLagMs: number) => {
    const claimed = nothingPending();
    const facts = (): HubKnowledge =>
      known({
        holders: (hostname) => [
          ...stored().map((name) => ({ namespace: 'apps', name, deleting: false })),
          ...claimed.hostnames.of(hostname, Date.now()),
        ],
      });
    return (name: string, given: object = {}) =>
      asked(question(wanted, { name, ...given }), facts, cacheLagMs, claimed);
  };

  test('is claimed by the first that is allowed to have it: the second waits for the cache, and is refused', async () => {
    const stored: string[] = [];
    const ask = webhook(() => stored, PATIENT);
    const first = ask('first').then((allowed) => {
      setTimeout(() => stored.push('first'), 100);
      return allowed;
    });
    expect(await Promise.all([first, ask('second')])).toEqual([true, false]);
    expect(await ask('first')).toBe(true);
  });

  test('is not claimed by a dry run, so that nobody even waits', async () => {
    const ask = webhook(() => [], LONG);
    expect(await ask('tried', { dryRun: true })).toBe(true);
    expect(await ask('first')).toBe(true);
  });

  test('is refused to nobody for a Capp that was never stored, however often strangers ask for it', async () => {
    const ask = webhook(() => [], 200);
    expect(await ask('stranger')).toBe(true);
    const own = ask('owner');
    const strangers = Array.from({ length: 20 }, (_, index) =>
      ask('stranger', { namespace: `made-up-${index}` }),
    );
    expect(await own).toBe(true);
    await Promise.all(strangers);
  });
});

describe('the last site that is open', () => {
  /** A webhook whose cache shows the Drains that `stored` gives. */
  const webhook = (stored: () => readonly string[], cacheLagMs: number) => {
    const claimed = nothingPending();
    const facts = (): HubKnowledge =>
      known({
        draining: () =>
          ['site-1', 'site-2'].flatMap((site): Draining[] => {
            if (stored().includes(site)) return [{ site }];
            return claimed.drains.of(site, Date.now()).length > 0 ? [{ site, isPending: true }] : [];
          }),
      });
    return async (name: string, given: object = {}) => {
      const object = { metadata: { name }, spec: { dryRun: false } };
      const text = question({}, { namespace: '', name, object, ...given });
      const options = { ...onHub(facts), pending: claimed, cacheLagMs };
      const { body } = await reply(PATHS.validateDrain, text, options);
      return (body as { response: { allowed: boolean } }).response.allowed;
    };
  };

  test('is not drained in the moment in which the other one is', async () => {
    const stored: string[] = [];
    const ask = webhook(() => stored, PATIENT);
    const first = ask('site-1').then((allowed) => {
      setTimeout(() => stored.push('site-1'), 100);
      return allowed;
    });
    expect(await Promise.all([first, ask('site-2')])).toEqual([true, false]);
  });

  test('is kept by no dry run, and by no Drain that was never stored', async () => {
    const patient = webhook(() => [], LONG);
    const look = { object: { metadata: {}, spec: { dryRun: true } } };
    expect(await patient('site-1', { dryRun: true })).toBe(true);
    expect(await patient('site-1', look)).toBe(true);
    expect(await patient('site-2')).toBe(true);
    const hurried = webhook(() => [], 200);
    expect([await hurried('site-1'), await hurried('site-2')]).toEqual([true, true]);
  });
});

test('an object that takes long to judge is judged again the more seldom', async () => {
  let looks = 0;
  const slow = (): HubKnowledge => {
    looks += 1;
    const until = performance.now() + 50;
    while (performance.now() < until);
    return KNOWN;
  };
  expect(await asked(question({ site: 'atlantis' }), slow, 500)).toBe(false);
  expect(looks).toBeLessThanOrEqual(4);
});

test.each([
  ['/nowhere', question({}), 404],
  [PATHS.validateCapp, 'nonsense', 400],
])('%s is answered what it deserves', async (path, text, status) => {
  expect((await reply(path, text, { ...onHub(), pending: nothingPending(), cacheLagMs: LONG })).status).toBe(
    status,
  );
});
