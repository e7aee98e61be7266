import { references } from '../../crds/references.ts';
import { aCapp } from '../support/capps.ts';

const container = (more: object) => ({ name: 'app', image: 'i', ...more });
const env = (valueFrom: object) => ({ env: [{ name: 'A', valueFrom }] });
const ref = (name: string, optional = false) => ({ name, optional });

describe('references', () => {
  it.each([
    { title: 'nothing', pod: {}, configMaps: [], secrets: [] },
    {
      title: 'environment of containers and init containers',
      pod: {
        containers: [container(env({ configMapKeyRef: { name: 'c', key: 'k' } }))],
        initContainers: [{ name: 'i', ...env({ secretKeyRef: { name: 's', key: 'k' } }) }],
      },
      configMaps: [ref('c')],
      secrets: [ref('s')],
    },
    {
      title: 'whole environments',
      pod: { containers: [container({ envFrom: [{ configMapRef: { name: 'c' } }, { secretRef: { name: 's', optional: true } }] })] },
      configMaps: [ref('c')],
      secrets: [ref('s', true)],
    },
    {
      title: 'volumes, plain and projected',
      pod: {
        volumes: [
          { name: 'a', configMap: { name: 'c1' } },
          { name: 'b', secret: { secretName: 's1', optional: true } },
          { name: 'c', projected: { sources: [{ configMap: { name: 'c2', optional: true } }, { secret: { name: 's2' } }] } },
          { name: 'd', emptyDir: {} },
        ],
      },
      configMaps: [ref('c1'), ref('c2', true)],
      secrets: [ref('s1', true), ref('s2')],
    },
    {
      title: 'pull secrets, which are optional',
      pod: { imagePullSecrets: [{ name: 'pull' }] },
      configMaps: [],
      secrets: [ref('pull', true)],
    },
    {
      title: 'a name once, sorted, and needed if any use needs it',
      pod: {
        containers: [
          container({
            envFrom: [
              { secretRef: { name: 'z', optional: true } },
              { secretRef: { name: 'z' } },
              { secretRef: { name: 'a', optional: true } },
            ],
          }),
        ],
        imagePullSecrets: [{ name: 'a' }],
      },
      configMaps: [],
      secrets: [ref('a', true), ref('z')],
    },
    { title: 'no empty names', pod: { imagePullSecrets: [{ name: '' }, {}] }, configMaps: [], secrets: [] },
  ])('finds $title', ({ pod, configMaps, secrets }) => {
    expect(references(aCapp({ pod }))).toEqual({ configMaps, secrets });
  });

  it('includes the log password, which no pod waits for', () => {
    const logSpec = { type: 'elastic', host: 'h', index: 'i', user: 'u', passwordSecret: 'p' };
    expect(references(aCapp({ spec: { logSpec } })).secrets).toEqual([ref('p', true)]);
  });
});
