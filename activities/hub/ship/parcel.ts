// Writes a shipment as the ManifestWork of a cluster: a new one, or into the one that exists.
import { randomUUID } from 'node:crypto';
import type { Capp } from '../../../crds/capp/capp.ts';
import { MANIFEST_WORK, type Manifest, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { confirmFinalizer, notePlacement } from '../capps.ts';
import type { Kube } from '../../../kube/client.ts';
import type { WorkClaim } from '../claim.ts';
import { identityOf, createWork, updateWork, takenOver, markWork, holds, findSecond } from '../works.ts';
import { holdsValues, secretsIn, type Shipment } from './render/manifests.ts';
import { renderWork, type Identity } from './render/work.ts';
import { carriedBytes, MANIFEST_LIMIT } from '../../../crds/ocm/work-size.ts';
import { ApiError } from '../../../kube/failure.ts';
import { pathOf, keyOf } from '../../../kube/resource.ts';
import { fold } from '../retire/removal.ts';
import { adopted } from './adopt.ts';

interface Shipped {
  readonly work: ManifestWork;
  readonly stamp: string;
  readonly created: boolean;
  readonly written: boolean;
  readonly capp: Capp;
}

interface Parcel {
  readonly claim: WorkClaim;
  readonly cluster: string;
  readonly shipment: Shipment;
  /** The cluster that serves the Capp, or will after this apply. */
  readonly site: string;
  /** The existing work, as it was before the shipment was put together. */
  readonly live: ManifestWork | null;
  /** Several works there have a name that the Capp's may have. */
  readonly isDoubled: boolean;
  /**
   * Keeps what is shipped in the history: before a work gets another content, and after a new work is there.
   * `isThere`: the work has this content already, so an earlier try may have kept it. Throws ApiError.
   */
  readonly remember: (isThere: boolean) => Promise<void>;
}

type NotShipped = { readonly leaving: true } | { readonly tooLarge: readonly Manifest[] };

/**
 * A new work goes first, and what is said of it follows (decision 97): a try that finds the work makes up for
 * one that was cut off in between. Throws ApiError.
 */
export async function shipTo(kube: Kube, parcel: Parcel): Promise<Shipped | NotShipped> {
  const { claim, cluster, shipment, site, live, remember } = parcel;
  if (live !== null) return shipInto(kube, parcel, live);
  const { work, stamp, manifests } = renderWork(shipment, identityOf(claim, cluster, null));
  if (carriedBytes(manifests) > MANIFEST_LIMIT) return { tooLarge: manifests };
  const confirmed = await confirmFinalizer(kube, shipment.capp, site);
  // The hub's record of a Capp's site decides whose an ambiguous work is, so there it is written first.
  const isAmbiguous = claim.rivals.length > 0;
  const noted = isAmbiguous ? await notePlacement(kube, confirmed, site) : confirmed;
  const made = noted === null ? null : await createWork(kube, claim, work);
  if (noted === null || made === null) throw unexpected(work);
  const [capp] = await bothOf(notePlacement(kube, noted, site), remember(false));
  if (capp === null) throw unexpected(work);
  return { work: made, stamp, created: true, written: true, capp };
}

/** Throws only when both have ended, so that no write is under way when everything is read again. */
async function bothOf<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}

/** The content or owner of the work is not known, so everything is read again. */
function unexpected(work: ManifestWork): ApiError {
  return new ApiError({
    method: 'POST',
    path: pathOf(MANIFEST_WORK, keyOf(work)),
    code: 409,
    reason: 'Conflict',
  });
}

/** The Secrets that a work carries already. */
function besides(live: ManifestWork, shipment: Shipment): Shipment {
  return { ...shipment, standing: secretsIn(live) };
}

/**
 * A stamp of values that came as they are, and that salt, would let guesses be tried for as long as both are
 * kept: with the first sealed content the salt is another.
 */
function saltedAnew(identity: Identity, live: ManifestWork, { sealed }: Shipment): Identity {
  const isTurning = sealed !== undefined && holdsValues(live);
  return isTurning ? { ...identity, salt: randomUUID() } : identity;
}

/** Patches an existing work, unless it is being deleted. */
async function shipInto(
  kube: Kube,
  { claim, cluster, shipment, site, isDoubled, remember }: Parcel,
  live: ManifestWork,
): Promise<Shipped | NotShipped> {
  if (live.metadata.deletionTimestamp !== undefined) return { leaving: true };
  const second = isDoubled ? await findSecond(kube, claim, live) : null;
  const identity = saltedAnew(identityOf(claim, cluster, live, second), live, shipment);
  const rendered = renderWork(besides(live, shipment), identity);
  const kept = second === null ? adopted(live, shipment, rendered) : null;
  if (kept === null && carriedBytes(rendered.manifests) > MANIFEST_LIMIT)
    return { tooLarge: rendered.manifests };
  const { stamp, ...wanted } = kept ?? rendered;
  const work = takenOver(live, wanted.work);
  await remember(holds(live, work));
  const confirmed = await confirmFinalizer(kube, shipment.capp, site);
  // An earlier try may have created the work and not noted its site.
  const capp = await notePlacement(kube, confirmed, site);
  if (capp === null) throw unexpected(work);
  const updated = await (kept === null ? updateWork : markWork)(kube, live, work);
  if (second !== null) await fold(kube, updated.work, second);
  return { ...updated, stamp, created: false, capp };
}
