// The table of what each story costs on the stack, for bench/README.md.
import type { Cost } from '../testbed/counts/count.ts';
import type { StoryName } from '../testbed/counts/stories.ts';

export interface Counted extends Cost {
  /** For one life, by what is counted. */
  readonly others: Readonly<Record<string, number>>;
}

const SHIPS =
  'the Capp live, its history, the annotation for readers of the Go operator, the work, two events';

const WHY: Readonly<Record<StoryName, string>> = {
  'a first rollout': `${SHIPS}; the status once with the site and once with the verdict. One ring, one question to the agent`,
  'an edit': 'the Capp and the work live, history, work, status twice',
  'one look again at rest': 'Capp and work are compared, and nothing is written',
  'a move':
    'a second copy, its verdict, users sent there, the old copy removed on fresh grounds: four states that people read',
  'a deletion':
    'the Capp live, twice; the work; the list before the finalizer goes. Kubernetes collects the CappRevisions, a read and a deletion each',
  'a first rollout with three Secrets and a hostname': `as the first rollout, and each Secret live`,
  'one site of a CappSet':
    'a first rollout of its Capp, and the set: its Capp, its revision, its status as that goes on',
  'one site of a Bundle': 'one work, its revision, the status of the Bundle; no agent of ours is asked',
};

/** Others than ours. */
const OTHERS = 'others';
const OURS = new Set(['hub', 'bridge', 'webhook', 'gateway']);

export function countsTable(stories: Readonly<Record<string, Counted>>): string {
  const head = [
    'story',
    'history events',
    'workflow tasks',
    'signals',
    'requests to the hub’s API server',
    'calls to Temporal',
    'KiB into etcd',
    'watch events',
    'why',
  ];
  const rows = Object.entries(stories).map(([name, { events, tasks, signals, requests, others }]) => [
    name,
    events,
    tasks,
    signals,
    requestsText(requests),
    sumOf(others, 'call '),
    Math.round(sumOf(others, 'bytes ') / 1024),
    sumOf(others, 'watch event '),
    WHY[name as StoryName] ?? '',
  ]);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function requestsText(requests: Cost['requests']): string {
  const all = new Map<string, string[]>();
  for (const [process, counts] of Object.entries(requests)) {
    const said = Object.entries(counts)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([request, count]) => (count === 1 ? request : `${count} ${request}`));
    const by = OURS.has(process) ? process : OTHERS;
    all.set(by, [...(all.get(by) ?? []), ...said]);
  }
  return [...all].map(([by, said]) => `${by}: ${said.join(', ')}`).join('; ');
}

function sumOf(others: Counted['others'], prefix: string): number {
  const sum = Object.entries(others)
    .filter(([what]) => what.startsWith(prefix))
    .reduce((all, [, count]) => all + count, 0);
  return Math.round(sum * 10) / 10;
}
