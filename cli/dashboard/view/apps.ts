// The list of Capps: a line each.
import type { Capp } from '../../../crds/capp/capp.ts';
import { PAUSED } from '../../../crds/labels.ts';
import { isUnseen } from '../../explain/capp/phase.ts';
import { summaryOf, type Summary } from '../../explain/capp/summary.ts';
import type { DashboardFacts } from './facts.ts';
import { toneOf, type Tone } from '../../explain/tone.ts';

export interface AppLine extends Pick<
  Summary,
  'namespace' | 'name' | 'phase' | 'site' | 'set' | 'reason' | 'hostname' | 'createdAt'
> {
  readonly tone: Tone;
  /** Where it is on its way to or from as well. */
  readonly sites: readonly string[];
  /** One sentence of the hub; empty where all is well. */
  readonly says: string;
}

/** One Capp is looked at once for each of its versions, however often something else changes. */
const known = new WeakMap<Capp, AppLine>();

export function appLineOf(capp: Capp): AppLine {
  const found = known.get(capp) ?? lineOf(capp);
  known.set(capp, found);
  return found;
}

function lineOf(capp: Capp): AppLine {
  const { namespace, name, phase, site, set, reason, hostname, createdAt, message } = summaryOf(capp, PAUSED);
  const tone = toneOf(phase, !isUnseen(capp));
  const sites = (capp.status?.sites ?? []).map(({ clusterName }) => clusterName);
  return {
    namespace,
    name,
    phase,
    site,
    set,
    reason,
    hostname,
    createdAt,
    tone,
    sites: sites.length === 0 && site !== null ? [site] : sites,
    says: tone === 'good' ? '' : (message ?? 'The hub has not looked at it yet.'),
  };
}

/** By `app/<namespace>/<name>`. */
export function appLines({ capps }: DashboardFacts): Record<string, AppLine> {
  return Object.fromEntries(
    capps.map((capp) => [`app/${capp.metadata.namespace}/${capp.metadata.name}`, appLineOf(capp)]),
  );
}
