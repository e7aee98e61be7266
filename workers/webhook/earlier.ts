// Reads the CappRevision that a rollback names: the one request that the webhook makes to answer. A cache of
// all revisions would take more memory than all else that the webhook keeps.
import type { NamedRevision } from '../../admission/known.ts';
import { at, textAt } from '../../admission/fields.ts';
import { hasChanged, type AdmissionRequest } from '../../admission/request.ts';
import { PATHS } from '../../admission/router.ts';
import { WEBHOOK_TIMES } from '../../admission/times.ts';
import { CAPP_REVISION, isRevisionOf, revisionName, type CappRevision } from '../../crds/capp-revision.ts';
import { parseRollback } from '../../crds/capp/rollback.ts';
import { ROLLBACK } from '../../crds/labels.ts';
import type { Kube } from '../../kube/client.ts';
import { containsAll } from '../../kube/resource.ts';

/** Undefined for a request that asks for no rollback: nothing is read then. Never throws. */
export async function earlierFor(
  kube: Pick<Kube, 'get'>,
  path: string,
  request: AdmissionRequest,
): Promise<NamedRevision | undefined> {
  const { object, oldObject, operation, namespace, name } = request;
  const asked = parseRollback(textAt(object, 'metadata', 'annotations', ROLLBACK));
  const isAsked = asked !== null && hasChanged(request, 'metadata', 'annotations', ROLLBACK);
  if (path !== PATHS.mutateCapp || operation !== 'UPDATE' || !isAsked) return undefined;
  const key = { namespace, name: revisionName(name, asked.to) };
  try {
    const signal = AbortSignal.timeout(WEBHOOK_TIMES.revision.ms);
    const found = await kube.get<CappRevision>(CAPP_REVISION, key, { signal });
    if (found === null || !isRevisionOf(textAt(oldObject, 'metadata', 'uid'), found))
      return { is: 'missing' };
    const spec = found.spec?.cappTemplate.cappSpec;
    return { is: 'there', spec, isHeld: containsAll(at(object, 'spec'), spec) };
  } catch {
    return { is: 'unread' };
  }
}
