// The krew manifest of a release has what krew asks for.
import { parse } from 'yaml';
import { krewManifest } from '../../../../cli/build/krew.ts';

test('the krew manifest names the plugin, its version, and an archive with its checksum for each platform', () => {
  const sha256 = 'a'.repeat(64);
  const uri = 'https://downloads.example/kubectl-capp.tar.gz';
  const manifest: unknown = parse(krewManifest('1.2.3', [{ arch: 'amd64', uri, sha256 }]));
  expect(manifest).toMatchObject({
    apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
    kind: 'Plugin',
    // kubectl finds kubectl-capp, and krew calls it by what is behind "kubectl-".
    metadata: { name: 'capp' },
    spec: {
      version: 'v1.2.3',
      shortDescription: expect.stringMatching(/^.{1,50}$/),
      platforms: [
        { selector: { matchLabels: { os: 'linux', arch: 'amd64' } }, uri, sha256, bin: 'kubectl-capp' },
      ],
    },
  });
});
