import { parse } from 'yaml';
import { dataPlaneFrom } from '../../../../deploy/local/dataplane/choice.ts';
import { bootstrap } from '../../../../deploy/local/dataplane/parts/envoy.ts';
import { onPort } from '../../../../deploy/local/dataplane/parts/install.ts';
import { objectsOf } from '../../../../deploy/local/dataplane/parts/part.ts';

const PUBLISHED = `
apiVersion: v1
kind: ConfigMap
data:
  envoy-bootstrap.yaml: |
    node: {id: gateway}
    static_resources:
      listeners: [{name: stats}]
      clusters:
        - {name: service_stats, type: static}
        - name: xds_cluster
          connect_timeout: 1s
          type: STRICT_DNS
          load_assignment: {cluster_name: xds_cluster, endpoints: []}
`;

test('Envoy finds Kourier’s controller by its address, and keeps all else that Kourier publishes', () => {
  const settings = parse(bootstrap(PUBLISHED, '10.244.0.6')) as {
    node: unknown;
    static_resources: { listeners: unknown; clusters: readonly Record<string, unknown>[] };
  };
  expect(settings.node).toEqual({ id: 'gateway' });
  expect(settings.static_resources.listeners).toEqual([{ name: 'stats' }]);
  const [stats, xds] = settings.static_resources.clusters;
  expect(stats).toEqual({ name: 'service_stats', type: 'static' });
  expect(xds).toMatchObject({ connect_timeout: '1s', type: 'STATIC' });
  expect(JSON.stringify(xds)).toContain('{"address":"10.244.0.6","port_value":18000}');
});

test('the Service of a part leads to its sandbox, at the ports on which it listens', () => {
  const ports = [{ name: 'http', port: 80, targetPort: 8012 }];
  const [service, endpoints] = objectsOf({ namespace: 'ns', name: 'activator', ports }, '10.244.0.4');
  expect(service).toMatchObject({ kind: 'Service', metadata: { namespace: 'ns' }, spec: { ports } });
  expect(service).not.toHaveProperty('spec.selector');
  expect(endpoints).toMatchObject({
    kind: 'Endpoints',
    subsets: [{ addresses: [{ ip: '10.244.0.4' }], ports: [{ name: 'http', port: 8012 }] }],
  });
});

test('the API server calls Knative’s webhooks at a port of this machine', () => {
  const service = { name: 'webhook', namespace: 'knative-serving' };
  const registration = {
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'validation' },
    webhooks: [{ name: 'validation', failurePolicy: 'Fail', clientConfig: { service } }],
  };
  expect(onPort(registration, 2345)).toEqual({
    ...registration,
    webhooks: [
      { name: 'validation', failurePolicy: 'Fail', clientConfig: { service: { ...service, port: 2345 } } },
    ],
  });
  const secret = { kind: 'Secret', metadata: { name: 'webhook-certs' } };
  expect(onPort(secret, 2345)).toBe(secret);
});

test('DATAPLANE is stand-in, real or not set, and anything else is refused by name', () => {
  expect(dataPlaneFrom('real')).toBe('real');
  expect(dataPlaneFrom('stand-in')).toBe('stand-in');
  expect(dataPlaneFrom('')).toBeNull();
  expect(dataPlaneFrom(undefined)).toBeNull();
  expect(() => dataPlaneFrom('kind')).toThrow('DATAPLANE=kind is neither "stand-in" nor "real"');
});
