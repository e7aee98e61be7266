// What a person may ask of the rollout of a CappSet or a Bundle: each act writes what it asks for.
import { randomUUID } from 'node:crypto';
import { ABORT, APPROVE, APPROVE_REMOVAL, PAUSED, RETRY } from '../../../crds/labels.ts';
import { isSameRevision, shownRevision } from '../../../crds/rollout/revision.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { approvableIn } from '../../explain/set/approval.ts';
import { rolloutView } from '../../explain/set/rollout.ts';
import { CommandFailure } from '../../exit.ts';
import { annotateObject } from '../write/annotate.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { earlierOf, spelled, type EarlierRevision, type SteeredFleet } from '../objects/steered.ts';

/**
 * Writes the request into exactly the object that was read, and says in a sentence what was asked. `what` is
 * the stage, the site, the number of sites or the revision that is meant, where the act takes one. Throws
 * CommandFailure for what cannot be asked, ApiError where the hub refuses.
 */
export type RolloutAct = (hub: ConnectedHub, steered: SteeredFleet, what?: string) => Promise<string>;

export const approve: RolloutAct = async (hub, steered, named) => {
  const { revision, stages, reason } = rolloutView(steered);
  const { guarded, waiting } = approvableIn(steered);
  const stage = named ?? waiting[0];
  if (stage === undefined)
    throw new CommandFailure(
      'failed',
      `No stage waits for approval. See how far it is: kubectl capp rollout status ${spelled(steered)} -n ${steered.object.metadata.namespace}.`,
    );
  if (!guarded.includes(stage)) {
    const names = guarded.join(', ');
    const which = names === '' ? 'No stage of it needs approval' : `These stages need approval: ${names}`;
    throw new CommandFailure('usage', `Stage ${stage} needs no approval. ${which}.`);
  }
  await ask(hub, steered, { [APPROVE]: approvalOf(steered, `${stage}#${known(revision)}`) });
  const state = stages.find(({ name }) => name === stage)?.state;
  const next = stages.find((one) => one.state !== 'Passed')?.name;
  const isAhead = state === 'Waiting' && !(reason === 'AwaitsApproval' && stage === next);
  const when = isAhead
    ? ' It does not wait for that yet, and begins unasked when the stages before it have passed.'
    : '';
  return `approved stage ${stage} for revision ${shownRevision(revision)}.${when}`;
};

/** A retry from the first stage asks for approvals once more, and one that stands there has counted. */
function approvalOf({ object: { metadata } }: SteeredFleet, wanted: string): string {
  const before = metadata.annotations?.[APPROVE] ?? '';
  return before === wanted || before.startsWith(`${wanted}/`) ? `${wanted}/${anId()}` : wanted;
}

export const approveRemoval: RolloutAct = async (hub, steered, given = '') => {
  if (!/^[1-9]\d{0,5}$/.test(given))
    throw new CommandFailure('usage', `"${given}" is no number of sites: write a whole number above 0.`);
  const held = steered.object.status?.heldRemoval;
  if (held === undefined)
    throw new CommandFailure(
      'failed',
      'No removal waits for a person. Look again when Stalled says RemovalHeld.',
    );
  await ask(hub, steered, { [APPROVE_REMOVAL]: `${given}#${held.set}/${anId()}` });
  return `allowed the removal from at most ${given} of the ${held.count} sites that are no longer selected now. If others are to go by then, it asks again.`;
};

export const pause: RolloutAct = async (hub, steered) => {
  await ask(hub, steered, { [PAUSED]: 'true' });
  return 'paused. No site is changed, and what is under way goes on.';
};

export const resume: RolloutAct = async (hub, steered) => {
  if (steered.object.spec.paused)
    throw new CommandFailure(
      'failed',
      `It is paused by spec.paused: set that to false in the ${steered.is}.`,
    );
  await ask(hub, steered, { [PAUSED]: null });
  return 'goes on.';
};

export const abort: RolloutAct = async (hub, steered) => {
  const { revision } = rolloutView(steered);
  await ask(hub, steered, { [ABORT]: `${known(revision)}#${anId()}` });
  return `asked to stop. No further site gets revision ${shownRevision(revision)}; those that have it keep it.`;
};

export const retry: RolloutAct = async (hub, steered, site = '') => {
  await ask(hub, steered, { [RETRY]: `${site}#${anId()}` });
  return `asked to try ${site === '' ? 'all sites that failed' : site} again.`;
};

export const undo: RolloutAct = async (hub, steered, to) => {
  const target = await undoTarget(hub, steered, to);
  await target.restore();
  return `has the ${steered.is === 'Bundle' ? 'manifests' : 'template'} of revision ${shownRevision(target.revision)} again.`;
};

/**
 * What an undo would write. `to` is the name of a revision, or how it begins; the last one before that all
 * sites had if not given. Throws CommandFailure if there is none, and ApiError.
 */
export async function undoTarget(
  hub: ConnectedHub,
  steered: SteeredFleet,
  to: string | undefined,
): Promise<EarlierRevision> {
  const { revision, settled, before } = rolloutView(steered);
  const kept = await earlierOf(hub, steered);
  const wanted = settled === revision ? before : settled;
  const those = kept.filter((one) =>
    to === undefined ? isSameRevision(one.revision, wanted) : one.revision.startsWith(to),
  );
  const [target] = those;
  if (target === undefined || !those.every((one) => isSameRevision(one.revision, target.revision))) {
    const names = kept.map((one) => one.revision).join(', ');
    const what =
      to === undefined
        ? 'no earlier revision that all sites had'
        : `no revision ${to}${target === undefined ? '' : ' but several that begin so'}`;
    const remedy = names === '' ? 'The hub keeps none.' : `Name one with --to; the hub keeps: ${names}.`;
    throw new CommandFailure('notFound', `There is ${what}. ${remedy}`);
  }
  return target;
}

async function ask(
  hub: ConnectedHub,
  { resource, object }: SteeredFleet,
  annotations: Readonly<Record<string, string | null>>,
): Promise<void> {
  await annotateObject<KubeObject>(hub, resource, object, annotations);
}

/** Throws CommandFailure before the hub has looked at it. */
function known(revision: string): string {
  if (revision !== '') return revision;
  throw new CommandFailure('failed', 'The hub has not looked at it yet: try again in a moment.');
}

function anId(): string {
  return randomUUID().slice(0, 8);
}
