// What a work brings to a simulated site, and what stands there of it.
import { ROLLOUT } from '../../../../crds/labels.ts';
import type { Manifest, ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Finding } from '../../../../workflows/types/copy.ts';
import type { InventoryEntry } from '../../../../workflows/types/ring.ts';
import { BROKEN } from './plain-works.ts';

/** What stands on the site of one Capp. */
export interface SiteCopy {
  readonly key: string;
  readonly uid: string;
  readonly stamp: string;
  readonly finding: Finding;
  /** What its Secret holds. */
  readonly secret: string;
  readonly workUid: string;
  /** It never becomes Ready, wherever it runs. */
  readonly isBroken: boolean;
  /** When it came. */
  readonly since: number;
  /** Since when a certificate is lacking, or is there. */
  readonly certifiedSince?: number;
}

function cappIn(work: ManifestWork): Manifest | null {
  return work.spec?.workload.manifests?.find(({ kind }) => kind === 'Capp') ?? null;
}

/** "namespace/name" of the Capp that a work carries. */
export function keyIn(work: ManifestWork): string | null {
  const capp = cappIn(work);
  return capp === null ? null : `${capp.metadata.namespace}/${capp.metadata.name}`;
}

/** It brings a name, and nothing of a Capp: so that a copy without a work can be removed. */
export function isEmpty(work: ManifestWork): boolean {
  return cappIn(work)?.metadata.annotations?.[ROLLOUT] === undefined && secretIn(work) === '';
}

/** What a work makes stand on a site. */
export function broughtBy(work: ManifestWork, since: number): Omit<SiteCopy, 'finding'> | null {
  const stamp = cappIn(work)?.metadata.annotations?.[ROLLOUT];
  const key = keyIn(work);
  if (stamp === undefined || key === null) return null;
  return {
    key,
    uid: stamp.split('/')[0] ?? '',
    stamp,
    secret: secretIn(work),
    workUid: work.metadata.uid ?? '',
    isBroken: JSON.stringify(cappIn(work)).includes(BROKEN),
    since,
  };
}

/** As the site's agent says it. */
export function entryOf({ key, uid, stamp, finding }: SiteCopy): InventoryEntry {
  const [namespace = '', name = ''] = key.split('/');
  return { namespace, name, uid, stamp, statusHash: finding.statusHash };
}

/** What a work brings is there, by that work. */
export function isStanding(before: SiteCopy | undefined, brought: Omit<SiteCopy, 'finding'> | null): boolean {
  const isSame = before?.stamp === brought?.stamp && before?.workUid === brought?.workUid;
  return isSame && before?.secret === brought?.secret;
}

function secretIn(work: ManifestWork): string {
  const secrets = work.spec?.workload.manifests?.filter(({ kind }) => kind === 'Secret') ?? [];
  return secrets.map(({ data }) => JSON.stringify(data)).join();
}
