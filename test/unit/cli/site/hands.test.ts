// `kubectl capp exec` and `port-forward` say where a shell is to be had, in the words of what was typed.
import { run } from '../../../../cli/program.ts';
import { aTerminal } from '../../../support/builders/process/terminals.ts';

test.each([
  [['exec', 'shop'], 'pods shop names', 'kubectl exec <pod>'],
  [['exec', 'shop', '-n', 'team-a', '--', 'sh'], 'pods shop -n team-a names', 'kubectl exec <pod>'],
  [['exec', '-n', 'team-a', 'shop', '--', 'sh'], 'pods shop -n team-a names', 'kubectl exec <pod>'],
  [['exec', 'shop', '--', 'sh', '-n', 'x'], 'pods shop names', 'kubectl exec <pod>'],
  [['exec', '-it', '--namespace=team-a', 'shop'], 'pods shop -n team-a names', 'kubectl exec <pod>'],
  [['exec', '-c', 'app', '--context', 'hub', 'shop', '--', 'ls', '-n'], 'pods shop', 'kubectl exec <pod>'],
  [
    ['port-forward', '--address', '127.0.0.1', 'shop', '8080:80'],
    'pods shop names',
    'kubectl port-forward <pod>',
  ],
])('%j names the Capp, and not what a flag takes', async (args, pods, act) => {
  const { terminal, notes } = aTerminal();
  expect(await run({ args, name: 'kubectl capp', version: 'test' }, terminal)).toBe(4);
  expect(notes.join()).toContain(`kubectl capp ${pods}`);
  expect(notes.join()).toContain(act);
});
