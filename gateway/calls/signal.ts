// What an agent sends unasked: a ring to a Capp that the hub has shipped to its site, and its own inventory.
import { cappOfWorkflowId, siteWorkflowId } from '../../workflows/names.ts';
import { readInventory } from '../../workflows/parse/inventory.ts';
import { rungFor } from '../../workflows/types/ring.ts';
import { denied, unreadable } from '../refusal.ts';
import { payloadOf, valueOf } from './answers.ts';
import { pollerNameOf, type AgentCall, type CallContext, type CallRule } from './call.ts';
import { api, decoded, encoded } from './messages.ts';
import { SHAPES } from './shapes.ts';
import { soon } from './soon.ts';

/** The names of the signals that an agent sends (workflows/messages.ts). */
export const RING = 'ring';
export const INVENTORY = 'audit';
/** Bytes of an inventory's stretch: 2,000 entries at most, of which our agents send a quarter. */
const LARGEST_INVENTORY = 1_048_576;
const REQUEST_ID = /^[-0-9a-f]{36}$/;

type Request = ReturnType<typeof api.SignalWorkflowExecutionRequest.decode>;

/** The run id of a request is dropped: a signal goes to the run that is open. */
export const signal: CallRule = async (context, call) => {
  const request = decoded(api.SignalWorkflowExecutionRequest, SHAPES.signal, call.request);
  const workflowId = request.workflowExecution?.workflowId ?? '';
  const input = await inputOf(context, call, request, workflowId);
  await soon(context.temporal, call.signal, () =>
    context.temporal.workflowService.signalWorkflowExecution({
      namespace: context.namespace,
      workflowExecution: { workflowId },
      signalName: request.signalName,
      input: { payloads: [payloadOf(input)] },
      identity: pollerNameOf(call.site),
      // The same id makes a repeated signal count once.
      ...(REQUEST_ID.test(request.requestId) ? { requestId: request.requestId } : {}),
    }),
  );
  return encoded(api.SignalWorkflowExecutionResponse, {});
};

/** Throws a GatewayRefusal: PERMISSION_DENIED for every other signal and workflow. */
async function inputOf(
  { hasWork }: CallContext,
  { site }: AgentCall,
  { signalName, input }: Request,
  workflowId: string,
): Promise<unknown> {
  if (signalName === INVENTORY && workflowId === siteWorkflowId(site.cluster)) {
    const inventory = readInventory(valueOf(input, LARGEST_INVENTORY));
    if (inventory === null) throw unreadable('The inventory cannot be read.');
    return inventory;
  }
  const capp = signalName === RING ? cappOfWorkflowId(workflowId) : null;
  if (capp !== null && (await hasWork(site.cluster, capp))) return rungFor('site');
  throw denied(
    `This site may send ${RING} to Capps that the hub has shipped to it, and ${INVENTORY} to ${siteWorkflowId(site.cluster)}.`,
  );
}
