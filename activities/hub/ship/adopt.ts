// Adopts works that the Go operator has shipped and that already have the desired content: they get our
// labels and annotations, and nothing else changes until the desired content does. container-app-operator
// v0.3.6 copies our stamp into its template, so shipping again would roll a revision.
import { isDeepStrictEqual } from 'node:util';
import { UnreadableSpec, type Capp } from '../../../crds/capp/capp.ts';
import { ADOPTED, MANAGED_BY, ROLLOUT } from '../../../crds/labels.ts';
import type { Manifest, ManifestWork } from '../../../crds/ocm/ocm.ts';
import { travelling, travellingSpec } from '../../../crds/capp/travelling.ts';
import { adoptedStamp } from '../../../workflows/types/stamp.ts';
import { canonical } from '../capps.ts';
import { cappIn } from '../claim.ts';
import { holdsValues, type Shipment } from './render/manifests.ts';
import type { RenderedWork } from './render/work.ts';

/**
 * The work with our labels and annotations, and a stamp by which its site's agent knows what is asked about.
 * Null if it is to be shipped again: Cappstan has shipped it before, its content differs, the desired content
 * has changed since it was adopted, or its Secrets are to be sealed.
 */
export function adopted(
  live: ManifestWork,
  shipment: Shipment,
  { work, hash }: RenderedWork,
): Pick<RenderedWork, 'work' | 'stamp'> | null {
  const carried = cappIn(live);
  if (
    isToBeSealed(live, shipment) ||
    carried === null ||
    carried.metadata.annotations?.[ROLLOUT] !== undefined
  )
    return null;
  const before = live.metadata.annotations?.[ADOPTED] ?? hash;
  if (before !== hash || !carriesWanted(live, carried, shipment)) return null;
  const { uid = '', generation = 0 } = shipment.capp.metadata;
  const stamp = adoptedStamp(uid, generation, live.metadata.uid ?? '');
  const annotations = { ...work.metadata.annotations, [ROLLOUT]: stamp, [ADOPTED]: hash };
  return { stamp, work: { ...work, metadata: { ...work.metadata, annotations } } };
}

/** Also of a Secret that the work carries, and the Capp no longer has, nothing may stay in it. */
function isToBeSealed(live: ManifestWork, { sealed }: Shipment): boolean {
  return sealed !== undefined && (sealed.length > 0 || holdsValues(live));
}

/** The Capp and its references that the Go operator knew of, as they are on the hub. */
function carriesWanted(
  { spec }: ManifestWork,
  carried: Manifest,
  { capp, configMaps, secrets }: Shipment,
): boolean {
  const data = new Map<string, unknown>([
    ...configMaps.map((one) => [`ConfigMap/${one.metadata.name}`, one.data] as const),
    ...secrets.map((one) => [`Secret/${one.metadata.name}`, one.data] as const),
  ]);
  const others = (spec?.workload.manifests ?? []).filter(({ kind, metadata }) =>
    data.has(`${kind}/${metadata.name}`),
  );
  return (
    isSameCapp(carried, capp) &&
    others.every((one) => isSame(one['data'], data.get(`${one.kind}/${one.metadata.name}`)))
  );
}

function isSameCapp(carried: Manifest, wanted: Capp): boolean {
  const { labels, annotations } = carried.metadata;
  const { [MANAGED_BY]: _ours, ...own } = labels ?? {};
  const { [MANAGED_BY]: _theirs, ...asked } = wanted.metadata.labels ?? {};
  if (!isSame(travelling(own), travelling(asked))) return false;
  if (!isSame(travelling(annotations), travelling(wanted.metadata.annotations))) return false;
  return isSame(specOf(carried, wanted), travellingSpec(wanted.spec));
}

/** With canonical field names; undefined if it cannot be read. */
function specOf(carried: Manifest, wanted: Capp): unknown {
  try {
    return canonical({ ...wanted, spec: carried['spec'] as Capp['spec'] }).capp.spec;
  } catch (error) {
    if (!(error instanceof UnreadableSpec)) throw error;
    return undefined;
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(essence(a), essence(b));
}

/** Without empty values: the Go operator writes `{}` and `null` where nothing was set. */
function essence(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((one) => essence(one) ?? null);
  if (typeof value !== 'object' || value === null) return value === null || value === '' ? undefined : value;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const kept = essence(inner);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
