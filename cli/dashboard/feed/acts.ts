// Does what a sheet said, by the functions of the commands, on exactly what the person has seen.
import { asksForDrill, type Drain } from '../../../crds/drain/drain.ts';
import { CommandFailure } from '../../exit.ts';
import { askToMove, moveRequest, setPaused } from '../../hub/acts/capp.ts';
import { planDrain } from '../../hub/acts/drain-plan.ts';
import { askToRollBack, rollbackOf } from '../../hub/acts/rollback.ts';
import { abort, approve, pause, resume, retry, undo, type RolloutAct } from '../../hub/acts/rollout.ts';
import { readCapp } from '../../hub/objects/capps.ts';
import type { ConnectedHub } from '../../hub/connection/hub.ts';
import {
  changeDrain,
  checkSite,
  createDrain,
  deleteDrain,
  drainView,
  readDrain,
  withoutOldAnswer,
} from '../../hub/objects/drains.ts';
import { readSteered } from '../../hub/objects/steered.ts';
import { changesSince, seenOf, seenOfDrain, seenOfRollout } from '../view/seen.ts';
import type { ActName } from '../view/sheets/sheet.ts';

export interface ActRequest {
  readonly act: string;
  /** CappSet or Bundle; empty for others. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** What was chosen or written beside it; empty for nothing. */
  readonly what: string;
  /** The reason that a person wrote down; empty for none. */
  readonly why: string;
  /** What the sheet was opened on. */
  readonly seen: string;
}

/** What the sheet said may not be so any more: it is not done. */
export class Changed extends Error {}

const LONGEST = 1024;

/** Null for what no page sends. */
export function askedIn(body: Readonly<Record<string, unknown>>): ActRequest | null {
  const text = (key: string): string | null => {
    const value = body[key] ?? '';
    return typeof value === 'string' && value.length <= LONGEST ? value : null;
  };
  const [act, kind, namespace, name] = [text('act'), text('kind'), text('namespace'), text('name')];
  const [what, why, seen] = [text('what'), text('why'), text('seen')];
  if (act === null || kind === null || namespace === null || name === null || name === '') return null;
  if (what === null || why === null || seen === null) return null;
  return { act, kind, namespace, name, what, why, seen };
}

/** What the hub was asked, in a sentence. Throws Changed, CommandFailure and ApiError. */
export async function doAct(hub: ConnectedHub, asked: ActRequest): Promise<string> {
  const act: ((hub: ConnectedHub, asked: ActRequest) => Promise<string>) | undefined = Object.hasOwn(
    DOES,
    asked.act,
  )
    ? DOES[asked.act as ActName]
    : undefined;
  if (act === undefined) throw new CommandFailure('usage', 'The dashboard knows no such act.');
  return act({ ...hub, namespace: asked.namespace === '' ? hub.namespace : asked.namespace }, asked);
}

const DOES: Readonly<Record<ActName, (hub: ConnectedHub, asked: ActRequest) => Promise<string>>> = {
  move,
  rollback,
  pause: (hub, asked) => freeze(hub, asked, true),
  resume: (hub, asked) => freeze(hub, asked, false),
  approve: steer(approve),
  'pause-rollout': steer(pause),
  'resume-rollout': steer(resume),
  abort: steer(abort),
  retry: steer(retry),
  undo: steer(undo),
  drain,
  'pause-drain': (hub, asked) => change(hub, asked, true),
  'resume-drain': (hub, asked) => change(hub, asked, false),
  'stop-drain': stop,
};

async function move(hub: ConnectedHub, { namespace, name, what, seen }: ActRequest): Promise<string> {
  const capp = await readCapp(hub, `capp/${name}`);
  isStillSo(seen, seenOf(capp));
  const asked = moveRequest(capp, what === '' ? null : what, false);
  await askToMove(hub, capp, asked);
  return `Asked ${namespace}/${name} to move to ${what === '' ? 'the best other site' : what}.`;
}

async function rollback(
  hub: ConnectedHub,
  { namespace, name, what, why, seen }: ActRequest,
): Promise<string> {
  const capp = await readCapp(hub, `capp/${name}`);
  isStillSo(seen, seenOf(capp));
  const wanted = await rollbackOf(hub, capp, revisionIn(what));
  if (wanted.changes.length === 0)
    return `${namespace}/${name} has the spec of revision ${wanted.to} already. Nothing was written.`;
  const { metadata } = await askToRollBack(hub, capp, wanted, why);
  return `${namespace}/${name} has the spec of revision ${wanted.to} again, as generation ${metadata.generation}.`;
}

/** Null: none was named. Throws CommandFailure for what is no number. */
export function revisionIn(what: string): number | null {
  if (what === '') return null;
  if (/^[1-9]\d{0,9}$/.test(what)) return Number(what);
  throw new CommandFailure('usage', `"${what}" is no number of a revision: "What happened" names them.`);
}

async function freeze(
  hub: ConnectedHub,
  { namespace, name, seen }: ActRequest,
  isPaused: boolean,
): Promise<string> {
  const capp = await readCapp(hub, `capp/${name}`);
  isStillSo(seen, seenOf(capp));
  await setPaused(hub, capp, isPaused);
  return `${namespace}/${name} ${isPaused ? 'is paused' : 'goes on'}.`;
}

function steer(act: RolloutAct): (hub: ConnectedHub, asked: ActRequest) => Promise<string> {
  return async (hub, { kind, namespace, name, what, seen }) => {
    const steered = await readSteered(
      { ...hub, namespace },
      `${kind === 'Bundle' ? 'bundle' : 'cappset'}/${name}`,
    );
    isStillSo(seen, seenOfRollout(steered));
    return `${namespace}/${name}: ${await act(hub, steered, what === '' ? undefined : what)}`;
  };
}

async function drain(hub: ConnectedHub, { name, why }: ActRequest): Promise<string> {
  await checkSite(hub, name);
  // A dry run that a plan or a drill has made for its answer gives way.
  const found = await withoutOldAnswer(hub, await readDrain(hub, name), () => true);
  if (found !== null) throw new Changed(`There is a Drain ${name} by now.`);
  await createDrain(hub, name, why === '' ? {} : { reason: why });
  return `Asked the hub to drain ${name}.`;
}

async function readSeen(hub: ConnectedHub, { name, seen }: ActRequest): Promise<Drain> {
  const found = await readDrain(hub, name);
  if (found === null) throw new Changed(`${name} is not being drained any more.`);
  isStillSo(seen, seenOfDrain(found));
  return found;
}

async function change(hub: ConnectedHub, asked: ActRequest, paused: boolean): Promise<string> {
  await changeDrain(hub, await readSeen(hub, asked), { paused });
  return `The drain of ${asked.name} ${paused ? 'is paused' : 'goes on'}.`;
}

async function stop(hub: ConnectedHub, asked: ActRequest): Promise<string> {
  await deleteDrain(hub, await readSeen(hub, asked));
  return `Ended the drain of ${asked.name}.`;
}

/** What a drain of the site would do. */
export async function planOfDrain(
  hub: ConnectedHub,
  { name, why }: ActRequest,
  signal: AbortSignal,
): Promise<unknown> {
  await checkSite(hub, name);
  const isOld = (drain: Drain): boolean => drainView(drain).isOver && !asksForDrill(drain);
  await withoutOldAnswer(hub, await readDrain(hub, name), isOld);
  return planDrain(hub, name, why === '' ? {} : { reason: why }, signal);
}

/** Throws Changed. */
function isStillSo(seen: string, now: string): void {
  const changes = changesSince(seen, now);
  if (changes.length === 0) return;
  throw new Changed(
    `It has changed since you opened this: ${changes.join('; ')}. Nothing was done. Close this, look at it again, and ask once more.`,
  );
}
