// What people get wrong on a command line is said at once, in one sentence, before any hub is asked.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { failureFrom } from '../../../../cli/hub/connection/sentences.ts';
import { openHub } from '../../../../cli/hub/connection/hub.ts';
import { follow } from '../../../../cli/hub/follow/follow.ts';
import { steeredFromFile } from '../../../../cli/hub/plan/rollout-plan.ts';
import { run } from '../../../../cli/program.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { aTerminal } from '../../../support/builders/process/terminals.ts';

let folder: string;
let kubeconfig: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cappstan-arguments-'));
  kubeconfig = await written('kubeconfig', {
    apiVersion: 'v1',
    kind: 'Config',
    // Nobody listens there.
    clusters: [{ name: 'hub', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'ann', user: { token: 'nobody-s' } }],
    contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'ann', namespace: 'of-context' } }],
    'current-context': 'hub',
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function written(name: string, ...documents: readonly object[]): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, documents.map((one) => stringify(one)).join('---\n'));
  return file;
}

async function capp(...args: string[]) {
  const { terminal, notes } = aTerminal(true);
  const code = await run(
    { args: [...args, '--kubeconfig', kubeconfig], name: 'capp', version: '0' },
    terminal,
  );
  return { code, err: notes.join('\n') };
}

test.each([
  ['move', 'hello', ''],
  ['move', ''],
  ['abandon', 'hello', 'site-1', ''],
  ['drain', '', '--stop'],
  ['plan', ''],
  ['rollout', 'retry', 'shop', ''],
  ['rollout', 'status', ''],
])('an argument that is empty means nothing, least of all any site: %s %j', async (...args) => {
  expect(await capp(...args)).toEqual({ code: 2, err: expect.stringMatching(/^An argument is empty: /) });
});

test.each(['bundle/', 'bundle/shop/edge-base'])('%s names no Bundle', async (name) => {
  expect(await capp('rollout', 'status', name)).toEqual({
    code: 2,
    err: `"${name}" names no Bundle: write bundle/<name>, and its namespace with -n.`,
  });
});

test.each(['- token: canary\n  a: [', 'users: "canary', 'a: canary\n b: canary: c', '!!js canary'])(
  'of a kubeconfig that cannot be read no line is repeated, since it may hold a token: %j',
  async (broken) => {
    const file = join(folder, 'broken');
    await writeFile(file, broken);
    const { terminal, notes } = aTerminal();
    const code = await run({ args: ['list', '--kubeconfig', file], name: 'capp', version: '0' }, terminal);
    expect({ code, err: notes.join('') }).toEqual({ code: 3, err: expect.stringMatching(/^[^\n]+\.$/) });
    expect(notes.join('')).not.toContain('canary');
  },
);

test('an empty namespace is that of the context, as for kubectl', () => {
  expect(openHub({ kubeconfig, namespace: '' }, {}).namespace).toBe('of-context');
  expect(openHub({ kubeconfig, namespace: 'team-a' }, {}).namespace).toBe('team-a');
});

test('whoever is willing to wait for months is not told at once that the time is over', async () => {
  const hub = openHub({ kubeconfig, requestTimeout: 9_999_999 }, {});
  const giveUp = new AbortController();
  const target = { resource: CAPP, namespace: 'apps', name: 'hello' };
  const waiting = follow(hub, target, () => undefined, {
    withinMs: 999_999 * 3_600_000,
    signal: giveUp.signal,
  });
  const first = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 200, 'waits'))]);
  giveUp.abort();
  await waiting;
  await hub.kube.close();
  expect(first).toBe('waits');
});

describe('a file with a set', () => {
  const any = { is: null, name: null } as const;

  it('that is no YAML is called so, without the lines that may hold a Secret', async () => {
    const file = join(folder, 'broken.yaml');
    await writeFile(file, 'data: canary\n a: [');
    const failure = await steeredFromFile(file, any, 'apps').catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringMatching(/ cannot be read: line \d+: [^\n]+\.$/) });
    expect((failure as Error).message).not.toContain('canary');
  });

  const set = { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'CappSet', spec: { placement: 'shops' } };

  it('that is larger than a request may be is not read', async () => {
    const file = join(folder, 'large.yaml');
    await writeFile(file, '#'.repeat(3 * 1024 * 1024 + 1));
    await expect(steeredFromFile(file, any, 'apps')).rejects.toThrow(
      'more than the 3072 KiB that an API server takes',
    );
  });

  it('without a name holds none', async () => {
    const file = await written('nameless.yaml', set, { ...set, metadata: null });
    await expect(steeredFromFile(file, any, 'apps')).rejects.toThrow('has no CappSet or Bundle.');
  });

  it('that was read from a hub is not taken for the object that it was there', async () => {
    const metadata = { name: 'shop', labels: { a: 'b' }, uid: 'another', resourceVersion: '7' };
    const file = await written('read.yaml', { ...set, metadata, status: { revision: 'abc' } });
    const { object } = await steeredFromFile(file, any, 'apps');
    expect(object).toEqual({
      ...set,
      metadata: { name: 'shop', namespace: 'apps', labels: { a: 'b' }, annotations: {} },
    });
  });
});

describe('who may not do something', () => {
  const where = { context: 'hub', server: 'https://hub', namespace: 'apps', as: null };
  const refused = (method: string, plural: string): string => {
    const path = `/apis/rcs.dana.io/v1alpha1/namespaces/apps/${plural}/shop`;
    return failureFrom(new ApiError({ method, path, code: 403, reason: 'Forbidden' }), where)?.message ?? '';
  };

  it.each([
    ['PUT', 'cappsets', 'may not change cappsets in namespace apps', 'for the role "edit" in apps'],
    ['GET', 'setrevisions', 'may not read setrevisions in', 'the role "view" or "edit" in apps'],
    ['PATCH', 'bundles', 'may not change bundles in', 'the ClusterRole cappstan-bundle in apps'],
    ['GET', 'hubstatuses', 'may not read hubstatuses in', 'the rights of an operator of the hub'],
  ])('%s of %s is told which role that takes', (method, plural, what, role) => {
    expect(refused(method, plural)).toContain(what);
    expect(refused(method, plural)).toContain(role);
  });
});

test('who writes into a namespace that is not there is told of that, and not that the hub knows no Capps', () => {
  const where = { context: 'hub', server: 'https://hub', namespace: 'teem-a', as: null };
  const refused = (said: string): string => {
    const path = '/apis/rcs.dana.io/v1alpha1/namespaces/teem-a/capps';
    const error = new ApiError({ method: 'POST', path, code: 404, reason: 'NotFound', said });
    return failureFrom(error, where)?.message ?? '';
  };
  expect(refused('namespaces "teem-a" not found')).toMatch(
    /^There is no namespace teem-a on the hub at https:\/\/hub\. .+kubectl create namespace teem-a\.$/,
  );
  expect(refused('the server could not find the requested resource')).toContain('does not know Capps');
});

test.each(['exec', 'port-forward'])(
  '%s says why it does not go through the hub, and where to get it',
  async (act) => {
    const { code, err } = await capp(act, '-it', 'hello', '--', 'sh');
    expect(code).toBe(4);
    expect(err).toContain(`${act} needs rights of your own on the site`);
    expect(err).toContain('kubectl capp pods hello names site and Pod');
  },
);

test('a token is not made where its line could not be kept', async () => {
  const file = await written('line', {});
  const { code, err } = await capp('token', '--cluster', 'shop-7', '--save', file);
  expect(code).toBe(2);
  expect(err).toBe(`${file} exists already. Give another file with --save.`);
});
