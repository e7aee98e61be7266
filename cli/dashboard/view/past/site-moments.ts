// What happened to sites, as far as their objects keep it: since when the hub reaches them or not, and
// taints.
import type { ManagedCluster, Taint } from '../../../../crds/ocm/ocm.ts';
import { SITE_WORDS } from '../../../explain/site-words.ts';
import { dated, type DatedMoment, type Moment } from './moment.ts';

const known = new WeakMap<ManagedCluster, DatedMoment[]>();

/** The newest first. */
export function momentsOfSite(cluster: ManagedCluster): DatedMoment[] {
  const found =
    known.get(cluster) ??
    read(cluster)
      .map((moment) => dated(moment))
      .toSorted((a, b) => b.ms - a.ms);
  known.set(cluster, found);
  return found;
}

function read({ metadata: { name }, spec, status }: ManagedCluster): Moment[] {
  const about = {
    name,
    href: `/fleet?site=${encodeURIComponent(name)}`,
    namespace: '',
    sites: [name],
    cause: '',
  };
  const available = status?.conditions?.find(({ type }) => type === SITE_WORDS.available);
  const reached: Moment[] =
    available?.lastTransitionTime === undefined
      ? []
      : [
          available.status === 'True'
            ? {
                ...about,
                at: available.lastTransitionTime,
                what: 'reached',
                reason: 'Available',
                text: 'The hub reaches it since then',
              }
            : {
                ...about,
                at: available.lastTransitionTime,
                what: 'lost',
                reason: 'Unreachable',
                text: 'The hub does not reach it since then',
              },
        ];
  const tainted = (spec?.taints ?? []).flatMap((taint): Moment[] =>
    taint.timeAdded === undefined
      ? []
      : [
          {
            ...about,
            at: taint.timeAdded,
            what: 'taint',
            reason: taint.effect,
            text: `Tainted ${named(taint)}`,
          },
        ],
  );
  return [...reached, ...tainted];
}

function named({ key, value = '' }: Taint): string {
  return value === '' ? key : `${key}=${value}`;
}
