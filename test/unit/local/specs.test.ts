import { existsSync } from 'node:fs';
import { controllerManager } from '../../../deploy/local/kubernetes/controller-manager.ts';
import { etcd } from '../../../deploy/local/kubernetes/etcd.ts';
import { cappstanProcess, type Component } from '../../../deploy/local/cappstan/processes.ts';
import { specHash } from '../../../deploy/local/supervise/stack-processes.ts';
import { folderOf, toolPath } from '../../../deploy/local/programs/tools.ts';
import { ALL_MODULES } from '../../../deploy/local/programs/optional-modules.ts';
import { temporal } from '../../../deploy/local/temporal/dev-server.ts';
import type { Pki } from '../../../deploy/local/kubernetes/pki.ts';

const pair = { cert: '/p/a.crt', key: '/p/a.key' };
const pki: Pki = {
  authority: pair,
  requestHeader: { authority: pair, issue: () => Promise.resolve(pair) },
  serviceAccounts: { privateKey: '/p/s.key', publicKey: '/p/s.pub' },
  issue: () => Promise.resolve(pair),
  another: () => Promise.resolve({ authority: pair, issue: () => Promise.resolve(pair) }),
};
const manager = (role: 'hub' | 'site', port = 4) =>
  controllerManager({ binary: '/b/kcm', cluster: role, role, kubeconfig: '/k', pki, port });
const engine = temporal({
  binary: '/b/t',
  database: '/d/t.db',
  port: 5,
  uiPort: 6,
  httpPort: 7,
  metricsPort: 8,
  keywords: ['CappSite'],
});

it.each([
  ['etcd', etcd({ binary: '/b/etcd', dataDir: '/d', clientPort: 2, peerPort: 3 }).spec],
  ['temporal', engine.spec],
  ['the hub’s controllers', manager('hub')],
])('%s listens only on loopback, on the ports of its spec', (_name, spec) => {
  const text = spec.args.join(' ');
  for (const port of spec.ports) expect(text).toMatch(new RegExp(`[:=]${port}\\b`));
  expect(text).toContain('127.0.0.1');
  expect(text).not.toMatch(/0\.0\.0\.0|localhost/);
});

it('only sites run workload controllers', () => {
  const controllers = (role: 'hub' | 'site') =>
    manager(role).args.find((arg) => arg.startsWith('--controllers='));
  expect(controllers('hub')).not.toContain('deployment-controller');
  expect(controllers('site')).toContain('deployment-controller');
});

it('search attributes are registered as keywords', () => {
  expect(engine.spec.args).toContain('--search-attribute=CappSite=Keyword');
});

it('the hash of a spec changes with its arguments', () => {
  expect(specHash(manager('hub'))).toBe(specHash(manager('hub')));
  expect(specHash(manager('hub', 9))).not.toBe(specHash(manager('hub')));
});

it('every program has its own path, outside the checkout', () => {
  const paths = ALL_MODULES.flatMap(({ builds }) => builds.map(({ tool }) => toolPath(tool)));
  expect(new Set(paths).size).toBe(paths.length);
  for (const module of ALL_MODULES) expect(folderOf(module).startsWith(process.cwd())).toBe(false);
});

it.each<Component>(['bridge', 'hub', 'webhook', 'agent', 'site'])(
  'the main file of the process %s exists',
  async (component) => {
    const ports = { of: () => Promise.resolve(1), all: () => ({}) };
    const { args } = await cappstanProcess(
      { component, cluster: 'site-1', kubeconfig: '/k', nodeFlags: [], env: {} },
      ports,
    );
    expect(existsSync(args.at(-1) ?? '')).toBe(true);
  },
);
