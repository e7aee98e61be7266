// People's hands on a running stack: a tenant with rights in one namespace does everything but drain and
// sites, and an operator sees that all is well, both without an address of Temporal.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { run } from '../../../cli/program.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { RBAC_GROUP, ROLE_BINDING } from '../../../crds/kubernetes/core.ts';
import { PLAN } from '../../../crds/labels.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { PLACEMENT } from '../../../crds/ocm/placements.ts';
import { createCapp, newNamespace, readCapp, siteOf, untilGone, untilReady } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { otherSite } from '../../../testbed/sites.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';
import { aTerminal } from '../../support/builders/process/terminals.ts';

/** That of the RCSConfig of `make up`. */
const PLACEMENT_OF_ALL = { namespace: 'placements', name: 'default' };

let stack: TestbedStack;
let namespace: string;
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'hands');
  for (const name of ['cappstan-capp-edit', 'cappstan-capp-view'])
    await stack.hub.create(ROLE_BINDING, {
      metadata: { namespace, name },
      roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name },
      subjects: [{ kind: 'User', apiGroup: RBAC_GROUP, name: 'tenant' }],
    } as never);
});
afterAll(() => stack?.close());

async function capp(cluster: string, ...words: string[]) {
  const { terminal, out, notes } = aTerminal();
  const flags = ['--kubeconfig', stack.layout.kubeconfig(cluster), '--request-timeout', '60'];
  const args = [...words, ...flags, '-n', namespace];
  const code = await run({ args, name: 'kubectl capp', version: '0' }, terminal);
  return { code, out: out.join('\n'), err: notes.join('\n') };
}
const tenant = (...words: string[]) => capp('hub', ...words, '--as', 'tenant');
const operator = (...words: string[]) => capp('hub', ...words);

test('a tenant follows, moves, pauses, edits and rolls back a Capp, and may neither drain a site nor list sites', async () => {
  const key = { namespace, name: 'mine' };
  await createCapp(stack.hub, key);
  expect(await tenant('wait', 'mine')).toMatchObject({ code: 0 });
  const home = siteOf(await untilReady(stack.hub, key));
  expect((await tenant('list')).out).toContain(home);
  expect((await tenant('why', 'mine')).out).toContain(home);
  expect((await tenant('pause', 'mine')).code).toBe(0);
  expect((await tenant('resume', 'mine')).code).toBe(0);
  const away = otherSite(stack, home);
  expect(await tenant('move', 'mine', away, '--wait')).toMatchObject({
    code: 0,
    out: expect.stringContaining(away),
  });

  await stack.hub.patch(CAPP, key, { spec: { scaleMetric: 'rps' } });
  await eventually(async () =>
    (await tenant('history', 'mine')).out.includes('Generation 2') ? true : undefined,
  );
  const back = await tenant('rollback', 'mine', '--reason', 'it was better');
  expect(back).toMatchObject({
    code: 0,
    out: expect.stringContaining('the spec of revision 1 again, as generation 3'),
  });
  const { rollback } = await eventually(async () => {
    const { status } = await readCapp(stack.hub, key);
    return status?.rollback === undefined ? undefined : status;
  });
  expect(rollback).toMatchObject({ to: 1, result: 'RolledBack', by: 'tenant', why: 'it was better' });
  expect((await tenant('wait', 'mine')).code).toBe(0);
  expect(await tenant('ui', 'mine')).toMatchObject({
    out: `capp/${namespace}/mine`,
    err: expect.stringContaining('ClusterRole cappstan-hub-status-view'),
  });
  const address = 'http://temporal.example';
  expect((await tenant('ui', 'mine', '--address', address)).out).toContain(`${address}/namespaces/`);
  expect((await operator('ui', 'mine')).out).toContain('capp%2F');

  for (const words of [['sites'], ['drain', home], ['plan', home], ['list', '-A']])
    expect({ words, code: (await tenant(...words)).code }).toEqual({ words, code: 4 });
  await stack.hub.remove(CAPP, key);
  await untilGone(stack.hub, key);
});

test('an operator sees every site with its agent, and the doctor finds nothing where all is well', async () => {
  await eventually(async () => {
    const sites = await operator('sites');
    for (const site of stack.sites) expect(sites.out).toMatch(new RegExp(`${site} +Ready .+Answers`));
    return true;
  });
  // The bridge may have looked before the hub worker began to ask for work; it looks again within a minute.
  const silent = async (): Promise<true> => {
    expect(await operator('doctor')).toEqual({ code: 0, out: '', err: '' });
    return true;
  };
  await eventually(silent, { withinMs: 110_000, everyMs: 1_000 });
});

test('an operator sees what an edit of a Placement would do, by what OCM itself selects', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cappstan-plan-'));
  const file = join(folder, 'edit.yaml');
  const planned = async (spec: object) => {
    const { apiVersion, kind } = PLACEMENT;
    await writeFile(file, stringify({ apiVersion, kind, metadata: PLACEMENT_OF_ALL, spec }));
    return operator('plan', '-f', file);
  };
  const [kept = ''] = stack.sites;
  const set = { clusterSets: ['default'] };
  const label = `example.com/${namespace}`;
  const site = { namespace: null, name: kept };
  await stack.hub.patch(MANAGED_CLUSTER, site, { metadata: { labels: { [label]: 'kept' } } });
  const only = { requiredClusterSelector: { labelSelector: { matchLabels: { [label]: 'kept' } } } };
  expect(await planned({ ...set, predicates: [only] })).toMatchObject({
    code: 0,
    out: expect.stringContaining(`OCM selects ${kept} by it.`),
  });
  expect(await planned({ ...set, numbrOfClusters: 2 })).toMatchObject({
    out: '',
    err: expect.stringContaining('numbrOfClusters'),
  });
  const { items } = await stack.hub.list(PLACEMENT, { labelSelector: `${PLAN}=trial` });
  expect(items).toEqual([]);
  await stack.hub.patch(MANAGED_CLUSTER, site, { metadata: { labels: { [label]: null } } });
  await rm(folder, { recursive: true });
});

test('on a site a person is told to choose the hub, whatever they ask and whatever is there', async () => {
  const key = { namespace, name: 'copied' };
  await createCapp(stack.hub, key);
  const home = siteOf(await untilReady(stack.hub, key));
  for (const words of [
    ['why', 'copied'],
    ['why', 'nothing'],
    ['list', '-n', 'nowhere'],
    ['sites'],
    ['drain', home],
    ['doctor'],
  ]) {
    const { code, out, err } = await capp(home, ...words);
    expect({ words, code, out, err }).toEqual({
      words,
      code: 5,
      out: '',
      err: expect.stringMatching(/is a site: .+ Choose the hub with --context\.$/),
    });
  }
  await stack.hub.remove(CAPP, key);
  await untilGone(stack.hub, key);
});
