// The manifest by which krew, kubectl's plugin manager, installs the program:
// https://krew.sigs.k8s.io/docs/developer-guide/plugin-manifest/
import { stringify } from 'yaml';

export interface Platform {
  /** As Kubernetes names it: `amd64`, `arm64`. */
  readonly arch: string;
  readonly uri: string;
  /** Of the archive, in hexadecimal digits. */
  readonly sha256: string;
}

/** The archives contain the executable and the licence. */
export function krewManifest(version: string, platforms: readonly Platform[]): string {
  return stringify({
    apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
    kind: 'Plugin',
    metadata: { name: 'capp' },
    spec: {
      version: `v${version}`,
      shortDescription: 'Place, watch and move container apps',
      description:
        'Lists Capps with their sites, says why a Capp is where it is and what helps,\nmoves and pauses Capps, drains sites, and looks for faults of the hub.\n',
      platforms: platforms.map(({ arch, uri, sha256 }) => ({
        selector: { matchLabels: { os: 'linux', arch } },
        uri,
        sha256,
        bin: 'kubectl-capp',
      })),
    },
  });
}
