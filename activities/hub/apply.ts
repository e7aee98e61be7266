// Ships a Capp to a cluster: the one place where what is wanted becomes a ManifestWork.
import type { Capp } from '../../crds/capp.ts';
import type { Manifest, ManifestWork } from '../../crds/ocm.ts';
import type { Kube } from '../../kube/client.ts';
import { ApplicationFailure } from '@temporalio/common';
import { afterApply } from '../../workflows/decide/learn.ts';
import { Failure } from '../../workflows/failures.ts';
import type { Applied, Hub } from '../../workflows/ports.ts';
import type { CappRef, State, WorkFacts } from '../../workflows/state.ts';
import { acting } from '../trying.ts';
import { confirmFinalizer, isPaused, readCapp } from './capps.ts';
import { claimOf, type Claim } from './claim.ts';
import type { Warning } from './happenings.ts';
import type { Sources } from './neighbours.ts';
import { publishStatus, type Press } from './publish.ts';
import { prepare } from './prepare.ts';
import { missingWarning, tooLargeMessage } from './refusals.ts';
import type { Shipment } from './render/manifests.ts';
import { carriedBytes, MANIFEST_LIMIT } from './render/size.ts';
import { renderWork } from './render/work.ts';
import { createWork, findWork, identityOf, updateWork } from './works.ts';

/** Seconds a rollout may take to become Ready when `spec.migration.deadlineSeconds` does not say. */
const DEADLINE_SECONDS = 600;

interface Outcome {
  readonly applied: Applied;
  /** The Capp as it was read or last written, to publish on; null if there is none to publish on. */
  readonly capp: Capp | null;
  readonly warnings: readonly Warning[];
  /** Nothing had to be written: a workflow that has just begun finds what an earlier one has shipped and told. */
  readonly found: boolean;
}

const NOTHING_TOLD = { warnings: [], found: false } as const;

export function hubApply(all: Sources & Press): Pick<Hub, 'apply'> {
  return {
    apply: (ref, cluster, state, record) =>
      acting(all.kube, async (kube) => {
        const sources = { ...all, kube };
        const { applied, capp, warnings, found } = await ship(sources, ref, cluster, state);
        if (found && state.published === null) return applied;
        if (capp === null || applied.outcome === 'Deleted' || applied.outcome === 'Replaced') return applied;
        const publication = { record, mirror: null, at: applied.at };
        await publishStatus(sources, capp, afterApply(state, cluster, applied), {
          ...publication,
          warnings,
          created: isNew(applied) ? cluster : null,
        });
        return applied;
      }),
  };
}

function isNew(applied: Applied): boolean {
  return applied.outcome === 'Applied' && applied.created;
}

async function ship(sources: Sources, ref: CappRef, cluster: string, state: State): Promise<Outcome> {
  const at = Date.now();
  const read = await readCapp(sources.kube, ref);
  if (read.is === 'deleted') return { applied: { outcome: 'Deleted' }, capp: null, ...NOTHING_TOLD };
  if (read.is === 'replaced') return { applied: { outcome: 'Replaced', uid: read.uid }, capp: null, ...NOTHING_TOLD };
  const generation = read.capp.metadata.generation ?? 0;
  if (isPaused(read.capp)) return { applied: { outcome: 'Paused', generation, at }, capp: read.capp, ...NOTHING_TOLD };
  const refuse = (reason: string, message: string): Outcome => ({
    applied: { outcome: 'Refused', generation, reason, message, at },
    capp: read.capp,
    ...NOTHING_TOLD,
  });
  const prepared = await prepare(sources, { ref, cluster, capp: read.capp, state });
  if ('reason' in prepared) return refuse(prepared.reason, prepared.message);
  const { shipment, missing } = prepared;
  const expected = state.copies[cluster]?.stamp !== null;
  const claim = claimOf(sources.caches, ref, state.serving);
  const shipped = await shipTo(sources.kube, { claim, cluster, shipment, site: state.serving ?? cluster, expected });
  if ('tooLarge' in shipped) return refuse('TooLarge', tooLargeMessage(shipped.tooLarge, 0));
  const ignored = prepared.ignored.map((note) => ({ reason: 'FieldIgnored' as const, note }));
  const warnings = [...ignored, ...missing.map((one) => missingWarning(ref.namespace, one))];
  if ('leaving' in shipped) return { applied: { outcome: 'Leaving', generation, at }, capp: read.capp, warnings, found: false };
  const { spec } = shipment.capp;
  const facts = { stamp: shipped.stamp, created: shipped.created, work: factsOf(shipped.work) };
  const deadlineSeconds = spec.migration?.deadlineSeconds ?? DEADLINE_SECONDS;
  const applied: Applied = { outcome: 'Applied', generation, ...facts, deadlineSeconds, at };
  return { applied, capp: shipped.capp, warnings, found: !shipped.created && !shipped.written };
}

interface Shipped {
  readonly work: ManifestWork;
  readonly stamp: string;
  readonly created: boolean;
  readonly written: boolean;
  readonly capp: Capp;
}

interface Errand {
  readonly claim: Claim;
  readonly cluster: string;
  readonly shipment: Shipment;
  /** The cluster that serves the Capp, or will when this is done. */
  readonly site: string;
  /** A work should be there already, so look before making one. */
  readonly expected: boolean;
}

type NotShipped = { readonly leaving: true } | { readonly tooLarge: readonly Manifest[] };

async function shipTo(kube: Kube, errand: Errand): Promise<Shipped | NotShipped> {
  const { claim, cluster, shipment, site, expected } = errand;
  const live = expected ? await findWork(kube, claim, cluster) : null;
  if (live?.metadata.deletionTimestamp !== undefined) return { leaving: true };
  const { work, stamp, manifests } = renderWork(shipment, identityOf(claim, cluster, live));
  if (carriedBytes(manifests) > MANIFEST_LIMIT) return { tooLarge: manifests };
  const capp = await confirmFinalizer(kube, shipment.capp, site);
  if (live !== null) return { ...(await updateWork(kube, live, work)), stamp, created: false, capp };
  const made = await createWork(kube, claim, work);
  if (made !== null) return { work: made, stamp, created: true, written: true, capp };
  if (!expected) return shipTo(kube, { ...errand, shipment: { ...shipment, capp }, expected: true });
  throw ApplicationFailure.create({
    type: Failure.Conflict,
    message: `ManifestWork of ${claim.namespace}/${claim.name} on ${cluster} came and went`,
  });
}

/** The work agent's word on the work's present generation. */
function factsOf(work: ManifestWork): WorkFacts {
  const { uid = '', generation } = work.metadata;
  const condition = work.status?.conditions?.find(({ type }) => type === 'Applied');
  const current = condition !== undefined && (condition.observedGeneration ?? generation) === generation;
  return { uid, applied: current ? condition.status : 'Unknown', reason: current ? (condition.reason ?? '') : '' };
}
