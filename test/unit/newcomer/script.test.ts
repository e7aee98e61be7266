// What becomes of a page: one script that ends at the first command that fails.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandsOf } from '../../newcomer/blocks.ts';
import { PAGES } from '../../newcomer/pages.ts';
import { scriptOf } from '../../newcomer/script.ts';

const ROOT = new URL('../../../', import.meta.url);
const commandsIn = (...lines: string[]) => commandsOf(['```sh', ...lines, '```', ''].join('\n'));
const run = (script: string) => spawnSync('bash', ['-c', script], { encoding: 'utf8' });

test.each(PAGES)('$file has every command that the table names, and its script can be read', (page) => {
  const script = scriptOf(page, commandsOf(readFileSync(new URL(page.file, ROOT), 'utf8')));
  execFileSync('bash', ['-n'], { input: script });
  expect(script).toContain(`${page.file}:`);
});

test('a script ends at the first command that fails, which is the last one that it has said', () => {
  const { stdout, status } = run(scriptOf({ file: 'a.md' }, commandsIn('echo one', 'exit 3', 'echo two')));
  expect(status).toBe(3);
  expect(stdout.trim().split('\n')).toEqual(['a.md:2 $ echo one', 'one', '', 'a.md:3 $ exit 3']);
});

test('a command in the middle of a pipe may not fail either', () => {
  expect(run(scriptOf({ file: 'a.md' }, commandsIn('false | cat'))).status).toBe(1);
});

test('what is given comes first, and what a command needs comes before it', () => {
  const page = { file: 'a.md', given: ['x=given'], before: { 'echo $x two': ['x=before'] } };
  const { stdout } = run(scriptOf(page, commandsIn('echo $x', 'echo $x two')));
  expect(stdout.split('\n').filter((line) => /^(given|before)/.test(line))).toEqual([
    'given $ x=given',
    'given',
    'before it $ x=before',
    'before two',
  ]);
});

test('an endless command is ended, and one that ends by itself has failed', () => {
  const page = { file: 'a.md', endless: ['sleep'] };
  expect(run(scriptOf(page, commandsIn('sleep 1000   # watch it'))).status).toBe(0);
  expect(run(scriptOf(page, commandsIn('sleep 0'))).status).toBe(1);
});

test('a command goes on beside the others until the page ends, and the next one waits until it can be used', () => {
  const lines = ['sleep 0.3; echo can be used; exec sleep 1000', 'jobs -p | wc -l | tr -d " "', 'false'];
  const page = { file: 'a.md', beside: { 'sleep 0.3': 'can be used' }, ends: ['echo ended >&2'] };
  const began = Date.now();
  const { stdout, stderr, status } = run(scriptOf(page, commandsIn(...lines)));
  expect({ status, stderr: stderr.trim() }).toEqual({ status: 1, stderr: 'ended' });
  expect(stdout).toContain('a.md:3 $ jobs -p | wc -l | tr -d " "\n1\n');
  expect(Date.now() - began).toBeLessThan(60_000);
});

test('a command beside the others that ends too early has failed, with all that it said', () => {
  const page = { file: 'a.md', beside: { 'echo the port': 'can be used' } };
  const { stdout, status } = run(scriptOf(page, commandsIn('echo the port is taken', 'echo next')));
  expect(status).toBe(1);
  expect(stdout).toContain('the port is taken\nIt has not said: can be used\n');
  expect(stdout).not.toContain('$ echo next');
});

test('a command that is left out is not run, and the script says why', () => {
  const page = { file: 'a.md', left: { exit: 'it would end the test' } };
  const { stdout, status } = run(scriptOf(page, commandsIn('exit 1')));
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: 'a.md:2 is left out, since it would end the test: exit 1\n',
  });
});

test('a command that the page no longer has must leave the table too', () => {
  expect(() => scriptOf({ file: 'a.md', endless: ['sleep'] }, commandsIn('ls'))).toThrow(
    'a.md has no command that begins with: sleep',
  );
});

test('a command finds the file that the page shows above it, unless it is there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cappstan-script-'));
  try {
    const commands = commandsOf(
      '```yaml\nkind: Capp\n```\n\n```sh\ncat < a.yaml; cat -f a.yaml || true\n```\n',
    );
    spawnSync('bash', ['-c', scriptOf({ file: 'a.md' }, commands)], { cwd: folder });
    expect(existsSync(join(folder, 'a.yaml'))).toBe(true);
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe('kind: Capp\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
