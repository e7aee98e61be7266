// `kubectl capp plan --lost` and `--taint`: what would become of what is on a site.
import type { Supposition } from '../../../activities/hub/suppose/world.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import { checkSite } from '../../hub/objects/drains.ts';
import { suppose } from '../../hub/plan/suppose.ts';
import { formatFrom, print } from '../../show/output.ts';
import { supposedText } from '../../show/suppose.ts';
import type { CommandCall } from '../command.ts';

interface Flags {
  readonly output?: string;
}

/** Throws CommandFailure and ApiError. */
export function lostPlan(call: CommandCall<Flags>, site: string): Promise<Exit> {
  return show(call, { site, what: `the loss of ${site}` }, { is: 'Lost' });
}

/** Throws CommandFailure, also for what is no taint, and ApiError. */
export async function taintedPlan(call: CommandCall<Flags>, text: string): Promise<Exit> {
  const { site, taint } = taintFrom(text);
  const what = `taint ${text.slice(site.length + 1)} on ${site}`;
  return show(call, { site, what }, { is: 'Tainted', taint });
}

type Tainted = Extract<Supposition, { is: 'Tainted' }>;

/** `<site>=<key>[=<value>]:<effect>`. Throws CommandFailure. */
export function taintFrom(text: string): { readonly site: string } & Omit<Tainted, 'is'> {
  const [, site, key, value, effect] = /^([^=:\s]+)=([^=:\s]+)(?:=([^=:\s]+))?:(\w+)$/.exec(text) ?? [];
  if (site === undefined || key === undefined)
    throw new CommandFailure(
      'usage',
      `--taint "${text}" is no taint of a site: write site-3=maintenance:NoSelect, or site-3=maintenance=disks:NoSelect.`,
    );
  const known = EFFECTS.find((one) => one === effect);
  if (known === undefined)
    throw new CommandFailure(
      'usage',
      `--taint has the effect "${effect ?? ''}", which OCM does not know: use ${EFFECTS.join(', ')}.`,
    );
  return { site, taint: { key, effect: known, ...(value === undefined ? {} : { value }) } };
}

const EFFECTS = ['NoSelect', 'PreferNoSelect', 'NoSelectIfNew'] as const;

async function show(
  { flags, hub, terminal }: CommandCall<Flags>,
  { site, what }: { readonly site: string; readonly what: string },
  supposition: Supposition,
): Promise<Exit> {
  const format = formatFrom(flags.output);
  await checkSite(hub, site);
  const found = await suppose(hub, site, supposition);
  print(terminal, format, { site, ...found }, (isWide) =>
    supposedText({ what, outlooks: found.outlooks }, { isWide, colours: terminal.colours }),
  );
  noteUnread(terminal, found.unread);
  return 'done';
}

/** The answer leaves out what the person may not read. */
export function noteUnread(
  { note }: Pick<CommandCall<Flags>['terminal'], 'note'>,
  unread: readonly string[],
): void {
  if (unread.length > 0)
    note(
      `You may not read ${unread.join(', ')}, so the answer leaves out what they say: ask for the right to list them.`,
    );
}
