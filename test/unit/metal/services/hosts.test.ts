// Servers of a load balancer and hosts of a jump host each have a name of their own.
import { namesOf } from '../../../../activities/hub/metal/services/hosts.ts';
import type { BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';

const named = (...hosts: readonly string[]): string[] => {
  const all = hosts.map((host): BareMetalHost => {
    const [namespace = '', name = ''] = host.split('/');
    return { metadata: { namespace, name } };
  });
  return [...namesOf(all).values()];
};

test('hosts have their own names as long as no two have one', () => {
  expect(named('a/n', 'b/m', 'c/a.n')).toEqual(['n', 'm', 'a.n']);
});

test('as soon as two have one, all have their namespaces before theirs, so that none is like another', () => {
  expect(named('a/n', 'b/n', 'c/m')).toEqual(['a.n', 'b.n', 'c.m']);
  expect(named('a/n', 'b/n', 'c/a.n')).toEqual(['a.n', 'b.n', 'c.a.n']);
});
