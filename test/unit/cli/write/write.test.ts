// What `kubectl capp create` and `set` make of flags and files, before any hub is asked.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../../cli/program.ts';
import { objectsIn } from '../../../../cli/hub/write/files.ts';
import { aTerminal } from '../../../support/builders/process/terminals.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cappstan-write-'));
  await writeFile(
    join(folder, 'kubeconfig'),
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      // Nobody listens there.
      clusters: [{ name: 'hub', cluster: { server: 'https://127.0.0.1:1' } }],
      users: [{ name: 'ann', user: {} }],
      contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'ann', namespace: 'team-a' } }],
      'current-context': 'hub',
    }),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function capp(...args: string[]) {
  const { terminal, out, notes } = aTerminal();
  const all = [...args, '--kubeconfig', join(folder, 'kubeconfig')];
  const code = await run({ args: all, name: 'capp', version: '0' }, terminal);
  return { code, out: out.join('\n'), err: notes.join('\n') };
}

/** Two objects, one of them in a list, with what only an API server writes. */
const MANIFESTS = `apiVersion: v1
kind: ConfigMap
metadata: { name: a, namespace: default }
data: { mode: "0400" }
---
apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: b, namespace: default, resourceVersion: "7" }, big: 9007199254740993 }
`;

async function manifests(name: string, text = MANIFESTS): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'a.yaml'), text);
  return path;
}

describe('--dry-run=client sends nothing and prints', () => {
  it('a Capp', async () => {
    const flags = ['--env', 'A=1=2', '--env', 'B=', '--env-from', 'secret/tls', '--hostname', 'shop'];
    const ended = await capp(
      'create',
      'capp',
      'hello',
      '--image',
      'app:v1',
      '--site',
      'all',
      ...flags,
      '--dry-run=client',
      '-o',
      'json',
    );
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(ended.out)).toEqual({
      apiVersion: 'rcs.dana.io/v1alpha1',
      kind: 'Capp',
      metadata: { namespace: 'team-a', name: 'hello' },
      spec: {
        site: 'all',
        configurationSpec: {
          template: {
            spec: {
              containers: [
                {
                  name: 'hello',
                  image: 'app:v1',
                  env: [
                    { name: 'A', value: '1=2' },
                    { name: 'B', value: '' },
                  ],
                  envFrom: [{ secretRef: { name: 'tls' } }],
                },
              ],
            },
          },
        },
        routeSpec: { hostname: 'shop' },
      },
    });
  });

  it('a set for the sites that are named, each once', async () => {
    const where = ['--clusters', 'a,b', '--clusters', 'b,c'];
    const ended = await capp(
      'create',
      'set',
      'retail/shop',
      '--image',
      'x',
      ...where,
      '--dry-run=client',
      '-o',
      'json',
    );
    expect(JSON.parse(ended.out)).toMatchObject({
      kind: 'CappSet',
      metadata: { namespace: 'retail', name: 'shop' },
      spec: { sites: { clusters: ['a', 'b', 'c'] } },
    });
    const plain = await capp('create', 'set', 'shop', '--image', 'x', '--placement', 'p', '--dry-run=client');
    expect(plain.out).toBe(
      'CappSet team-a/shop would be created. Nothing was sent: --dry-run=server asks the hub whether it would take it.',
    );
  });

  it('a Bundle of a folder: lists taken apart, numbers whole, without what a server wrote', async () => {
    const from = await manifests('good');
    await writeFile(join(from, 'notes.txt'), 'no manifest: [');
    const ended = await capp(
      'create',
      'bundle',
      'base',
      '-f',
      from,
      '--placement',
      'p',
      '--dry-run=client',
      '-o',
      'yaml',
    );
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toContain('placement: p');
    expect(ended.out).toContain('mode: "0400"');
    expect(ended.out).toContain('name: b\n      big: 9007199254740993');
    expect(ended.out).not.toContain('resourceVersion');
  });
});

describe('a wrong command line is refused before the hub is asked', () => {
  it.each([
    [
      ['create', 'set', 'shop', '--image', 'x'],
      'Say which sites it goes to: --clusters site-1,site-2, or --placement',
    ],
    [
      ['create', 'set', 'shop', '--image', 'x', '--clusters', 'a', '--placement', 'p'],
      'Give either --clusters or --placement, and not both.',
    ],
    [['create', 'set', 'shop', '--image', 'x', '--clusters', 'a,'], 'Write the names of sites'],
    [
      ['create', 'capp', 'hello'],
      "required option '--image <image>' not specified: --help says what the command takes",
    ],
    [['set', 'env', 'hello'], "missing required argument 'change': --help says what the command takes"],
    [['create', 'capp', 'hello', '--image', 'x', '--env', 'A'], 'Write NAME=value.'],
    [
      ['create', 'capp', 'hello', '--image', 'x', '--env-from', 'pod/a'],
      'Write configmap/<name> or secret/<name>.',
    ],
    [['create', 'capp', 'hello', '--image', 'x', '-o', 'wide'], '-o wide shows nothing here'],
    [['create', 'capp', 'hello', '--image', 'x', '--dry-run', 'later'], 'Allowed choices are client, server'],
    [['create', 'bundle', 'base', '-f', '/nowhere', '--clusters', 'a'], '/nowhere cannot be read'],
    [['set', 'image', 'hello', 'a b'], '"a b" is no image: write <image>, or <container>=<image>.'],
  ])('%j', async (args, says) => {
    const ended = await capp(...args);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain(says);
  });

  it('and a value of a variable is not repeated', async () => {
    const { code, err } = await capp('set', 'env', 'hello', '=canary');
    expect({ code, err: err.includes('canary') }).toEqual({ code: 2, err: false });
  });

  it.each([
    [
      'a Capp in a Bundle',
      '{apiVersion: rcs.dana.io/v1alpha1, kind: Capp, metadata: {name: a}}',
      'is a Capp',
    ],
    ['an object without a kind', '{metadata: {name: a}}', 'has no apiVersion or no kind'],
    ['nothing at all', '# nothing', 'There is no object in'],
    ['no YAML', 'a: [canary', 'cannot be read: line'],
  ])('%s, which names the file and quotes nothing', async (name, text, says) => {
    const from = await manifests(name, text);
    const { code, err } = await capp('create', 'bundle', 'base', '-f', from, '--clusters', 'a');
    expect(code).toBe(2);
    expect(err).toContain(says);
    expect(err).toContain(from);
    expect(err).not.toContain('canary');
  });
});

test('files of a folder together are no more than a request may have', async () => {
  const from = await manifests('large', `#${'x'.repeat(2 * 1024 * 1024)}`);
  await writeFile(join(from, 'b.yml'), `#${'x'.repeat(2 * 1024 * 1024)}`);
  await expect(objectsIn(from)).rejects.toThrow('more than the 3072 KiB that an API server takes');
  const empty = join(folder, 'empty');
  await mkdir(empty);
  await expect(objectsIn(empty)).rejects.toThrow('has no file that ends in .yaml, .yml or .json');
});
