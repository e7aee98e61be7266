// What each story of a Capp costs Temporal's store: calls by operation, as its server counts them. With SQL
// each is one transaction of several statements. bench/README.md has the table.
import type { Counters } from './metrics.ts';
import { countersIn } from './metrics.ts';

/** Operation → calls. */
export type Stored = Readonly<Record<string, number>>;

export interface StoredStory {
  readonly calls: Stored;
  readonly why: string;
}

/** The least of some lives, one at a time, on a server of their own. */
export const STORED = {
  'a first rollout': {
    calls: {
      GetCurrentExecution: 1,
      CreateWorkflowExecution: 1,
      UpdateWorkflowExecution: 6,
      ReadHistoryBranch: 2,
      GetWorkflowExecution: 1,
      RecordWorkflowExecutionStarted: 1,
      UpsertWorkflowExecution: 2,
    },
    why: 'whether one runs; start and ring in one write; each of two workflow tasks and of one question to the agent begins and ends; each task reads the history; what people search for: the start, Temporal’s own mark of the worker, site and phase',
  },
  'an edit': {
    calls: { GetCurrentExecution: 1, UpdateWorkflowExecution: 7, ReadHistoryBranch: 2 },
    why: 'the ring; two tasks and one question begin and end; site and phase are as they were',
  },
  'one look again at rest': {
    calls: { GetCurrentExecution: 1, UpdateWorkflowExecution: 3, ReadHistoryBranch: 1 },
    why: 'the ring; one task begins and ends',
  },
  'a deletion': {
    calls: {
      GetCurrentExecution: 2,
      UpdateWorkflowExecution: 6,
      ReadHistoryBranch: 2,
      UpsertWorkflowExecution: 1,
      RecordWorkflowExecutionClosed: 1,
    },
    why: 'two rings, and a task for each; that it leaves, and that it has ended',
  },
} as const satisfies Readonly<Record<string, StoredStory>>;

export type StoredName = keyof typeof STORED;

/**
 * What is asked for workflows: not for namespaces, leases of task queues, or what looks whether there are
 * any.
 */
const COUNTED =
  /^((Create|Update|Get)WorkflowExecution|GetCurrentExecution|ReadHistoryBranch|CreateTasks|GetTasks|RecordWorkflowExecution\w+|UpsertWorkflowExecution)$/;

/**
 * Takes what a server publishes; the namespace is Temporal's. Its visibility store does not say for which
 * one.
 */
export function storedIn(text: string, namespace: string): Counters {
  return countersIn(text, (name, labels) => {
    const operation = labels.get('operation') ?? '';
    const isOurs = name === 'persistence_requests' && labels.get('namespace') === namespace;
    const isShown = name === 'visibility_persistence_requests';
    return (isOurs || isShown) && COUNTED.test(operation) ? operation : null;
  });
}
