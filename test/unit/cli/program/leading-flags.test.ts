// Flags that people type before the command, as they may for kubectl.
import { leadingFlagsLast } from '../../../../cli/leading-flags.ts';

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');

test.each([
  ['-n shop list', 'list -n shop'],
  ['-nshop list', 'list -nshop'],
  ['--namespace=shop --as tina why app -o yaml', 'why app -o yaml --namespace=shop --as tina'],
  [
    '--context hub --kubeconfig file rollout status app',
    'rollout status app --context hub --kubeconfig file',
  ],
  ['-o json rollback app -- --odd', 'rollback app -o json -- --odd'],
  [
    '--as-group a --as-group b --request-timeout 3 sites',
    'sites --as-group a --as-group b --request-timeout 3',
  ],
  ['-n shop', ''],
])('kubectl capp %s is kubectl capp %s', (typed, meant) => {
  expect(leadingFlagsLast(words(typed))).toEqual(words(meant));
});

test.each([
  '',
  '--help',
  '--version',
  'list -n shop',
  'move app site-2 --wait',
  '--nonsense list',
  '-h list',
])('kubectl capp %s stays as it is', (typed) => {
  expect(leadingFlagsLast(words(typed))).toEqual(words(typed));
});
