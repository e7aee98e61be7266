// Who may read a Capp's logs on its site, derived from RoleBindings in its namespace on the hub.
import type { RoleBinding, Subject } from '../../../crds/kubernetes/core.ts';
import { forLogReaders, logReaders } from '../../../crds/kubernetes/neighbours.ts';

const apiGroup = 'rbac.authorization.k8s.io';
const user: Subject = { kind: 'User', apiGroup, name: 'alice' };
const group: Subject = { kind: 'Group', apiGroup, name: 'alice' };
const robot: Subject = { kind: 'ServiceAccount', name: 'robot', namespace: 'tools' };

function binding(role: string, subjects: readonly Subject[], kind = 'ClusterRole'): RoleBinding {
  const metadata = {
    name: `${role}-binding`,
    namespace: 'apps',
    uid: 'b-1',
    resourceVersion: '1',
    labels: { theirs: 'yes' },
  };
  return { metadata, roleRef: { apiGroup, kind, name: role }, subjects };
}

test.each<[string, readonly RoleBinding[], readonly Subject[]]>([
  [
    'of kind User, Group and ServiceAccount keep their kind',
    [binding('admin', [user, group, robot])],
    [group, robot, user],
  ],
  ['bound to logs-reader count like those bound to admin', [binding('logs-reader', [user], 'Role')], [user]],
  ['bound to other roles do not count', [binding('edit', [user]), binding('administrator', [group])], []],
  [
    'that are bound twice count once',
    [binding('admin', [user]), binding('logs-reader', [user, user])],
    [user],
  ],
  [
    'of a binding without subjects are none',
    [{ ...binding('admin', []), subjects: undefined } as unknown as RoleBinding],
    [],
  ],
])('W22 subjects %s', (_name, bindings, subjects) => {
  expect(logReaders(bindings)).toEqual(subjects);
  expect(logReaders(bindings.toReversed())).toEqual(subjects);
  expect(logReaders(bindings.map(forLogReaders))).toEqual(subjects);
});

test('the cache keeps only the metadata and the role of a binding that does not count', () => {
  const kept = forLogReaders(binding('edit', [user]));
  expect(kept).toEqual({
    metadata: { name: 'edit-binding', namespace: 'apps', uid: 'b-1', resourceVersion: '1' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'edit' },
    subjects: [],
  });
});
