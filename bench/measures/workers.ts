// One, two and four hub workers under the same loads: many Capps are created at once while a worker is
// killed, edited at once, and deleted at once. No Capp may ever have two works, none may be lost, and an edit
// may not replace a work. Agents run.
//
// Usage: node bench/measures/workers.ts [Capps]
import { CAPP } from '../../crds/capp/capp.ts';
import { tenth } from '../../testbed/quantiles.ts';
import { processorTime, spentEach, type Spent } from '../conditions/processor-time.ts';
import { restOf, type Rest } from '../load/capps-at-rest.ts';
import { hubWorkers } from '../load/more-workers.ts';
import { DISABLED, numbered, type Testbed } from '../load/testbed.ts';
import { worksOfEach, type WorksOfEach } from '../load/works-of-each.ts';
import { measure } from '../measure.ts';

interface Timed {
  readonly perSecond: number;
  readonly processors: Spent;
}

interface Turn {
  readonly workers: number;
  readonly created: Timed;
  readonly edited: Timed;
  readonly deleted: Timed;
}

await measure('workers', 200, async (testbed, count) => {
  const rest = await restOf(testbed);
  const works = await worksOfEach(testbed);
  const turns: Turn[] = [];
  for (const workers of [1, 2, 4]) {
    const names = await hubWorkers(testbed, workers);
    turns.push(await turn({ testbed, rest, works, names }, count));
  }
  if (works.most() !== 1) throw new Error(`A Capp has had ${works.most()} works at once.`);
  const cells = turns.map(
    ({ workers, created, edited, deleted }) =>
      `${workers}: ${created.perSecond}, ${edited.perSecond}, ${deleted.perSecond}`,
  );
  return {
    ours: `created, edited and deleted a second, ${count} at once, with so many workers: ${cells.join('; ')}. No Capp lost, none with two works`,
    figures: { capps: count, turns, mostWorksOfOne: works.most() },
  };
});

interface Setting {
  readonly testbed: Testbed;
  readonly rest: Rest;
  readonly works: WorksOfEach;
  /** Of the hub workers. */
  readonly names: readonly string[];
}

async function turn({ testbed, rest, works, names: workers }: Setting, count: number): Promise<Turn> {
  const { hub, namespace, stack } = testbed;
  const names = numbered(`with-${workers.length}`, count);
  const created = await timed(testbed, count, async () => {
    const all = Promise.all(names.map((name) => testbed.create(name, DISABLED)));
    const last = workers.at(-1) ?? '';
    await Promise.all([all, testbed.worksOf(names.slice(0, 1)).then(() => stack.kill(last))]);
    await testbed.allReady(names);
  });
  const before = works.uids();
  const edited = await timed(testbed, count, async () => {
    await Promise.all(
      names.map((name) => hub.patch(CAPP, { namespace, name }, { spec: { scaleMetric: 'rps' } })),
    );
    await testbed.allReady(names);
  });
  const replaced = names.filter((name) => works.uids().get(name) !== before.get(name));
  if (replaced.length > 0) throw new Error(`An edit has replaced the works of ${replaced.join(', ')}.`);
  const deleted = await timed(testbed, count, async () => {
    await Promise.all(names.map((name) => hub.remove(CAPP, { namespace, name })));
    await rest.gone(names);
  });
  return { workers: workers.length, created, edited, deleted };
}

async function timed(
  { stack: { layout } }: Testbed,
  count: number,
  act: () => Promise<void>,
): Promise<Timed> {
  const before = await processorTime(layout);
  const begun = performance.now();
  await act();
  const seconds = (performance.now() - begun) / 1_000;
  return {
    perSecond: tenth(count / seconds),
    processors: spentEach(before, await processorTime(layout), count),
  };
}
