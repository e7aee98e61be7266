// Derives the verdict about what was shipped from one snapshot of the site's Capp. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import { isHealthy } from '../../../crds/capp/status.ts';
import { MANAGED_BY, MANAGED_BY_HUB, ROLLOUT } from '../../../crds/labels.ts';
import { UNSTAMPED } from '../../../workflows/types/stamp.ts';
import type { Finding, SaidReason } from '../../../workflows/types/copy.ts';
import { hashOf, mirrorOf, saying, type Mirror } from './mirror.ts';

/** One look at a Capp on the site. */
export interface CappSight {
  /**
   * `<uid>/<hub generation>/<manifest hash>/<incarnation>`; `UNSTAMPED` if the Go operator has shipped it.
   */
  readonly stamp: string;
  readonly finding: Finding;
  readonly mirror: Mirror;
  /** The site operator has observed exactly this object. */
  readonly observed: boolean;
}

/** Null for a Capp that no hub has shipped. */
export function sightOf(capp: Capp): CappSight | null {
  const stamp = stampOf(capp);
  if (stamp === null) return null;
  const { status } = capp;
  const mirror = mirrorOf(status);
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const observed = ready !== undefined && status?.observedGeneration === capp.metadata.generation;
  const said = observed
    ? { verdict: verdictOf(ready.status), reason: ready.reason as SaidReason, message: saying(ready.message) }
    : UNOBSERVED;
  return {
    stamp,
    mirror,
    observed,
    finding: {
      ...said,
      healthy: isHealthy(status),
      statusHash: hashOf(mirror, said.verdict, said.reason),
      ...(observed && said.verdict === 'Ready' && said.reason !== 'Disabled' ? lackOf(status) : {}),
    },
  };
}

/** The first of route and certificate that the Capp asks for and the site does not have. */
function lackOf(status: Capp['status']): Pick<Finding, 'hostname'> {
  const parts = ['RouteReady', 'CertificateReady'].map((name) =>
    status?.conditions?.find(({ type }) => type === name),
  );
  const lacking = parts.find((one) => one !== undefined && one.status !== 'True');
  if (lacking === undefined) return {};
  return { hostname: { reason: lacking.reason as SaidReason, message: saying(lacking.message) } };
}

function stampOf({ metadata: { labels, annotations } }: Capp): string | null {
  return annotations?.[ROLLOUT] ?? (labels?.[MANAGED_BY] === MANAGED_BY_HUB ? UNSTAMPED : null);
}

const UNOBSERVED = {
  verdict: 'Progressing',
  reason: 'NotObserved',
  message: 'The site operator has not looked at this generation yet.',
} as const;

function verdictOf(status: 'True' | 'False' | 'Unknown'): Finding['verdict'] {
  if (status === 'True') return 'Ready';
  return status === 'False' ? 'Failed' : 'Progressing';
}

/** The report on a Capp that no operator observes, or on a site that does not know Capps. */
export function unattended(stamp: string, sight: CappSight | null): CappSight {
  const message =
    'No site operator has looked at the Capp. Check that one runs on the site, and that the CRD of Capps is installed there.';
  return undecided(stamp, sight, { reason: 'NoSiteOperator', message });
}

/** The report while the site's API server does not answer its agent. The last observation still counts. */
export function unreachable(stamp: string, sight: CappSight | null): CappSight {
  const message =
    "The site's API server does not answer its agent. The copy there may still run, and is looked at again when it answers.";
  return undecided(stamp, sight, { reason: 'SiteUnreachable', message });
}

function undecided(
  stamp: string,
  sight: CappSight | null,
  { reason, message }: Pick<Finding, 'reason' | 'message'>,
): CappSight {
  const mirror = sight?.mirror ?? {};
  const statusHash = hashOf(mirror, 'Progressing', reason);
  const finding = {
    verdict: 'Progressing',
    healthy: sight?.finding.healthy ?? false,
    reason,
    message,
    statusHash,
  } as const;
  return { stamp, mirror, observed: false, finding };
}
