// Keeps a workflow for each object of some kinds, as CappSets are: rings it when the object, what it reads or
// what was made of it changes, and starts it if it does not run. The workflow looks for itself at what has
// changed.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Condition } from '../../crds/capp/conditions.ts';
import { keyText, type Key, type KubeObject } from '../../kube/resource.ts';
import { ring as ringSignal } from '../../workflows/messages.ts';
import {
  EARLIER_FLEET_WORKFLOWS,
  HUB_QUEUE,
  keptOfWorkflowId,
  keptWorkflowId,
  typeOfKept,
  type KeptName,
  type KeptRef,
} from '../../workflows/names.ts';
import type { Ring } from '../../workflows/types/ring.ts';
import { rings, type Changed, type Rings } from '../rings.ts';
import { BRIDGE_TIMES } from '../times.ts';

/** What a status says of who has seen it. */
export type Kept = KubeObject & {
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: readonly Condition[] };
};

/** Whose copies have changed. */
export interface Owner {
  readonly metadata: { readonly namespace?: string; readonly name: string };
}

/**
 * `kind`: a cache of it must have what changed; null for what is read live. What changes within `patienceMs`
 * is one ring.
 */
export type Call = (
  owner: Owner,
  changed: KubeObject | null,
  kind: string | null,
  patienceMs?: number,
) => void;

/** A kind whose objects have workflows, as the bridge watches it. */
export interface KeptKind {
  readonly kind: KeptName;
  list(): readonly Kept[];
  get(key: Key): Kept | undefined;
  /** "namespace/name" of objects that are gone and have left something that their workflows remove. */
  leftBy(): ReadonlySet<string>;
  /** Returns the function that ends it. */
  listen(call: Call): () => void;
}

export interface KeptObjects {
  /**
   * Ends runs of types of earlier versions; `onError` hears which it may not end. Starts missing workflows,
   * as after a loss of Temporal's data, also of objects that are gone and have left something; rings those
   * whose object is gone. Rings objects whose newest generation nobody has seen, and at its first call those
   * that are not Ready. Takes synced caches. Throws what the Temporal client throws.
   */
  compare(): Promise<void>;
  stop(): Promise<void>;
}

export function keepObjects(
  client: Pick<Client, 'workflow'>,
  kinds: readonly KeptKind[],
  onError: (workflowId: string, error: unknown) => void,
): KeptObjects {
  const { call, stop } = rings((id, changed) => send(client, kinds, id, changed), onError);
  const ends = kinds.map(({ kind, listen }) => listen(calling(kind, call)));
  let isFirst = true;
  return {
    compare: async () => {
      await endEarlier(client, onError);
      const types = new Set(kinds.map(({ kind }) => typeOfKept(kind)));
      const running = await runningIn(client, [...types]);
      for (const id of dueIn(kinds, running, { isFirst, now: Date.now() })) call(id, {});
      isFirst = false;
    },
    stop: () => {
      for (const end of ends) end();
      return stop();
    },
  };
}

function calling(kind: KeptName, call: Rings['call']): Call {
  return ({ metadata: { namespace = '', name } }, changed, changedKind, patienceMs = 0) => {
    const version = changed?.metadata.resourceVersion;
    const asked = changedKind === null || version === undefined ? {} : { [changedKind]: version };
    call(keptWorkflowId({ kind, namespace, name }), asked, patienceMs);
  };
}

/**
 * A run of an earlier version holds the id of the object, and its history is none that today's code can
 * follow to an end. One that Temporal refuses to end is reported, and keeps nothing from the others.
 */
async function endEarlier(
  client: Pick<Client, 'workflow'>,
  onError: (workflowId: string, error: unknown) => void,
): Promise<void> {
  for (const id of await runningIn(client, EARLIER_FLEET_WORKFLOWS))
    await client.workflow
      .getHandle(id)
      .terminate('Replaced by a workflow of type fleet')
      .catch(ignoreEnded)
      .catch((error: unknown) => onError(id, error));
}

async function runningIn(
  client: Pick<Client, 'workflow'>,
  types: readonly string[],
): Promise<ReadonlySet<string>> {
  const running = new Set<string>();
  const named = types.map((type) => `'${type}'`).join(', ');
  for await (const { workflowId } of client.workflow.list({
    query: `WorkflowType IN (${named}) AND ExecutionStatus = 'Running'`,
  }))
    running.add(workflowId);
  return running;
}

interface At {
  readonly isFirst: boolean;
  readonly now: number;
}

/** The ids of workflows that are to be rung or started. */
function dueIn(kinds: readonly KeptKind[], running: ReadonlySet<string>, at: At): Set<string> {
  const due = new Set<string>();
  for (const { kind, list, leftBy } of kinds) {
    for (const object of list()) {
      const { namespace = '', name } = object.metadata;
      const id = keptWorkflowId({ kind, namespace, name });
      if (isMissing(object, running.has(id), at.now) || !isHeeded(object) || (at.isFirst && !isReady(object)))
        due.add(id);
    }
    for (const key of leftBy()) {
      const [namespace = '', name = ''] = key.split('/');
      const id = keptWorkflowId({ kind, namespace, name });
      if (!running.has(id)) due.add(id);
    }
  }
  // They look once more, find nothing, and end.
  for (const id of running) if (objectOf(kinds, keptOfWorkflowId(id)) === undefined) due.add(id);
  return due;
}

/** Visibility may not show a workflow yet that was started a moment ago. */
function isMissing({ metadata: { creationTimestamp = '' } }: Kept, isRunning: boolean, now: number): boolean {
  const isNewborn = now - Date.parse(creationTimestamp) < BRIDGE_TIMES.newCapp.ms;
  return !isRunning && !isNewborn;
}

function isHeeded({ metadata, status }: Kept): boolean {
  return status?.observedGeneration === metadata.generation;
}

function isReady({ status }: Kept): boolean {
  return status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
}

function objectOf(kinds: readonly KeptKind[], ref: KeptRef | null): Kept | undefined {
  return ref === null ? undefined : kinds.find(({ kind }) => kind === ref.kind)?.get(ref);
}

function hasLeft(kinds: readonly KeptKind[], ref: KeptRef): boolean {
  return kinds.some(({ kind, leftBy }) => kind === ref.kind && leftBy().has(keyText(ref)));
}

async function send(
  client: Pick<Client, 'workflow'>,
  kinds: readonly KeptKind[],
  workflowId: string,
  minimumVersions: Changed,
): Promise<void> {
  const news: Ring = { causes: ['spec'], minimumVersions };
  const ref = keptOfWorkflowId(workflowId);
  // A workflow without an object and without anything left has ended, or ends by itself.
  if (ref === null || !(objectOf(kinds, ref) !== undefined || hasLeft(kinds, ref))) {
    await client.workflow.getHandle(workflowId).signal(ringSignal, news).catch(ignoreEnded);
    return;
  }
  await client.workflow.signalWithStart(typeOfKept(ref.kind), {
    workflowId,
    taskQueue: HUB_QUEUE,
    args: [],
    signal: ringSignal,
    signalArgs: [news],
    staticSummary: `${ref.kind} ${ref.namespace}/${ref.name}`,
  });
}

function ignoreEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
