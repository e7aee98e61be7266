// Checks of an app as the API server and the webhook accept them: defaults, and refusals that name the field
// and say what to do.
import { BUNDLE } from '../../../crds/bundle/bundle.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { aConfigMap } from '../../support/builders/fleet/bundles.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';
import type { RawClient } from '../../support/servers/api/identities.ts';
import { startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';

let stage: WebhookForTests;
let alice: RawClient;
const namespace = 'retail';
beforeAll(async () => {
  stage = await startWebhook([namespace, RCS_CONFIG_KEY.namespace], Date.now());
  alice = await stage.rawAs('alice');
  const { apiVersion, kind } = RCS_CONFIG;
  const spec = { placements: ['all'], placementsNamespace: 'placements', pinning: 'Any' };
  await stage.kube.create(RCS_CONFIG, { apiVersion, kind, metadata: RCS_CONFIG_KEY, spec } as never);
  const site = { apiVersion: MANAGED_CLUSTER.apiVersion, kind: MANAGED_CLUSTER.kind };
  await stage.kube.create(MANAGED_CLUSTER, { ...site, metadata: { name: 'site-1' } });
  // The API server may not trust the webhook's certificate yet for the first requests.
  await eventually(async () => ((await set({})).code === 201 ? true : undefined));
}, 300_000);
afterAll(() => stage?.stop());
afterEach(() => expect(stage.faults).toEqual([]));

const at = ({ apiVersion, plural }: typeof CAPP_SET | typeof BUNDLE | typeof CAPP): string =>
  `/apis/${apiVersion}/namespaces/${namespace}/${plural}?dryRun=All`;
const sites = { sites: { clusters: ['site-1'] } };
const check = (changes: object = {}) => ({ name: 'answers', http: { path: '/' }, ...changes });
const query = (text = 'up', expected = 'result < 0.01') => ({
  prometheus: { query: text },
  expect: expected,
});
const stages = (...verify: object[]) => ({ strategy: { stages: [{ name: 'all', verify }] } });
const set = (spec: object) => alice('POST', at(CAPP_SET), aSet('shop', { ...sites, ...spec }, namespace));

test.each<[string, object[], string, string]>([
  ['an address', [check({ http: { path: 'http://10.0.0.1/' } })], 'verify[0].http.path', 'must be a path'],
  ['an empty path', [check({ http: { path: '' } })], 'verify[0].http.path', ''],
  ['a path with spaces', [check({ http: { path: '/a b' } })], 'verify[0].http.path', 'without spaces'],
  [
    'another language',
    [check({ http: { path: '/', expect: 'status == 200 || true' } })],
    'verify[0].http.expect',
    'must be terms such as status == 200',
  ],
  ['a word for a time', [check({ interval: 'soon' })], 'verify[0].interval', 'such as 10s or 1m'],
  ['a check without an end', [check({ interval: '1m', count: 100 })], 'verify[0].count', 'lower one of them'],
  ['a check that cannot fail', [check({ failureLimit: 3 })], 'verify[0].failureLimit', 'lower it'],
  ['more measurements than may be', [check({ count: 101 })], 'verify[0].count', 'from 1 to 100'],
  ['no way to check', [{ name: 'answers' }], 'verify[0]', 'exactly one of http, prometheus and job'],
  ['two ways to check', [check({ ...query() })], 'verify[0]', 'exactly one of http, prometheus and job'],
  [
    'a query of which nothing is expected',
    [{ name: 'errors', prometheus: { query: 'up' } }],
    'verify[0]',
    'write it beside prometheus',
  ],
  [
    'an expectation of a request at its side',
    [check({ expect: 'result < 1' })],
    'verify[0]',
    'inside of http',
  ],
  [
    'another language for a result',
    [{ name: 'errors', ...query('up', 'result.value < 1') }],
    'verify[0].expect',
    'must be terms such as result < 0.01',
  ],
  [
    'a word that empty does not know',
    [{ name: 'errors', ...query(), prometheus: { query: 'up', empty: 'Passed' } }],
    'verify[0].prometheus.empty',
    'Inconclusive',
  ],
  [
    'a query that leads out of its namespace',
    [{ name: 'errors', ...query('up{a="b" or c="d"}') }],
    'verify[0].prometheus.query',
    "kept in the Capp's namespace",
  ],
  ['a check named twice', [check(), check()], 'verify[1]', 'Duplicate'],
  ['six checks', Array.from({ length: 6 }, (_, n) => check({ name: `c${n}` })), 'verify', '5'],
])('a stage with %s is refused, with the field and the remedy', async (_what, verify, field, remedy) => {
  const { code, message } = await set(stages(...verify));
  expect(code).toBe(422);
  expect(message).toContain(`spec.strategy.stages[0].${field}`);
  expect(message).toContain(remedy);
});

test('a stage is taken with as many and as large checks as may be, on as many stages as there may be', async () => {
  const term = `body.contains('${'x'.repeat(90)}')`;
  const large = (n: number) =>
    check({ name: `c${n}`, http: { path: `/${'x'.repeat(255)}`, expect: `${term} && ${term}` } });
  const all = Array.from({ length: 20 }, (_, index) => ({
    name: `s${index}`,
    sites: { count: 1 },
    verify: Array.from({ length: 5 }, (_2, n) => large(n)),
  }));
  expect(await set({ strategy: { stages: all } })).toMatchObject({ code: 201 });
});

test('so are as many queries, as long as they may be', async () => {
  const long = `sum(up{pod!="${'x'.repeat(1_000)}"})`;
  const expected = 'result >= 0.000000000000001 && result < 100000000000000.5 && result != 1 && result != 2';
  const all = Array.from({ length: 20 }, (_, index) => ({
    name: `s${index}`,
    sites: { count: 1 },
    verify: Array.from({ length: 5 }, (_2, n) => ({ name: `c${n}`, ...query(long, expected) })),
  }));
  expect(await set({ strategy: { stages: all } })).toMatchObject({ code: 201 });
});

test('a query gets its defaults', async () => {
  const body = aSet('shop', { ...sites, ...stages({ name: 'errors', ...query() }) }, namespace);
  const made = (await stage.kube.raw('POST', at(CAPP_SET), { body })) as CappSet;
  expect(made.spec.strategy.stages?.[0]?.verify).toEqual([
    {
      name: 'errors',
      prometheus: { query: 'up', empty: 'Inconclusive' },
      expect: 'result < 0.01',
      interval: '10s',
      count: 3,
      failureLimit: 0,
    },
  ]);
});

test('a check gets its defaults', async () => {
  const body = aSet('shop', { ...sites, ...stages(check()) }, namespace);
  const made = (await stage.kube.raw('POST', at(CAPP_SET), { body })) as CappSet;
  expect(made.spec.strategy.stages?.[0]?.verify).toEqual([
    {
      name: 'answers',
      http: { path: '/', expect: 'status >= 200 && status < 300' },
      interval: '10s',
      count: 3,
      failureLimit: 0,
    },
  ]);
});

test('a Bundle refuses checks of an app, and says what there is instead', async () => {
  const spec = { ...sites, manifests: [aConfigMap()], ...stages(check()) };
  const body = {
    apiVersion: BUNDLE.apiVersion,
    kind: BUNDLE.kind,
    metadata: { namespace, name: 'base' },
    spec,
  };
  const { code, message } = await alice('POST', at(BUNDLE), body);
  expect([code, message]).toEqual([422, expect.stringContaining('write a job in each check of its stages')]);
});

test('a Capp that never runs twice refuses checks of a new copy', async () => {
  const capp = aCapp({ name: 'shop' });
  const of = (strategy: string) => ({
    ...capp,
    metadata: { name: 'shop', namespace },
    spec: { ...capp.spec, migration: { strategy, verify: [check()] } },
  });
  expect(await alice('POST', at(CAPP), of('MakeBeforeBreak'))).toMatchObject({ code: 201 });
  const { code, message } = await alice('POST', at(CAPP), of('Recreate'));
  expect([code, message]).toEqual([422, expect.stringContaining('spec.migration.verify')]);
  expect(message).toContain('leave verify out, or use MakeBeforeBreak');
});
