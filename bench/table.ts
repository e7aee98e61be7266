// Writes the table in bench/README.md from the raw results. To do only that, run: node bench/table.ts
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writeText } from '../deploy/local/supervise/json-file.ts';
import { BESIDE_PEER, CATALOG, isMeasure } from './catalog.ts';
import { countsTable, type Counted } from './counts-table.ts';
import type { Machine } from './conditions/machine.ts';
import { RESULTS } from './measure.ts';
import type { MeasuredStory } from './peer/stories.ts';

const README = join(import.meta.dirname, 'README.md');
const BETWEEN = /(?<=<!-- table -->\n).*(?=<!-- end of table -->)/s;
const COUNTED = /(?<=<!-- counts -->\n).*(?=<!-- end of the counts -->)/s;
const BESIDE = /(?<=<!-- beside the Go operator -->\n).*(?=<!-- end of that table -->)/s;

interface Result {
  readonly ours: string;
  readonly at: string;
  readonly machine: Machine;
}

/** A missing result is a dash. */
export async function writeTable(): Promise<void> {
  const rows = [
    ['measure', 'ours', 'ours, Temporal on PostgreSQL', 'Go operator: reference, measured on another day'],
    Array(4).fill('---'),
  ];
  const machines = new Map<string, number[]>();
  for (const name of Object.keys(CATALOG).filter(isMeasure)) {
    if (name === BESIDE_PEER) continue;
    const [development, postgres] = [await resultOf(name), await resultOf(`${name}-postgres`)];
    rows.push([CATALOG[name].title, development?.ours ?? '–', postgres?.ours ?? '–', CATALOG[name].go]);
    for (const result of [development, postgres]) {
      if (result === null) continue;
      const machine = describe(result);
      machines.set(machine, [...(machines.get(machine) ?? []), result.machine.calibrationMs]);
    }
  }
  const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const notes = [...machines]
    .map(([machine, loops]) => `- ${machine}, calibration ${Math.min(...loops)} to ${Math.max(...loops)} ms`)
    .join('\n');
  const beside = await besidePeer();
  const counted = await counts();
  const text = readFileSync(README, 'utf8')
    .replace(BETWEEN, () => `\n${table}\n\nMeasured on:\n\n${notes === '' ? '- –' : notes}\n\n`)
    .replace(COUNTED, () => `\n${counted}\n\n`)
    .replace(BESIDE, () => `\n${beside}\n\n`);
  writeText(README, text, 0o644);
}

interface Comparison extends Result {
  readonly figures: {
    readonly compared: Readonly<Record<string, Readonly<Record<'peer' | 'ours' | 'ratio', MeasuredStory>>>>;
  };
}

/** The figures of one run: both operators on one stack, in turn. */
async function besidePeer(): Promise<string> {
  const result = await readJson<Comparison>(join(RESULTS, `${BESIDE_PEER}.json`));
  if (result === null) return 'Not measured.';
  const rows = Object.entries(result.figures.compared).flatMap(([title, { peer, ours, ratio }]) =>
    Object.keys(ours).map((what) => [`${title}: ${what}`, peer[what], ours[what], ratio[what]]),
  );
  const head = [['measure', 'the Go operator', 'ours', 'ratio'], Array(4).fill('---')];
  const table = [...head, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return `${table}\n\nMeasured on ${describe(result)}, calibration ${result.machine.calibrationMs} ms.`;
}

interface Counts extends Result {
  readonly figures: { readonly lives: number; readonly stories: Readonly<Record<string, Counted>> };
}

async function counts(): Promise<string> {
  const result = await readJson<Counts>(join(RESULTS, 'counts.json'));
  if (result === null) return 'Not counted.';
  return `${countsTable(result.figures.stories)}\n\nCounted in ${result.figures.lives} lives at once on ${describe(result)}.`;
}

async function resultOf(name: string): Promise<Result | null> {
  return readJson<Result>(join(RESULTS, `${name}.json`));
}

function describe({ at, machine: { cores, cpu, memoryMiB, node } }: Result): string {
  return `${at.slice(0, 10)}: ${cores} × ${cpu}, ${Math.round(memoryMiB / 1024)} GiB, Node ${node}`;
}

if (process.argv[1] === import.meta.filename) await writeTable();
