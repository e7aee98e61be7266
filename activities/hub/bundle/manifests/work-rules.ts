// By which rules a work is applied, judged and removed, as a digest: whoever changes them by hand changes no
// manifest. Pure.
import type { ManifestConfig, ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { hashOf } from './manifests.ts';

/**
 * Twelve hex digits over all of a work's spec but its manifests. What a server fills in counts as if it were
 * absent; so does what is applied by force, of which `Held` tells.
 */
export function rulesOf({ spec }: Pick<ManifestWork, 'spec'>): string {
  const { manifestConfigs = [], deleteOption = {}, executor = null } = spec ?? {};
  return hashOf(plain([manifestConfigs.map(asGiven), deleteOption, executor]));
}

/** Defaults of OCM's CRD (open-cluster-management.io/api work/v1): `feedbackScrapeType`. */
function asGiven(config: ManifestConfig): object {
  const { updateStrategy, feedbackScrapeType = 'Poll', ...rest } = config;
  if (updateStrategy?.serverSideApply === undefined) return { ...rest, updateStrategy, feedbackScrapeType };
  const { force: _told, ...applied } = updateStrategy.serverSideApply;
  return { ...rest, updateStrategy: { ...updateStrategy, serverSideApply: applied }, feedbackScrapeType };
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
