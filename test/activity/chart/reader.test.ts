// What the chart gives the reader of logs, where it is installed, and brings of it.
import { forHub } from '../../support/servers/chart/chart.ts';

test('without reader.install nothing of it is brought', async () => {
  const names = (await forHub({})).map(({ metadata }) => metadata.name);
  expect(names.filter((name) => /reader|reach\.rcs/.test(name))).toEqual([]);
});

test('the reader may create no Secret: the chart makes that of its certificate, with nothing in it', async () => {
  const values = { 'reader.install': 'true', 'reader.userServer.caSecretName': 'x' };
  const ours = (await forHub({ 'gateway.address': 'gateway.example:443', ...values })).filter(
    ({ metadata }) => metadata.name.startsWith('cappstan-reader'),
  );
  const rights = ours.filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole');
  expect(JSON.stringify(rights)).not.toMatch(/"secrets"[^{]*"create"/);
  const secrets = ours.filter(({ kind }) => kind === 'Secret');
  expect(secrets.map(({ metadata, ...more }) => [metadata.name, Object.keys(more).toSorted()])).toEqual([
    ['cappstan-reader-certificate', ['apiVersion', 'kind', 'type']],
  ]);
});
