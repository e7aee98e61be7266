// The registrar on this machine: it runs where it is asked for, with all that it needs, and nowhere else.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { argoClustersFrom, argoValues } from '../../../deploy/local/cappstan/argo-clusters.ts';

const ALL = {
  ARGOCD_NAMESPACE: 'argocd',
  USER_SERVER_URL: 'https://127.0.0.1:9092',
  USER_SERVER_CA_FILE: '/etc/proxy-ca.crt',
};

test('nobody asks for it without a namespace of Argo CD', () => {
  expect(argoClustersFrom({ ...ALL, ARGOCD_NAMESPACE: '' })).toBeNull();
  expect(argoValues(null)).toEqual({});
});

test('it is asked for by the variables that it reads itself', () => {
  const argo = { namespace: 'argocd', userServer: ALL.USER_SERVER_URL, authority: ALL.USER_SERVER_CA_FILE };
  expect(argoClustersFrom(ALL)).toEqual({ ...argo, account: 'argocd' });
  expect(argoClustersFrom({ ...ALL, ARGOCD_ACCOUNT: 'cd' })).toEqual({ ...argo, account: 'cd' });
});

test.each(['USER_SERVER_URL', 'USER_SERVER_CA_FILE'])('%s that is missing is named', (name) => {
  expect(() => argoClustersFrom({ ...ALL, [name]: '' })).toThrow(`ARGOCD_NAMESPACE is set without ${name}:`);
});

test('each value is one of the chart', () => {
  const chart = parse(
    readFileSync(new URL('../../../deploy/helm/values.yaml', import.meta.url), 'utf8'),
  ) as object;
  const at = (path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>((place, part) => (place as Record<string, unknown> | undefined)?.[part], chart);
  const paths = Object.keys(argoValues(argoClustersFrom(ALL)));
  expect(paths).toHaveLength(5);
  expect(paths.filter((path) => at(path) === undefined)).toEqual([]);
});
