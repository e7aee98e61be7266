// A work as OCM's work agent reports on it where the site has refused some of what it carries.
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';

const metadata = { name: 'mw-create-apps-app', namespace: 'site-1', uid: 'w', generation: 2 };
const manifest = (kind: string, name: string) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'apps' },
});
export const CARRIED = [
  manifest('Namespace', 'apps'),
  manifest('Secret', 'db'),
  manifest('ConfigMap', 'settings'),
  manifest('Capp', 'app'),
];
export const policy = (name: string): string =>
  `Failed to apply manifest: x is forbidden: ValidatingAdmissionPolicy '${name}-v1' with binding '${name}-v1' denied request: c4n4ry`;

/** A work of which the manifests with these ordinals were refused. */
export function refusedWork(
  refused: Readonly<Record<number, string>>,
  { observed = 2, carried = CARRIED } = {},
): ManifestWork {
  const status = Object.keys(refused).length === 0 ? ('True' as const) : ('False' as const);
  const manifests = carried.map((_, ordinal) => {
    const message = refused[ordinal];
    const applied =
      message === undefined ? { status: 'True' as const } : { status: 'False' as const, message };
    return {
      resourceMeta: { ordinal, kind: 'Forged', name: 'forged' },
      conditions: [{ type: 'Applied', ...applied }],
    };
  });
  const conditions = [
    { type: 'Applied', status, reason: 'AppliedManifestWorkFailed', observedGeneration: observed },
  ];
  return {
    metadata,
    spec: { workload: { manifests: carried } },
    status: { conditions, resourceStatus: { manifests } },
  };
}
