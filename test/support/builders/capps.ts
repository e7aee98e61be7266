// Builders of Capps for tests. The defaults are the simplest valid values.
import { parseSpec } from '../../../crds/capp/capp.ts';
import type { Capp } from '../../../crds/capp/capp.ts';

interface Plain {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  /** Merged over a spec with one container. */
  readonly spec?: Record<string, unknown>;
  /** Merged over a pod spec with one container. */
  readonly pod?: Record<string, unknown>;
}

export function aCapp(plain: Plain = {}): Capp {
  const {
    name = 'app',
    namespace = 'apps',
    uid = 'uid-1',
    generation = 1,
    labels = {},
    annotations = {},
  } = plain;
  const pod = { containers: [{ name: 'app', image: 'ghcr.io/me/app:v1' }], ...plain.pod };
  return {
    apiVersion: 'rcs.dana.io/v1alpha1',
    kind: 'Capp',
    metadata: { name, namespace, uid, generation, labels, annotations },
    spec: parseSpec({ configurationSpec: { template: { spec: pod } }, ...plain.spec }),
  };
}
