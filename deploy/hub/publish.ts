// A hub in a Pod puts the administrator's kubeconfig where people of that cluster find it: into a Secret that
// is there already, so that it needs the right to write that one alone.
import { readFile } from 'node:fs/promises';
import { SECRET, type Secret } from '../../crds/kubernetes/core.ts';
import { connect } from '../../kube/client.ts';
import type { HubConfig } from './config/config.ts';
import { named } from './config/fields.ts';
import { HUB_COMMAND_TIMES } from './times.ts';

/** multicluster-controlplane has it under the same key. */
const KEY = 'kubeconfig';

/** Writes nothing when it is there already. Throws an Error that says what is in the way. */
export async function publish({ secret: key, kubeconfig }: NonNullable<HubConfig['publish']>, file: string) {
  const text = Buffer.from(await readFile(file, 'utf8')).toString('base64');
  const field = named('publish.secret');
  const kube = connect({
    kubeconfig,
    userAgent: 'cappstan-hub',
    deadlineMs: HUB_COMMAND_TIMES.publishAnswers.ms,
  });
  try {
    const found = await kube.get<Secret>(SECRET, key);
    if (found === null) throw new Error('it is not there. Create it, empty: the hub fills it.');
    if (found.data?.[KEY] === text) return;
    await kube.patch(SECRET, key, { data: { [KEY]: text } });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Error(`${field}: Secret ${key.namespace}/${key.name} has no kubeconfig of this hub: ${said}`, {
      cause: error,
    });
  } finally {
    await kube.close();
  }
}
