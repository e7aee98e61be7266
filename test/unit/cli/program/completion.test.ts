// What is completed where, and the scripts for shells.
import { execFileSync } from 'node:child_process';
import { candidates, placeOf } from '../../../../cli/commands/completion/complete.ts';
import { SHELLS } from '../../../../cli/commands/completion/completion.ts';
import { programFor, run } from '../../../../cli/program.ts';
import { aTerminal } from '../../../support/builders/process/terminals.ts';

const { root } = programFor('kubectl capp', aTerminal().terminal);

test.each([
  [['move', ''], 'capp', null],
  [['move', 'hello', 's'], 'site', null],
  [['move', 'hello', 'site-1', ''], null, null],
  [['abandon', 'hello', 'site-1', ''], 'site', null],
  [['move', '-n', ''], 'capp', 'namespace'],
  [['move', '--context', 'a', '--force', ''], 'capp', null],
  [['ls', '-A', '-o', ''], null, 'output'],
  [['-n', 'team-a', 'move', ''], 'capp', null],
  [['-n', ''], 'command', 'namespace'],
  [['rollout', ''], 'command', null],
  [['rollout', 'status', ''], 'set', null],
  [['set', 'image', ''], 'capp', null],
  [['create', 'bundle', 'base', '--clusters', ''], null, 'clusters'],
  [['tree', ''], 'capp', null],
  [['rollout', 'retry', 'shop', ''], 'site', null],
  [['rollout', 'nothing', ''], null, null],
])('at the end of %j stands an argument %s, or the value of the flag %s', (words, argument, flag) => {
  expect(placeOf(root, words)).toMatchObject({ argument, flag });
});

test('flags that stand before the cursor count when the hub is asked', () => {
  expect(placeOf(root, ['move', '-n', 'team-a', '--context', 'hub', '']).flags).toEqual({
    namespace: 'team-a',
    context: 'hub',
  });
});

test('flags before the command count as well', () => {
  expect(placeOf(root, ['-n', 'team-a', '--context=hub', 'move', '']).flags).toEqual({ namespace: 'team-a' });
});

test.each([
  [['wa'], ['wait', 'watch']],
  [
    ['-n', 'team-a', 'wa'],
    ['wait', 'watch'],
  ],
  [
    ['rollout', 'ap'],
    ['approve', 'approve-removal'],
  ],
  [['rollout', 'plan', '--fi'], ['--filename']],
  [
    ['list', '-o', ''],
    ['json', 'wide', 'yaml'],
  ],
  [['list', '--all'], ['--all-namespaces']],
  [['completion', 'b'], ['bash']],
  [['wait', '--for', 'd'], ['deleted']],
  [
    ['create', ''],
    ['bundle', 'capp', 'set'],
  ],
  [['create', 'capp', '--dry'], ['--dry-run']],
  [
    ['set', 'image', '--dry-run', ''],
    ['client', 'server'],
  ],
  [['nothing', ''], []],
])('%j is completed to %j', async (words, expected) => {
  expect(await candidates(root, words, {})).toEqual(expected);
});

test('without a hub nothing is completed, and nothing is said', async () => {
  expect(await candidates(root, ['why', '--kubeconfig', '/nowhere', ''], {})).toEqual([]);
});

test.each(SHELLS)('there is a script for %s, and it can be read', async (shell) => {
  const { terminal, out } = aTerminal();
  expect(await run({ args: ['completion', shell], name: 'kubectl capp', version: '0' }, terminal)).toBe(0);
  const [script = ''] = out;
  expect(script).toContain('__complete --');
  if (shell === 'bash' || shell === 'kubectl')
    execFileSync(shell === 'bash' ? 'bash' : 'sh', ['-n', '-c', script]);
});
