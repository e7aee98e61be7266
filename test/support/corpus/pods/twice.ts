// What Kubernetes takes of a Pod and no site can make a Knative Service of: entries of a list by which
// Knative's schema tells them apart. A server-side apply cannot read them.
import { app, C, mount, one, pod, type Row, V, volume } from './examples.ts';

const env = (...variables: object[]) => one({ env: variables });
const v = { name: 'v', emptyDir: {} };

/** `said`: what the API server of a site says of it, below the revision's template. */
export const TWICE: readonly (readonly [...Row, said: string])[] = [
  [
    'a variable that is there twice',
    env({ name: 'A', value: '1' }, { name: 'B' }, { name: 'A', value: '2' }),
    `${C}.env[2].name`,
    '"A" stands there already',
    `${C}.env: FieldValueDuplicate`,
  ],
  [
    'a variable with a space that is there twice',
    env(
      { name: 'a b] "', value: '1' },
      { name: 'a b] "', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
    ),
    `${C}.env[1].name`,
    'stands there already',
    `${C}.env: FieldValueDuplicate`,
  ],
  [
    'a pull secret that is there twice',
    pod({ imagePullSecrets: [{ name: 'a' }, { name: 'a' }] }),
    'spec.imagePullSecrets[1].name',
    'stands there already',
    'spec.imagePullSecrets: FieldValueDuplicate',
  ],
  [
    'two volumes of one name',
    pod({ containers: [{ ...app, ...mount({}) }], volumes: [v, v] }),
    'spec.volumes[1].name',
    'stands there already',
    'spec.volumes: FieldValueDuplicate',
  ],
  [
    'a mount without its path',
    volume({ emptyDir: {} }, { mountPath: undefined }),
    `${C}.volumeMounts[0].mountPath`,
    'write where to mount it',
    `${C}.volumeMounts: FieldValueRequired`,
  ],
  [
    'a volume without a name',
    pod({ containers: [{ ...app, ...mount({}) }], volumes: [{ ...v, name: undefined }, v] }),
    `${V}.name`,
    'lower-case letters',
    'spec.volumes: FieldValueRequired',
  ],
];
