// Who asks for the version while no hub answers learns that of the program, and why no other one.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../../cli/program.ts';
import { aTerminal } from '../../../support/builders/process/terminals.ts';

let kubeconfig: string;
beforeAll(async () => {
  kubeconfig = join(await mkdtemp(join(tmpdir(), 'version-')), 'config');
  const nowhere = {
    clusters: [{ name: 'away', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'ann', user: { token: 'none' } }],
    contexts: [{ name: 'away', context: { cluster: 'away', user: 'ann' } }],
    'current-context': 'away',
  };
  await writeFile(kubeconfig, JSON.stringify(nowhere));
});
afterAll(() => rm(join(kubeconfig, '..'), { recursive: true, force: true }));

async function versionOf(...flags: string[]) {
  const { terminal, out, notes } = aTerminal();
  const args = ['version', '--kubeconfig', kubeconfig, ...flags];
  const code = await run({ args, name: 'kubectl capp', version: '1.2' }, terminal);
  return { code, out: out.join('\n'), err: notes.join('\n') };
}

test.each(['json', 'wide'])('without a hub the program says its own version, with -o %s', async (format) => {
  const { code, out, err } = await versionOf('-o', format);
  expect({ code, out, err }).toEqual({
    code: 3,
    out: expect.stringContaining('1.2'),
    err: expect.stringContaining('The hub at https://127.0.0.1:1 (context away) does not answer.'),
  });
});

test('what it says to programs is one document', async () => {
  const { out } = await versionOf('-o', 'json');
  expect(JSON.parse(out)).toMatchObject({ client: '1.2', hub: null });
});
