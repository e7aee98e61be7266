// A site that floods the gateway, in a process of its own: it asks again as soon as it is answered, on as
// many connections as a site may have, with calls of each kind.
//
// Usage: node bench/load/gateway/flooder.ts <host:port> <file of the authority> <file of the token> <cluster>
import { readFileSync } from 'node:fs';
import { status } from '@grpc/grpc-js';
import { api } from '../../../gateway/calls/messages.ts';
import { framed, rawCaller } from '../../../testbed/gateway-bytes.ts';
import { stopAsked } from '../../../workers/process/stop.ts';
import { agentQueue, cappWorkflowId } from '../../../workflows/names.ts';
import { sayLast, sayReady } from './child.ts';

/** The gateway ends a site's oldest connection when it opens more than 4. */
const CONNECTIONS = 4;
/** Calls under way on each: as many as the gateway takes. */
const WIDTH = 128;
const EXHAUSTED: number = status.RESOURCE_EXHAUSTED;

const [address = '', authority = '', token = '', cluster = ''] = process.argv.slice(2);
const headers = { authorization: `Bearer ${readFileSync(token, 'utf8')}` };
const namespace = 'default';
const CALLS = [
  ['GetSystemInfo', framed(Buffer.alloc(0))],
  [
    'SignalWorkflowExecution',
    framed(
      api.SignalWorkflowExecutionRequest.encode({
        namespace,
        workflowExecution: { workflowId: cappWorkflowId('bench', 'verdict') },
        signalName: 'ring',
      }).finish(),
    ),
  ],
  [
    'PollActivityTaskQueue',
    framed(
      api.PollActivityTaskQueueRequest.encode({
        namespace,
        taskQueue: { name: agentQueue(cluster) },
      }).finish(),
    ),
  ],
] as const;

const seen = { calls: 0, exhausted: 0, cut: 0 };
const ending = stopAsked();
const over = new AbortController();
void ending.then(() => over.abort());
const refused = Promise.withResolvers<void>();

async function flood(first: number): Promise<void> {
  const caller = await rawCaller(address, readFileSync(authority, 'utf8'));
  void ending.then(() => caller.close());
  const one = async (index: number): Promise<void> => {
    for (let next = index; !over.signal.aborted; next += 1) {
      const [method, bytes] = CALLS[next % CALLS.length] ?? CALLS[0];
      const code = await caller.call(method, headers, bytes);
      seen.calls += 1;
      if (code === null) {
        seen.cut += 1;
        return;
      }
      if (code === EXHAUSTED) {
        seen.exhausted += 1;
        refused.resolve();
      }
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, (_, index) => one(first + index)));
}

const floods = Array.from({ length: CONNECTIONS }, (_, index) => flood(index));
await refused.promise;
const begun = performance.now();
const before = { ...seen };
sayReady();
await ending;
const seconds = (performance.now() - begun) / 1_000;
const rate = (key: keyof typeof seen): number => Math.round((seen[key] - before[key]) / seconds);
sayLast({ callsPerSecond: rate('calls'), refusedPerSecond: rate('exhausted'), cut: seen.cut });
await Promise.allSettled(floods);
process.disconnect();
