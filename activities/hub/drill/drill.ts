// What a drill reads of the hub, and the part of a Drain's status that says what it found. No Capp, work or
// Secret is written. A Drain that a killed command has left is deleted.
import { DRAIN, asksForDrill, isOverdue, type Drain } from '../../../crds/drain/drain.ts';
import { LONGEST_FINDING } from '../../../crds/drain/drill-bounds.ts';
import { CAPP, UnreadableSpec, type Capp } from '../../../crds/capp/capp.ts';
import { applyStatus } from '../../../kube/apply-status.ts';
import { retryOnConflict } from '../../../kube/failure.ts';
import { MANIFEST_LIMIT, carriedBytes } from '../../../crds/ocm/work-size.ts';
import type { Fate } from '../../../workflows/drain/decide/plan.ts';
import type { DrillCapp, Drills, DrillSaying } from '../../../workflows/drill/port.ts';
import { acting } from '../../trying.ts';
import { canonical } from '../capps.ts';
import { fatesOn } from '../drain/drain.ts';
import { residentsOf } from '../drain/residents.ts';
import type { ChooseOptions } from '../place/ground.ts';
import type { WarrantOptions } from '../place/warrant.ts';
import { HUB_TIMES } from '../times.ts';
import { hostnameRules } from '../ship/hostname.ts';
import type { Sources } from '../ship/neighbours.ts';
import { prepare } from '../ship/prepare.ts';
import { missingWarning, tooLargeMessage } from '../ship/refusals.ts';
import { manifests } from '../ship/render/manifests.ts';
import { objectionToSealing } from '../ship/sealing.ts';
import { needsOf } from './needs.ts';

const PAGE = 25;
const FIELD_MANAGER = 'cappstan-drill';

type Parts = Sources & WarrantOptions & Pick<ChooseOptions, 'caches' | 'hubUid' | 'config'>;

export function hubDrill(all: Parts): Drills {
  const { caches } = all;
  return {
    readDrill: (cluster) =>
      acting(all.kube, async (kube) => {
        const drain = await kube.get<Drain>(DRAIN, { namespace: null, name: cluster });
        if (drain === null) return { drill: null };
        const { uid = '', generation = 0, resourceVersion = '' } = drain.metadata;
        // By the version that was read: an edit may have made a drain of it.
        if (isOverdue(drain, Date.now()))
          await kube.remove(DRAIN, { namespace: null, name: cluster }, { uid, resourceVersion });
        else if (asksForDrill(drain)) return { drill: { uid, generation } };
        return { drill: null };
      }),
    drillPage: (cluster, after, bound) =>
      acting(all.kube, async (kube) => {
        const drain = caches.drains.get({ namespace: null, name: cluster });
        const residents = residentsOf(caches, cluster, drain);
        const until = Date.now() + HUB_TIMES.drillPage.ms;
        const sources = { ...all, kube };
        const capps: DrillCapp[] = [];
        // One after the other: Capps that are shipped wait for the same places to read what they refer to.
        for (const fate of fatesOn(all, cluster, residents, { after, bound })) {
          const isFull = capps.length === PAGE || (capps.length > 0 && Date.now() > until);
          if (isFull) return { capps, isLast: false, all: residents.length };
          capps.push(await drilled(sources, fate));
        }
        return { capps, isLast: true, all: residents.length };
      }),
    reportDrill: (cluster, { uid, generation, rehearsal }) =>
      acting(all.kube, (kube) =>
        retryOnConflict(async () => {
          const drain = await kube.get<Drain>(DRAIN, { namespace: null, name: cluster });
          if (drain?.metadata.uid !== uid || drain.metadata.generation !== generation) return;
          // A late try of a drill that has ended, or a repeat.
          if (!asksForDrill(drain)) return;
          const status = { rehearsal };
          await applyStatus(kube, DRAIN, drain, { status, fieldManager: FIELD_MANAGER, asRead: true });
        }),
      ),
  };
}

async function drilled(
  sources: Parts,
  { namespace, name, priority, to, reason, message }: Fate,
): Promise<DrillCapp> {
  const who = { namespace, name, priority, to, why: saying({ reason, message }) };
  // The cache does not keep what pods are made of.
  const capp = to === null ? null : await sources.kube.get<Capp>(CAPP, { namespace, name });
  // What is gone meanwhile needs nothing.
  if (to === null || capp === null) return { ...who, needs: null, objection: null, lacks: null };
  return { ...who, needs: neededBy(capp), ...(await beside(sources, capp, to)) };
}

function neededBy(capp: Capp): DrillCapp['needs'] {
  try {
    return needsOf(canonical(capp).capp);
  } catch (error) {
    if (!(error instanceof UnreadableSpec)) throw error;
    return null;
  }
}

/** By all that a shipment there would go by, short of writing it. Throws ApiError. */
async function beside(
  sources: Parts,
  capp: Capp,
  cluster: string,
): Promise<Pick<DrillCapp, 'objection' | 'lacks'>> {
  const { namespace = '', name, uid = '' } = capp.metadata;
  const ref = { namespace, name, uid };
  const rules = hostnameRules(sources);
  const state = { minimumVersions: {} };
  const prepared = await prepare(sources, { ref, cluster, capp, state, rules, ahead: null });
  if ('reason' in prepared) return { objection: saying(prepared), lacks: null };
  const { shipment, missing } = prepared;
  const sealing = objectionToSealing(sources, shipment, cluster);
  if (sealing !== null) return { objection: saying(sealing), lacks: null };
  const carried = manifests(shipment);
  if (carriedBytes(carried) > MANIFEST_LIMIT)
    return { objection: saying({ reason: 'TooLarge', message: tooLargeMessage(carried, 0) }), lacks: null };
  const [first] = missing.map((one) => missingWarning(namespace, one));
  return {
    objection: null,
    lacks: first === undefined ? null : saying({ reason: first.reason, message: first.note }),
  };
}

function saying({ reason, message }: DrillSaying): DrillSaying {
  return { reason, message: message.slice(0, LONGEST_FINDING) };
}
