// `kubectl capp list -w`: all Capps, and then a line for each that has changed.
import type { Capp } from '../../../crds/capp/capp.ts';
import { PAUSED } from '../../../crds/labels.ts';
import { summaryOf, type Summary } from '../../explain/capp/summary.ts';
import type { FollowedObject } from '../../hub/follow/follow-all.ts';
import { headOf, rowOf, type CappListOptions } from '../../show/capps.ts';
import { jsonOf, yamlOf, type OutputFormat } from '../../show/output.ts';
import { table, textOf, type Cell } from '../../show/table.ts';
import type { Terminal } from '../../terminal.ts';

type Options = Omit<CappListOptions, 'now'>;
type Writer = (changed: readonly FollowedObject<Capp>[]) => void;
type Gone = NonNullable<FollowedObject<Capp>['gone']>;
type Change = Omit<Summary, 'phase'> & { readonly phase: Summary['phase'] | Gone };

/** For people: rows below one head, whose columns never get narrower. */
export function rowWriter({ out }: Pick<Terminal, 'out'>, _format: OutputFormat, options: Options): Writer {
  const news = newsIn();
  const head = headOf(options, true);
  let widths: number[] = [];
  let isFirst = true;
  return (changed) => {
    const rows = news(changed).map((one) => rowFor(one, { ...options, now: Date.now() }));
    if (rows.length === 0 && !isFirst) return;
    const lengths = rows.map((row) => row.map((cell) => textOf(cell).length));
    widths = head.map((_, at) => Math.max(widths[at] ?? 0, ...lengths.map((row) => row[at] ?? 0)));
    const ruler = widths.map((width) => 'x'.repeat(width));
    const [first = '', , ...lines] = table(head, [ruler, ...rows]).split('\n');
    for (const line of isFirst ? [first, ...lines] : lines) out(line);
    isFirst = false;
  };
}

function isGone(phase: Change['phase']): phase is Gone {
  return phase === 'Deleted' || phase === 'Unselected';
}

function rowFor({ phase, ...summary }: Change, options: CappListOptions): Cell[] {
  const row = rowOf({ ...summary, phase: isGone(phase) ? 'Deleting' : phase }, options, true);
  const { dim } = options.colours;
  return isGone(phase)
    ? row.map((cell) => (textOf(cell) === 'Deleting' ? { text: phase, paint: dim } : cell))
    : row;
}

/** For programs: a line of JSON, or a document of YAML, for each. */
export function changeWriter({ out }: Pick<Terminal, 'out'>, format: OutputFormat): Writer {
  const news = newsIn();
  return (changed) => {
    for (const one of news(changed)) out(format === 'json' ? jsonOf(one, 0) : `---\n${yamlOf(one)}`);
  };
}

/** Those that look different from before, by namespace and name. */
function newsIn(): (changed: readonly FollowedObject<Capp>[]) => Change[] {
  const said = new Map<string, string>();
  return (changed) => {
    const all = changed.map(({ object, gone }): Change => {
      const summary = summaryOf(object, PAUSED);
      return gone === null ? summary : { ...summary, phase: gone };
    });
    const fresh = all.filter((one) => {
      const key = `${one.namespace}/${one.name}`;
      const text = jsonOf(one, 0);
      const isNew = said.get(key) !== text;
      if (isGone(one.phase)) said.delete(key);
      else said.set(key, text);
      return isNew;
    });
    return fresh.toSorted((a, b) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1));
  };
}
