// Who may read a Capp's logs on its site, from RoleBindings in its namespace on the hub.
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
    'of users, groups and service accounts stay what they are',
    [binding('admin', [user, group, robot])],
    [group, robot, user],
  ],
  ['of log readers count as those of admins do', [binding('logs-reader', [user], 'Role')], [user]],
  ['of other roles do not count', [binding('edit', [user]), binding('administrator', [group])], []],
  [
    'that are bound twice count once',
    [binding('admin', [user]), binding('logs-reader', [user, user])],
    [user],
  ],
  [
    'of a binding without any are none',
    [{ ...binding('admin', []), subjects: undefined } as unknown as RoleBinding],
    [],
  ],
])('W22 subjects %s', (_name, bindings, subjects) => {
  expect(logReaders(bindings)).toEqual(subjects);
  expect(logReaders(bindings.toReversed())).toEqual(subjects);
  expect(logReaders(bindings.map(forLogReaders))).toEqual(subjects);
});

test('of a binding that does not count, only that it is there is kept', () => {
  const kept = forLogReaders(binding('edit', [user]));
  expect(kept).toEqual({
    metadata: { name: 'edit-binding', namespace: 'apps', uid: 'b-1', resourceVersion: '1' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'edit' },
    subjects: [],
  });
});
