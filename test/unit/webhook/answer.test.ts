// How a question is answered: at once where nothing can change the answer, and with patience where a cache
// may be behind.
import { pendingHostnames } from '../../../admission/pending-hostnames.ts';
import type { HubKnowledge } from '../../../admission/known.ts';
import { PATHS } from '../../../admission/router.ts';
import { reply } from '../../../workers/webhook/answer.ts';
import { known, KNOWN, onHub, raw } from '../../support/builders/admission.ts';

const LONG = 60_000;

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
  claimed = pendingHostnames(),
): Promise<boolean> => {
  const { status, body } = await reply(PATHS.validateCapp, text, {
    ...onHub(facts),
    pendingHostnames: claimed,
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
    const claimed = pendingHostnames();
    const facts = (): HubKnowledge =>
      known({
        holders: (hostname) => [
          ...stored().map((name) => ({ namespace: 'apps', name, deleting: false })),
          ...claimed.of(hostname, Date.now()),
        ],
      });
    return (name: string, given: object = {}) =>
      asked(question(wanted, { name, ...given }), facts, cacheLagMs, claimed);
  };

  test('is claimed by the first that is allowed to have it: the second waits for the cache, and is refused', async () => {
    const stored: string[] = [];
    const ask = webhook(() => stored, 300);
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
  expect(
    (await reply(path, text, { ...onHub(), pendingHostnames: pendingHostnames(), cacheLagMs: LONG })).status,
  ).toBe(status);
});
