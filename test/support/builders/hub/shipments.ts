// A Capp with the Secret and the ConfigMap that it refers to, as they are shipped.
import type { Shipment } from '../../../../activities/hub/ship/render/manifests.ts';
import type { Identity } from '../../../../activities/hub/ship/render/work.ts';
import type { ConfigMap, Secret, Subject } from '../../../../crds/kubernetes/core.ts';
import { aCapp } from '../capps.ts';

/** A user who may read logs. */
export const ALICE: Subject = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'alice' };

/** The value of the Secret, which is to stand nowhere else. */
export const CANARY = 'Y2FuYXJ5';

/** Of the work on site-1. */
export const IDENTITY: Identity = {
  cluster: 'site-1',
  name: 'mw-create-apps-app',
  incarnation: 'one',
  salt: 'salt',
};

/** The Secret `keys`. */
export const secret = (plain: Partial<Secret> = {}): Secret => ({
  metadata: { name: 'keys', namespace: 'apps', uid: 's-1', resourceVersion: '7', labels: { theirs: 'yes' } },
  type: 'Opaque',
  data: { key: CANARY },
  ...plain,
});

/** The ConfigMap `settings`. */
export const configMap: ConfigMap = {
  metadata: { name: 'settings', namespace: 'apps', uid: 'c-1', resourceVersion: '8' },
  data: { a: 'b' },
  binaryData: { c: 'ZA==' },
  immutable: true,
};

/** What is shipped of a Capp. */
export function shipment(plain: Partial<Shipment> = {}, capp: Parameters<typeof aCapp>[0] = {}): Shipment {
  return {
    capp: aCapp({ generation: 3, ...capp }),
    configMaps: [configMap],
    secrets: [secret()],
    logReaders: [],
    ...plain,
  };
}
