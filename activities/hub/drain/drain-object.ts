// Reads the Drain object of a cluster, and writes its status.
import { ApplicationFailure } from '@temporalio/common';
import { DRAIN, DrainSpec, type Drain } from '../../../crds/drain/drain.ts';
import { isSettledDrain } from '../../../crds/drain/status.ts';
import { applyStatus } from '../../../kube/apply-status.ts';
import { retryOnConflict } from '../../../kube/failure.ts';
import { Failure } from '../../../workflows/failures.ts';
import type { DrainAsked } from '../../../workflows/drain/object.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import { acting } from '../../trying.ts';
import { drainActOf } from '../audit/drains.ts';
import type { Desk } from '../status/publish.ts';
import { happeningOf, revisedStatus } from './drain-status.ts';

const FIELD_MANAGER = 'cappstan-drain';

export function hubDrainObject({ kube: given, events, audit }: Desk): Pick<Hub, 'readDrain' | 'reportDrain'> {
  return {
    readDrain: (cluster) =>
      acting(given, async (kube) => {
        const drain = await kube.get<Drain>(DRAIN, { namespace: null, name: cluster });
        const isThere = drain !== null && drain.metadata.deletionTimestamp === undefined;
        return { drain: isThere ? askedBy(drain) : null };
      }),
    reportDrain: (cluster, report) =>
      acting(given, (kube) =>
        retryOnConflict(async () => {
          const drain = await kube.get<Drain>(DRAIN, { namespace: null, name: cluster });
          if (drain?.metadata.uid !== report.uid) return;
          const status = revisedStatus(drain, report);
          if (status === null) return;
          const act = drainActOf(drain, status);
          if (act !== null) audit(act);
          await applyStatus(kube, DRAIN, drain, { status, fieldManager: FIELD_MANAGER, asRead: true });
          const happening = happeningOf(drain, status);
          if (happening !== null) events.note(drain, happening);
        }),
      ),
  };
}

function askedBy(drain: Drain): DrainAsked {
  const { metadata, spec, status } = drain;
  const parsed = DrainSpec.safeParse(spec);
  if (!parsed.success)
    throw ApplicationFailure.create({
      type: Failure.Invalid,
      message: `Drain ${metadata.name} cannot be read: ${parsed.error.issues[0]?.message ?? ''}. Apply the CRD of this version.`,
      nonRetryable: true,
    });
  const { dryRun, paused, width, perTarget, ratePerSecond } = parsed.data;
  const { uid = '', generation = 0 } = metadata;
  const isOver = status?.phase === 'Done' || status?.phase === 'Stopped';
  const lanes = { width, perTarget, ratePerSecond };
  return { uid, generation, dryRun, paused, lanes, isOver, isSettled: isSettledDrain(drain) };
}
