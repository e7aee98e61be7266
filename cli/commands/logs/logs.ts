// `kubectl capp logs`: what an app writes, on whatever site it is, through its moves.
import type { OpenedHub } from '../../hub/connection/hub.ts';
import { followLog, type Show } from '../../hub/logs/follow.ts';
import { followSet } from '../../hub/logs/follow-set.ts';
import { membersOf, noneThere, readWithLogs } from '../../hub/logs/members.ts';
import type { StreamWanted } from '../../hub/logs/stream.ts';
import type { NamedObject } from '../../hub/objects/named.ts';
import { durationFrom } from '../../explain/capp/goal.ts';
import { CommandFailure } from '../../exit.ts';
import { instantOf, type Line } from '../../../reach/lines.ts';
import { printable } from '../../show/printable.ts';
import type { Terminal } from '../../terminal.ts';
import { acting, onHub, wholeNumber, withExamples, type Program } from '../command.ts';

interface Flags {
  readonly follow?: boolean;
  readonly site?: string;
  readonly container?: string;
  readonly tail?: number;
  readonly since?: string;
  readonly timestamps?: boolean;
  readonly pods?: boolean;
}

export function addLogs(program: Program): void {
  withExamples(onHub(program.root.command('logs')), [
    'logs shop -f -n team-a',
    'logs cappset/shop --tail 20 --pods -n retail',
  ])
    .description('what a Capp writes, on its site and through its moves, or a CappSet on all its sites')
    .argument('<capp>', 'its name, namespace/name, or cappset/name')
    .option('-f, --follow', 'go on with what it writes from now on, until Ctrl-C')
    .option('--site <site>', 'only on this site')
    .option('-c, --container <container>', 'only of this container; otherwise all of the app')
    .option('--tail <lines>', 'only so many lines of each container, the last ones', wholeNumber)
    .option('--since <duration>', 'only lines of the last 90s, 10m or 2h')
    .option('--timestamps', 'with the time of each line')
    .option('--pods', 'with the Pod and the container of each line')
    .action(
      acting<Flags>(program, async ({ args: [name = ''], flags, hub, terminal }) => {
        const wanted = wantedBy(flags);
        const found = await readWithLogs(hub, name);
        if (wanted.follow) await followAll(hub, found, wanted, { terminal, show: showing(terminal, flags) });
        else await tellOnce(hub, found, wanted, { terminal, show: showing(terminal, flags) });
        return 'done';
      }),
    );
}

function wantedBy({ follow = false, site, container, tail, since }: Flags): StreamWanted {
  const ms = since === undefined ? null : durationFrom(since);
  if (since !== undefined && ms === null)
    throw new CommandFailure('usage', `"${since}" is no duration: write 90s, 10m or 2h.`);
  return {
    follow,
    site: site ?? null,
    container: container ?? null,
    tail: tail ?? null,
    sinceSeconds: ms === null ? null : Math.max(1, Math.ceil(ms / 1000)),
  };
}

/** What a site or an app has written must not steer a terminal. */
function showing({ out, note, colours }: Terminal, { timestamps = false, pods = false }: Flags): Show {
  return {
    line: ({ site, pod, container, at, text }) => {
      const from = pods ? `${site} ${pod}/${container}` : site;
      const words = [colours.cyan(`${printable(from)} |`), ...(timestamps ? [printable(at)] : [])];
      out(`${words.join(' ')} ${printable(text)}`.trimEnd());
    },
    remark: (text) => note(printable(text)),
  };
}

interface Telling {
  readonly terminal: Terminal;
  readonly show: Show;
}

/** In the order of their times, over all containers and sites. */
async function tellOnce(
  hub: OpenedHub,
  found: NamedObject,
  wanted: StreamWanted,
  telling: Telling,
): Promise<void> {
  const { terminal, show } = telling;
  const lines: Line[] = [];
  const gathering: Show = { line: (line) => void lines.push(line), remark: show.remark };
  const signal = terminal.interrupted;
  const members = await membersOf(hub, found, wanted.site);
  if (members.length === 0 && wanted.site !== null)
    throw new CommandFailure('notFound', noneThere(found.object, wanted.site));
  for (const capp of members)
    await ofOne(found, show, () => followLog(hub, capp, wanted, { show: gathering, signal }));
  const order = (line: Line): bigint => instantOf(line.at) ?? 0n;
  for (const line of lines.toSorted((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0)))
    show.line(line);
}

async function followAll(
  hub: OpenedHub,
  found: NamedObject,
  wanted: StreamWanted,
  { terminal, show }: Telling,
): Promise<void> {
  const telling = { show, signal: terminal.interrupted };
  if (found.is === 'CappSet') return followSet(hub, found, wanted, telling);
  for (const capp of await membersOf(hub, found)) await followLog(hub, capp, wanted, telling);
}

/** One Capp of a set that cannot be read is a remark, and the others are read. */
async function ofOne({ is }: NamedObject, show: Show, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (is !== 'CappSet' || !(error instanceof CommandFailure) || error.exit === 'forbidden') throw error;
    show.remark(error.message);
  }
}
