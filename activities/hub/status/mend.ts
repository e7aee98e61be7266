// Reports on a Capp that its workflow cannot go on, with a field manager of its own, and ends the failing
// run.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import type { HubReason } from '../../../crds/capp/conditions.ts';
import { conditionSince } from '../../../crds/condition.ts';
import { applyStatus } from '../../../kube/apply-status.ts';
import { clock } from '../../../workflows/types/clock.ts';
import { cappWorkflowId } from '../../../workflows/names.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import { acting } from '../../trying.ts';
import type { Press } from './publish.ts';

const REASON: HubReason = 'WorkflowFailing';

/** The next publication of the workflow replaces the condition, because it writes all conditions. */
export function hubMend(
  { kube: given, events }: Pick<Press, 'kube' | 'events'>,
  client: Pick<Client, 'workflow'>,
): Pick<Hub, 'sayFailing' | 'startOver'> {
  return {
    sayFailing: (ref, { startsOver }) =>
      acting(given, async (kube) => {
        const capp = await kube.get<Capp>(CAPP, ref);
        if (capp === null || capp.metadata.uid !== ref.uid) return;
        const before = capp.status?.conditions?.find(({ type }) => type === 'Stalled');
        const message = messageFor(ref, startsOver);
        if (before?.reason === REASON && before.message === message) return;
        const at = Date.now();
        const observedGeneration = capp.metadata.generation ?? 0;
        const said = {
          type: 'Stalled',
          status: 'True',
          reason: REASON,
          message,
          observedGeneration,
        } as const;
        const stalled = conditionSince(capp.status?.conditions, said, clock(at));
        await applyStatus(kube, CAPP, capp, {
          fieldManager: 'cappstan-mend',
          status: { conditions: [stalled] },
        });
        events.note(capp, { type: 'Warning', reason: REASON, note: message, occasion: String(at) });
      }),
    startOver: async ({ namespace, name }, runId) => {
      try {
        await client.workflow
          .getHandle(cappWorkflowId(namespace, name), runId)
          .terminate('Its workflow task kept failing, so it is started over from the hub');
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },
  };
}

function messageFor({ namespace, name }: { namespace: string; name: string }, startsOver: boolean): string {
  const id = cappWorkflowId(namespace, name);
  const said = `Tasks of workflow ${id} keep failing, so no change to this Capp is carried out; its copies keep running.`;
  if (startsOver) return `${said} Cappstan starts the workflow over from the objects on the hub.`;
  return `${said} Read in the hub worker's log what fails, then start the workflow over: temporal workflow terminate -w ${id}.`;
}
