// What stands both in TypeScript and in a template of the chart is the same in both: a policy that knows
// fewer names than the webhook lets through what the webhook refuses.
import { readFileSync } from 'node:fs';
import { CLUSTER_IDENTITIES } from '../../../crds/ocm/cluster-identities.ts';
import { RESERVED_NAMESPACES } from '../../../crds/reserved-namespaces.ts';

const template = (file: string): string =>
  readFileSync(new URL(`../../../deploy/helm/templates/${file}`, import.meta.url), 'utf8');

/** What the group of the pattern holds, in quotes of either kind. */
function quoted(text: string, pattern: RegExp): string[] {
  const [, found = ''] = pattern.exec(text) ?? [];
  return [...found.matchAll(/["']([^"']+)["']/g)].map(([, word = '']) => word);
}

test('the policy about labels and taints knows the identities of clusters that the webhook knows', () => {
  const known = quoted(
    template('_parts.tpl'),
    /define "cappstan\.isCluster" -\}\}\n\[([^\]]+)\]\.exists\(prefix, request\.userInfo\.username\.startsWith\(prefix\)\)/,
  );
  expect(known).toEqual(CLUSTER_IDENTITIES);
});

test('the policy on sites reserves the namespaces that webhook, hub worker and site operator reserve', () => {
  const reserved = quoted(template('_guard.tpl'), /\$reserved := list ([^}]+)\}\}/);
  expect(reserved).toEqual(RESERVED_NAMESPACES);
});

test('the role that a person without a list may ask for is the one that kubectl capp names', () => {
  const command = readFileSync(new URL('../../../cli/commands/capp/ui.ts', import.meta.url), 'utf8');
  const [role] = /cappstan-[-a-z]+/.exec(command) ?? [];
  expect(template('user-roles.yaml')).toContain(`name: ${role}\n`);
});
