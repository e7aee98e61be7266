import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHub } from '../../../cli/start-hub.ts';

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
  expect(await startHub(['--port', '1'], link, () => undefined)).toBe(7);
});

test('a copy of the program outside of a checkout says where there is a hub', async () => {
  const notes: string[] = [];
  expect(await startHub([], program, (line) => notes.push(line))).toBe(1);
  expect(notes).toEqual([
    expect.stringMatching(/^There is no hub beside .* Run dist\/cappstan in a checkout/),
  ]);
});
