// Keeps a workflow for each object of some kinds, as CappSets are: rings it when the object, what it reads or
// what was made of it changes, and starts it if it does not run. The workflow looks for itself at what has
// changed.
import type { Client } from '@temporalio/client';
import type { Condition } from '../../crds/capp/conditions.ts';
import { keyText, type Key, type KubeObject } from '../../kube/resource.ts';
import { ring as ringSignal } from '../../workflows/messages.ts';
import {
  EARLIER_FLEET_WORKFLOWS,
  FLEET_WORKFLOW,
  keptOfWorkflowId,
  keptWorkflowId,
  SIP_WORKFLOW,
  type KeptName,
  type KeptRef,
} from '../../workflows/names.ts';
import { newest, type Ring } from '../../workflows/types/ring.ts';
import { keep, type WorkflowKeeper, type WorkflowKind, type Message } from '../kept/keep.ts';
import type { SeenVersions, Rings } from '../rings.ts';
import { BRIDGE_TIMES } from '../times.ts';

/** What a status says of who has seen it. */
export type KeptObject = KubeObject & {
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
export type CallOwner = (
  owner: Owner,
  changed: KubeObject | null,
  kind: string | null,
  patienceMs?: number,
) => void;

/** A kind whose objects have workflows, as the bridge watches it. */
export interface KeptKind {
  readonly kind: KeptName;
  list(): readonly KeptObject[];
  get(key: Key): KeptObject | undefined;
  /** "namespace/name" of objects that are gone and have left something that their workflows remove. */
  leftBy(): ReadonlySet<string>;
  /** How new caches must be with every ring; whatever they are, if absent. */
  beside?(): SeenVersions;
  /** Returns the function that ends it. */
  listen(call: CallOwner): () => void;
}

/**
 * Rings objects whose newest generation nobody has seen, and at its first comparison those that are not
 * Ready; has workflows started for those without one, and for what is gone and has left copies.
 */
export function keepFleets(
  client: Pick<Client, 'workflow'>,
  kinds: readonly KeptKind[],
  onError: (workflowId: string, error: unknown) => void,
): WorkflowKeeper {
  const types = { type: FLEET_WORKFLOW, earlierTypes: EARLIER_FLEET_WORKFLOWS };
  return keep(client, keptObjects(kinds, types), onError);
}

/** The same for SIPClusters, which have a workflow of their own. */
export function keepSipClusters(
  client: Pick<Client, 'workflow'>,
  kind: KeptKind,
  onError: (workflowId: string, error: unknown) => void,
): WorkflowKeeper {
  return keep(client, keptObjects([kind], { type: SIP_WORKFLOW, earlierTypes: [] }), onError);
}

function keptObjects(
  kinds: readonly KeptKind[],
  types: Pick<WorkflowKind, 'type' | 'earlierTypes'>,
): WorkflowKind {
  return {
    ...types,
    isOwn: (id) => kinds.some(({ kind }) => kind === keptOfWorkflowId(id)?.kind),
    due: (running, isFirst) => dueIn(kinds, running, { isFirst, now: Date.now() }),
    messageTo: (id, changed) => messageTo(kinds, id, changed),
    listen: (call) => {
      const ends = kinds.map((kind) => kind.listen(calling(kind, call)));
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

function calling({ kind, beside }: KeptKind, call: Rings['call']): CallOwner {
  return ({ metadata: { namespace = '', name } }, changed, changedKind, patienceMs = 0) => {
    const version = changed?.metadata.resourceVersion;
    const asked = changedKind === null || version === undefined ? {} : { [changedKind]: version };
    call(keptWorkflowId({ kind, namespace, name }), newest(beside?.() ?? {}, asked), patienceMs);
  };
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
function isMissing(
  { metadata: { creationTimestamp = '' } }: KeptObject,
  isRunning: boolean,
  now: number,
): boolean {
  const isNewborn = now - Date.parse(creationTimestamp) < BRIDGE_TIMES.newCapp.ms;
  return !isRunning && !isNewborn;
}

function isHeeded({ metadata, status }: KeptObject): boolean {
  return status?.observedGeneration === metadata.generation;
}

function isReady({ status }: KeptObject): boolean {
  return status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
}

function objectOf(kinds: readonly KeptKind[], ref: KeptRef | null): KeptObject | undefined {
  return ref === null ? undefined : kinds.find(({ kind }) => kind === ref.kind)?.get(ref);
}

function hasLeft(kinds: readonly KeptKind[], ref: KeptRef): boolean {
  return kinds.some(({ kind, leftBy }) => kind === ref.kind && leftBy().has(keyText(ref)));
}

/** A workflow without an object and without anything left has ended, or ends by itself. */
function messageTo(kinds: readonly KeptKind[], workflowId: string, minimumVersions: SeenVersions): Message {
  const news: Ring = { causes: ['spec'], minimumVersions };
  const ref = keptOfWorkflowId(workflowId);
  const isThere = ref !== null && (objectOf(kinds, ref) !== undefined || hasLeft(kinds, ref));
  const start = isThere ? { args: [], summary: `${ref.kind} ${ref.namespace}/${ref.name}` } : null;
  return { signal: ringSignal.name, given: [news], start };
}
