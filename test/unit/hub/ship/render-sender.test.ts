// What a work says about its sender: which hub shipped it, and as which ServiceAccount the site operator may
// run pods.
import { manifests, type Sender, type Shipment } from '../../../../activities/hub/ship/render/manifests.ts';
import { holds } from '../../../../activities/hub/works.ts';
import { renderWork, type Identity } from '../../../../activities/hub/ship/render/work.ts';
import type { Subject } from '../../../../crds/kubernetes/core.ts';
import { HUB } from '../../../../crds/labels.ts';
import { aCapp } from '../../../support/builders/capps.ts';

const ALICE: Subject = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'alice' };
const IDENTITY: Identity = {
  cluster: 'site-1',
  name: 'mw-create-apps-app',
  incarnation: 'one',
  salt: 'salt',
};

function shipment(plain: Partial<Shipment> = {}, capp: Parameters<typeof aCapp>[0] = {}): Shipment {
  const secret = { metadata: { name: 'keys', namespace: 'apps' } };
  const configMap = { metadata: { name: 'settings', namespace: 'apps' } };
  return { capp: aCapp(capp), configMaps: [configMap], secrets: [secret], logReaders: [], ...plain };
}

const sender: Sender = { hub: 'hub-a', operator: { namespace: 'agents', name: 'cappstan-site' } };

test("every object of a work carries the hub's label, also the Namespace, which says so to other hubs", () => {
  const { manifests: carried } = renderWork(shipment({ sender, logReaders: [ALICE] }), IDENTITY);
  const named = carried.map(({ kind, metadata }) => [kind, metadata.labels?.[HUB]]);
  expect(named).toEqual([
    ['Namespace', 'hub-a'],
    ['Secret', 'hub-a'],
    ['ConfigMap', 'hub-a'],
    ['Role', 'hub-a'],
    ['RoleBinding', 'hub-a'],
    ['Capp', 'hub-a'],
  ]);
});

test("the stamp does not depend on the hub's name, so that a renamed hub starts no rollout", () => {
  const stampFrom = (hub: string): string =>
    renderWork(shipment({ sender: { ...sender, hub } }), IDENTITY).stamp;
  expect(stampFrom('hub-b')).toBe(stampFrom('hub-a'));
});

test("a work lets the site operator run pods as the ServiceAccount in the Capp's spec, and carries no such Role when the Capp names none", () => {
  const of = manifests(shipment({ sender }, { pod: { serviceAccountName: 'modest' } }));
  expect(of.filter(({ metadata }) => metadata.name === 'app-runs-as')).toMatchObject([
    { kind: 'Role', rules: [{ resources: ['serviceaccounts'], resourceNames: ['modest'], verbs: ['use'] }] },
    {
      kind: 'RoleBinding',
      roleRef: { kind: 'Role', name: 'app-runs-as' },
      subjects: [{ kind: 'ServiceAccount', ...sender.operator }],
    },
  ]);
  const none = [shipment({ sender }), shipment({ sender }, { pod: { serviceAccountName: 'default' } })];
  expect(none.flatMap(manifests).filter(({ kind }) => kind === 'Role')).toEqual([]);
});

describe('as whom a work is applied', () => {
  const executor = { namespace: 'agents', name: 'cappstan-capps-0123456789' };
  const [plain, restricted] = [
    renderWork(shipment({ sender }), IDENTITY),
    renderWork(shipment({ sender, executor }), IDENTITY),
  ];

  test('is its executor, if the shipment has one', () => {
    const subject = { type: 'ServiceAccount', serviceAccount: executor };
    expect(restricted.work.spec?.executor).toEqual({ subject });
    expect(plain.work.spec).not.toHaveProperty('executor');
  });

  test('is no part of its stamp, nor of what it carries', () => {
    expect(restricted.stamp).toBe(plain.stamp);
    expect(restricted.manifests).toEqual(plain.manifests);
    expect(restricted.work.metadata).toEqual(plain.work.metadata);
  });

  test('is no reason to write it, whether its site gets the executor or loses it', () => {
    expect(holds(plain.work, restricted.work)).toBe(true);
    expect(holds(restricted.work, plain.work)).toBe(true);
  });

  test('is nothing that a Capp can say', () => {
    const forged = {
      executor: { subject: { type: 'ServiceAccount', serviceAccount: { namespace: 'x', name: 'y' } } },
    };
    const capp = shipment({ sender, executor }, { name: 'app', spec: forged });
    const { work } = renderWork(capp, IDENTITY);
    expect(work.spec?.executor?.subject.serviceAccount).toEqual(executor);
    expect(renderWork({ ...capp, executor: undefined } as never, IDENTITY).work.spec).not.toHaveProperty(
      'executor',
    );
  });
});
