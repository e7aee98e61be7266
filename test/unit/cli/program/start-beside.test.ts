// The commands of `cappstan` that are programs of a checkout.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isBeside, startBeside } from '../../../../cli/start-beside.ts';

let root: string;
let program: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'start-hub-'));
  mkdirSync(join(root, 'dist'));
  program = join(root, 'dist', 'cappstan');
  writeFileSync(join(root, 'dist', 'kubectl-capp.cjs'), '');
  symlinkSync('kubectl-capp.cjs', program);
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

test('the hub of the checkout is started, also by a link, and its exit code is ours', async () => {
  mkdirSync(join(root, 'deploy', 'hub'), { recursive: true });
  const main = join(root, 'deploy', 'hub', 'main.ts');
  writeFileSync(main, "process.exit(process.argv.slice(2).join(' ') === 'hub --port 1' ? 7 : 1);");
  const link = join(root, 'link');
  symlinkSync(program, link);
  expect(await startBeside('hub', { args: ['--port', '1'], program: link }, () => undefined)).toBe(7);
});

test('a copy of the program outside of a checkout says where there is a hub', async () => {
  const notes: string[] = [];
  expect(await startBeside('hub', { args: [], program }, (line) => notes.push(line))).toBe(1);
  expect(notes).toEqual([
    expect.stringMatching(/^There is no program for hub beside .* Run dist\/cappstan in a checkout/),
  ]);
});

test('hub, hubs, etcd, join and leave are programs beside this one, and other commands are none', () => {
  expect(['hub', 'hubs', 'etcd', 'join', 'leave', 'list', 'toString', undefined].map(isBeside)).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
