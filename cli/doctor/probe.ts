// Asks the webhook, by a dry run of a Capp that it must refuse. Nothing is stored.
import { CAPP } from '../../crds/capp/capp.ts';
import { MIGRATE } from '../../crds/labels.ts';
import { ApiError } from '../../kube/failure.ts';
import { pathOf } from '../../kube/resource.ts';
import type { ConnectedHub } from '../hub/connection/hub.ts';
import { printable } from '../show/printable.ts';
import type { Probe } from './facts.ts';

/**
 * Null if the answer says nothing of the webhook, such as for missing rights. Throws when the hub is silent.
 */
export async function probeWebhook({ kube, namespace }: ConnectedHub): Promise<Probe | null> {
  const body = {
    apiVersion: CAPP.apiVersion,
    kind: CAPP.kind,
    metadata: { name: 'doctor-dry-run', namespace, annotations: { [MIGRATE]: 'no-request' } },
    spec: { configurationSpec: { template: { spec: { containers: [{ name: 'none', image: 'none' }] } } } },
  };
  try {
    await kube.raw('POST', `${pathOf(CAPP, { namespace, name: null })}?dryRun=All`, { body });
    return { is: 'accepted' };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 0) throw error;
    const said = error.said ?? '';
    const failed = /failed calling webhook "[^"]*": (?:failed to call webhook: )?(.*)/s.exec(said);
    if (failed !== null) return { is: 'unanswered', why: printable(failed[1] ?? '') };
    return said.includes(MIGRATE) ? { is: 'refused' } : null;
  }
}
