// Shows how far a drain is until it has ended, and how it ended.
import { DRAIN, type Drain } from '../../../crds/drain/drain.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { durationFrom } from '../../explain/capp/goal.ts';
import type { DrainView } from '../../explain/drain.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import { drainView } from '../../hub/objects/drains.ts';
import { follow } from '../../hub/follow/follow.ts';
import { endSentence, progressLine, progressLines, staysText } from '../../show/drain.ts';
import { drawer } from '../../show/drawer.ts';
import { formatFrom, isForPrograms, print } from '../../show/output.ts';
import { printable } from '../../show/printable.ts';
import type { Terminal } from '../../terminal.ts';
import type { CommandCall } from '../command.ts';

export interface FollowFlags {
  readonly output?: string;
  /** As the person wrote it. */
  readonly timeout?: string;
}

/** The hub heeds a Drain within seconds. */
const UNHEEDED_MS = 20_000;

/** Ctrl-C leaves the drain running. Throws CommandFailure and ApiError. */
export async function followDrain(call: CommandCall<FollowFlags>, drain: Drain): Promise<Exit> {
  const { flags, hub, terminal } = call;
  const { name, uid } = drain.metadata;
  const withinMs = timeoutFrom(flags.timeout);
  const format = formatFrom(flags.output);
  const isSilent = isForPrograms(format);
  const show = isSilent ? () => undefined : terminal.isLive ? barOf(terminal) : linesOf(terminal);
  let isHeeded = false;
  const look = (seen: KubeObject | null): DrainView | 'gone' | undefined => {
    if (seen === null || seen.metadata.uid !== uid) return 'gone';
    const view = drainView(seen as Drain);
    isHeeded = view.isHeeded;
    show(view);
    return view.isOver ? view : undefined;
  };
  const warning = setTimeout(() => void (isHeeded || terminal.note(UNHEEDED)), UNHEEDED_MS);
  const target = { resource: DRAIN, namespace: null, name };
  try {
    const found = await follow(hub, target, look, {
      withinMs,
      signal: terminal.interrupted,
    });
    if (found === 'gone') return gone(terminal, name);
    if (found === null) return left(terminal, name);
    print(terminal, format, found, (isWide) => endText(found, isWide));
    return found.phase === 'Done' && found.stayed === 0 ? 'done' : 'notSo';
  } finally {
    clearTimeout(warning);
  }
}

const UNHEEDED =
  'The hub has not looked at the Drain for 20 seconds. If that goes on, the bridge, a hub worker or Temporal does not run: kubectl capp doctor';

function timeoutFrom(text: string | undefined): number | null {
  if (text === undefined) return null;
  const found = durationFrom(text);
  if (found === null) throw new CommandFailure('usage', `"${text}" is no duration: write 90s, 10m or 2h.`);
  return found;
}

function barOf(terminal: Terminal): (view: DrainView) => void {
  const draw = drawer(terminal);
  return (view) => draw(progressLines(view, terminal));
}

/** For pipes: a line for each change. */
function linesOf({ out }: Terminal): (view: DrainView) => void {
  let said = '';
  return (view) => {
    const line = printable(progressLine(view));
    if (line !== said) out(`${new Date().toISOString()} ${line}`);
    said = line;
  };
}

function gone({ note }: Terminal, site: string): Exit {
  note(
    `Somebody deleted Drain ${site}, which ends the drain: Capps on their way arrive, and all others stay on ${site}.`,
  );
  return 'notSo';
}

function left({ note, interrupted }: Terminal, site: string): Exit {
  const how = interrupted.aborted ? '' : 'That takes longer than you wanted to wait. ';
  note(
    `${how}The drain of ${site} goes on. See how far it is: kubectl capp drain ${site}. End it: kubectl capp drain ${site} --stop.`,
  );
  return interrupted.aborted ? 'interrupted' : 'notSo';
}

function endText(view: DrainView, isWide: boolean): string {
  const { site, stayed } = view;
  const open = `Nothing new is placed on ${site} until you open it again: kubectl capp drain ${site} --stop`;
  return [endSentence(view), ...(stayed === 0 ? [] : [staysText(view, isWide)]), open].join('\n\n');
}
