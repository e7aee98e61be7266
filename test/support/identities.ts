// Clients of a test's API server under any name, by certificates of that server's own authority.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { writeKubeconfig } from '../../deploy/local/kubeconfig.ts';
import { openPki } from '../../deploy/local/pki.ts';
import { connect, type Kube } from '../../kube/client.ts';
import type { ApiServerForTests } from './api-server.ts';
import { PATIENT_MS } from './eventually.ts';

/** A client that the server knows by this name and as a member of these groups. */
export async function clientAs({ kubeconfig }: ApiServerForTests, name: string, groups: readonly string[] = []): Promise<Kube> {
  const dir = dirname(kubeconfig);
  const pki = await openPki(join(dir, 'pki'));
  const { clusters } = parse(await readFile(kubeconfig, 'utf8')) as { clusters: [{ cluster: { server: string } }] };
  const user = name.replaceAll(':', '-');
  const file = join(dir, `${user}.kubeconfig`);
  const pair = await pki.issue(`users/${user}`, { name, groups });
  await writeKubeconfig(file, { cluster: 'test', server: clusters[0].cluster.server, ca: pki.authority.cert, credential: { pair } });
  return connect({ kubeconfig: file, deadlineMs: PATIENT_MS });
}
