// What a hub refuses of an Argo CD before it writes anything: what the chart would refuse in the middle of
// the start, and what the registrar could not use.
import { check } from '../../../../../deploy/hub/foundation.ts';
import { RELEASE_NAMESPACE } from '../../../../../deploy/local/cappstan/chart.ts';
import { read, refusals } from '../../../../support/builders/hub-config.ts';

const ALL = {
  namespace: 'argocd',
  userServer: 'https://proxy.example:9092/hub-a',
  userServerCaFile: '/etc/ca.crt',
};
const said = (more: Partial<typeof ALL> & { readonly account?: string }): readonly string[] =>
  refusals(`argocd: ${JSON.stringify({ ...ALL, ...more })}`);

test('an address may have a path', () => {
  expect(read(`argocd: ${JSON.stringify(ALL)}`).config.argo?.userServer).toBe(ALL.userServer);
});

test.each([RELEASE_NAMESPACE, 'kube-system', 'open-cluster-management-hub'])(
  'the namespace %s is refused',
  (namespace) => {
    expect(said({ namespace })).toEqual([
      expect.stringMatching(
        new RegExp(
          `^argocd\\.namespace \\(--argocd-namespace\\) must not be ${namespace}: .* Give Argo CD a`,
        ),
      ),
    ]);
  },
);

test('the reader’s account is refused', () => {
  expect(said({ account: 'cappstan-reader' })).toEqual([
    expect.stringMatching(/^argocd\.account \(--argocd-account\) must not be cappstan-reader: .* Make a/),
  ]);
});

test.each([
  'me:word@proxy.example',
  ':word@proxy.example',
  'me@proxy.example',
  'proxy.example/?word',
  'proxy.example#word',
])('an address with more than a host, a port and a path is refused, and not repeated: %s', (rest) => {
  const sentences = said({ userServer: `https://${rest}` });
  expect(sentences).toEqual([
    expect.stringMatching(
      /^argocd\.userServer \(--argocd-user-server\) must be an https address without user/,
    ),
  ]);
  expect(sentences.join()).not.toContain('word');
});

test('an account alone is refused, since nothing would run', () => {
  const sentences = refusals(null, '--argocd-account', 'cd');
  expect(sentences).toHaveLength(3);
  expect(sentences[0]).toMatch(/^argocd\.namespace \(--argocd-namespace\) is missing: the registrar needs/);
});

test('a hub does not start without the authority of the user server, which no backup has', async () => {
  const userServerCaFile = '/nowhere/ca.crt';
  const { config } = read(`argocd: ${JSON.stringify({ ...ALL, userServerCaFile })}`);
  await expect(check(config)).rejects.toThrow(
    'argocd.userServerCaFile (--argocd-user-server-ca-file): /nowhere/ca.crt does not exist. Give the path of a PEM file',
  );
});
