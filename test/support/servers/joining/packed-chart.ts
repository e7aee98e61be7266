// A chart under the name of the real nfspvc-operator, which is in a registry.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { NFS_PVC } from '../../../../crds/kubernetes/knative.ts';
import { toolPath } from '../../../../deploy/local/programs/tools.ts';
import { bareDefinition } from '../api/definitions.ts';

/** Where `cappstan base` has it. */
export const CHART_AT = 'nfspvc-operator-system';

/** No Pod runs on a bare API server: helm waits for this one until it is stopped. */
const SLOW = `{{ if .Values.slow }}
apiVersion: apps/v1
kind: Deployment
metadata: { name: slow }
spec:
  selector: { matchLabels: { app: slow } }
  template:
    metadata: { labels: { app: slow } }
    spec: { containers: [{ name: slow, image: slow }] }
{{ end }}
`;

/**
 * It takes a password, which is to match the pattern, and a size; with `slow` it has a Deployment. Returns
 * its file in the folder.
 */
export async function packChart(
  folder: string,
  { version = 'v0.5.2', password = '^[a-z-]{10,}$' }: { version?: string; password?: string } = {},
): Promise<string> {
  const chart = join(folder, `chart-${version}`);
  const files: Readonly<Record<string, string>> = {
    'Chart.yaml': stringify({ apiVersion: 'v2', name: 'nfspvc-operator', version }),
    'values.yaml': stringify({ password: 'unset-password', size: '1Gi', slow: false }),
    'values.schema.json': JSON.stringify({
      properties: { password: { pattern: password }, pin: { type: 'string' } },
    }),
    'crds/nfspvcs.yaml': stringify(bareDefinition(NFS_PVC)),
    'templates/slow.yaml': SLOW,
    'templates/secret.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: { name: nfs }\nstringData: { password: "{{ .Values.password }}", size: "{{ .Values.size }}" }\n',
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(chart, name, '..'), { recursive: true });
    await writeFile(join(chart, name), text);
  }
  await promisify(execFile)(toolPath('helm'), ['package', chart, '--destination', folder]);
  return join(folder, `nfspvc-operator-${version}.tgz`);
}
