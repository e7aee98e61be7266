// How the sites of a Bundle stand, as far as its status names them. Pure.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import { isSameRevision, shownRevision } from '../../../crds/rollout/revision.ts';
import type { Tone } from '../tone.ts';

export interface Stand {
  readonly tone: Tone;
  /** In a few words: waits, under way, ready, failed, offline. */
  readonly says: string;
  /** The Capp on the site; null for a Bundle, and where there is none yet. */
  readonly app: string | null;
}

/** By site. */
export type Stands = Map<string, Stand>;

/** A Bundle's status names the sites that differ from most of the others. */
export function sitesOfBundle({ spec, status = {} }: Bundle): Stands {
  const { revisions = [], failing = [], revision = '', rollout } = status;
  const found: Stands = new Map();
  const [most] = revisions;
  const has = (one: string): Pick<Stand, 'tone' | 'says'> =>
    isSameRevision(one, rollout?.revision ?? revision) && one !== ''
      ? { tone: 'good', says: 'has the revision' }
      : { tone: 'busy', says: one === '' ? 'waits' : `waits at ${shownRevision(one)}` };
  for (const site of spec.sites?.clusters ?? []) found.set(site, { ...has(most?.revision ?? ''), app: null });
  for (const placed of revisions)
    for (const site of placed.sites ?? []) found.set(site, { ...has(placed.revision), app: null });
  for (const { cluster, reason } of failing) {
    const isOffline = reason === 'SiteUnreachable';
    found.set(cluster, {
      tone: isOffline ? 'unknown' : 'bad',
      says: isOffline ? 'offline' : reason,
      app: null,
    });
  }
  return found;
}
