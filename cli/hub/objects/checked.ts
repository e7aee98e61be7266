// What was measured by the checks of those Capps of a CappSet of which its status says that they have not
// passed.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import { checksOf, hasNotPassed, type ExplainedChecks } from '../../explain/checks/capp.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { readIfAny } from './if-any.ts';

export interface MemberChecks {
  readonly capp: string;
  readonly checks: readonly ExplainedChecks[];
}

/** So many Capps are read: their checks mostly say the same. */
const MOST_READ = 5;

/** Without those that are gone, and that cannot be read: what the set itself says is told in any case. */
export async function checksOfMembers(
  hub: Pick<ConnectedHub, 'kube'>,
  { metadata: { namespace = '' }, status }: CappSet,
  now: number,
): Promise<readonly MemberChecks[]> {
  const failing = (status?.failing ?? []).filter(({ reason }) => hasNotPassed(reason)).slice(0, MOST_READ);
  const found = await Promise.all(
    failing.map(({ capp: name }) => readIfAny<Capp>(hub, CAPP, { namespace, name }).catch(() => null)),
  );
  return found
    .filter((capp) => capp !== null)
    .map((capp) => ({ capp: capp.metadata.name, checks: checksOf(capp, now) }));
}
