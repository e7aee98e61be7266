// The reader on this machine: the hub's API server finds it, and does not look for one that runs no more.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { atThisMachine, readerValues, withdrawReader } from '../../../deploy/local/cappstan/reader.ts';
import type { Kube } from '../../../kube/client.ts';
import { REACH_SERVICE } from '../../../reach/names.ts';

const WAY = { userServer: 'https://127.0.0.1:9092', authority: '/etc/ca.crt' };

test('each value is one of the chart, and there is none without a reader', () => {
  const file = new URL('../../../deploy/helm/values.yaml', import.meta.url);
  const chart = parse(readFileSync(file, 'utf8')) as object;
  const at = (path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>((place, part) => (place as Record<string, unknown> | undefined)?.[part], chart);
  expect(Object.keys(readerValues(WAY)).filter((path) => at(path) === undefined)).toEqual([]);
  expect(readerValues(null)).toEqual({});
});

test('its Service and its API lead to this machine, and nothing else does', () => {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'cappstan-reader' } };
  expect(atThisMachine(service, 7)).toMatchObject({
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  const api = (name: string) => ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name },
    spec: { version: 'v1alpha1', service: { name: 'cappstan-reader', port: 443 } },
  });
  expect(atThisMachine(api(REACH_SERVICE), 7)).toMatchObject({
    spec: { version: 'v1alpha1', service: { name: 'cappstan-reader', port: 7 } },
  });
  const others = [api('v1.other'), { ...service, metadata: { name: 'cappstan-webhook' } }];
  for (const one of others) expect(atThisMachine(one, 7)).toBe(one);
});

test.each([
  ['is removed where it is', {}, [REACH_SERVICE]],
  ['that is not there is not asked for again', null, []],
])('the API of a reader that runs no more %s', async (_, found, removed) => {
  const gone: string[] = [];
  const kube = {
    getMetadata: () => Promise.resolve(found),
    remove: (_resource: unknown, { name }: { name: string }) => {
      gone.push(name);
      return Promise.resolve(true);
    },
  };
  await withdrawReader(kube as unknown as Kube);
  expect(gone).toEqual(removed);
});
