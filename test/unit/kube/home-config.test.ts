// The kubeconfig in a person's home folder counts where KUBECONFIG names none.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');
const PROGRAM = `
const { endpointOf } = await import('./kube/http/credentials.ts');
const { headers } = await endpointOf().credentials();
console.log(headers.authorization);
`;

const config = (tokenFile: string): string =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'hub', cluster: { server: 'https://hub.test' } }],
    users: [{ name: 'ann', user: { tokenFile } }],
    contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'ann' } }],
    'current-context': 'hub',
  });

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'home-'));
  await mkdir(join(home, '.kube'));
  await writeFile(join(home, '.kube', 'config'), config('of-home'));
  await writeFile(join(home, '.kube', 'of-home'), 'token-of-home\n');
  await writeFile(join(home, 'named'), config('of-named'));
  await writeFile(join(home, 'of-named'), 'token-of-named\n');
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function tokenWith(env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
  });
  return stdout.trim();
}

test('a token file that ~/.kube/config names is used when KUBECONFIG is not set, or empty', async () => {
  expect(await tokenWith({})).toBe('Bearer token-of-home');
  expect(await tokenWith({ KUBECONFIG: '' })).toBe('Bearer token-of-home');
});

test('a token file of the kubeconfig that KUBECONFIG names is used before that of the home folder', async () => {
  expect(await tokenWith({ KUBECONFIG: join(home, 'named') })).toBe('Bearer token-of-named');
});
