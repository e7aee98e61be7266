// Which calls of Temporal's services a site may make. Every call that is not named here is refused.
import { cancel, complete, fail, heartbeat } from './respond.ts';
import { describeNamespace, shutdownWorker, systemInfo, workerHeartbeat } from './answered-here.ts';
import type { CallRule } from './call.ts';
import { poll } from './poll.ts';
import { signal } from './signal.ts';

export type CallKind = 'poll' | 'signal' | 'other';

export const RULES: Readonly<Record<string, { readonly rule: CallRule; readonly kind: CallKind }>> = {
  GetSystemInfo: { rule: systemInfo, kind: 'other' },
  DescribeNamespace: { rule: describeNamespace, kind: 'other' },
  RecordWorkerHeartbeat: { rule: workerHeartbeat, kind: 'other' },
  ShutdownWorker: { rule: shutdownWorker, kind: 'other' },
  PollActivityTaskQueue: { rule: poll, kind: 'poll' },
  RespondActivityTaskCompleted: { rule: complete, kind: 'other' },
  RespondActivityTaskFailed: { rule: fail, kind: 'other' },
  RespondActivityTaskCanceled: { rule: cancel, kind: 'other' },
  RecordActivityTaskHeartbeat: { rule: heartbeat, kind: 'other' },
  SignalWorkflowExecution: { rule: signal, kind: 'signal' },
};
