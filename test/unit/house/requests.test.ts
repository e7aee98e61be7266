// What a Capp costs the hub's API server, counted in worlds in which nothing goes wrong: the real workflow,
// activities and bridge on the simulator's API server. A number that rises or falls must be said here, and in
// bench/README.md.
import { readFileSync } from 'node:fs';
import type { Cost } from '../../support/simulator/stories/quiet.ts';
import { costOf, type Story, STORY_NAMES } from '../../support/simulator/stories/stories.ts';

/** Activity → its requests, and why they are needed. */
type Needs = Readonly<Record<string, readonly [requests: string, why: string]>>;

const SHIPS =
  'the Capp live: its uid and deletion; beside it, whether its Placement has decided for the site today; the history; the annotation that readers of the Go operator know; the work; the status; two events';
const TELLS =
  'Progressing, then Ready: each one write for the mirror of the site and the conditions, on the Capp as the cache has it: the write names its version';

const BUDGET: Readonly<Record<Story, { readonly tasks: number; readonly needs: Needs }>> = {
  'a first rollout': {
    tasks: 3,
    needs: {
      place: [
        'create capprevisions, 2 create events, create manifestworks, get capps, list placementdecisions, patch capps, patch capps/status',
        SHIPS,
      ],
      publish: ['2 patch capps/status', TELLS],
    },
  },
  'a first rollout with three Secrets and a hostname': {
    tasks: 3,
    needs: {
      place: [
        'create capprevisions, 2 create events, create manifestworks, get capps, 3 get secrets, list placementdecisions, patch capps, patch capps/status',
        `${SHIPS}; each Secret live; whose the hostname is says a cache`,
      ],
      publish: [
        'get manifestworks, 2 patch capps/status',
        `${TELLS}; before Ready, whether OCM refused one of the Secrets`,
      ],
    },
  },
  'an edit': {
    tasks: 3,
    needs: {
      apply: [
        'create capprevisions, get capps, get manifestworks, patch capps/status, patch manifestworks',
        'the work before what goes into it, so that whoever writes it later wins; the Capp live; the history; the work; the status',
      ],
      publish: ['2 patch capps/status', TELLS],
    },
  },
  'another status on the site': {
    tasks: 2,
    needs: {
      publish: [
        'patch capps/status',
        'the mirror, on the Capp as the cache has it: the write names its version',
      ],
    },
  },
  'a move': {
    tasks: 8,
    needs: {
      apply: [
        '2 create events, create manifestworks, 3 get capps, 2 get manifestworks, patch capps/status',
        'the new copy; both copies as they are when somebody rings',
      ],
      find: ['2 get manifestworks', 'whether the old work is gone, by both names that it may have'],
      publish: [
        '2 create events, 2 get capps, patch capps, 3 patch capps/status',
        'the move; the new site, with the annotation that names it; its status',
      ],
      remove: [
        'delete manifestworks, get capps, get managedclusters, 2 get manifestworks',
        'fresh grounds: users are sent to the copy that stays, its site is reachable, its work is the one that was confirmed',
      ],
    },
  },
  'a deletion': {
    tasks: 2,
    needs: {
      retire: [
        'delete manifestworks, 2 get capps, list manifestworks, patch capps',
        'the Capp live, twice; the work that the cache shows, by its uid; when it is gone, every work that may be left; the finalizer. For which site it waits is said after ten seconds, or when the site is lost',
      ],
    },
  },
  'a day at rest': {
    tasks: 1,
    needs: { apply: ['get capps, get manifestworks', 'the daily look compares, and writes nothing'] },
  },
};

const README = readFileSync(new URL('../../../bench/README.md', import.meta.url), 'utf8');
const BETWEEN = /(?<=<!-- requests -->\n)[^]*(?=<!-- end of the requests -->)/;

test.each(STORY_NAMES)('%s costs what the budget says, and nothing more or less', async (story) => {
  const { tasks, needs } = BUDGET[story];
  const asked = Object.fromEntries(
    Object.entries(needs).map(([activity, [requests]]) => [activity, requests]),
  );
  expect(said(await costOf(story))).toEqual({ tasks, ...asked });
});

test('bench/README.md has the same budget', () => {
  expect(BETWEEN.exec(README)?.[0].trim()).toBe(table());
});

function said({ requests, tasks }: Cost): object {
  const asked = Object.entries(requests).map(([activity, counts]) => [
    activity,
    Object.entries(counts)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([request, count]) => (count === 1 ? request : `${count} ${request}`))
      .join(', '),
  ]);
  return { tasks, ...Object.fromEntries(asked) };
}

function table(): string {
  const rows = STORY_NAMES.flatMap((story) => {
    const { tasks, needs } = BUDGET[story];
    const [all, writes] = [() => true, (request: string) => !/^(get|list) /.test(request)].map((counts) =>
      Object.values(needs).reduce((sum, [requests]) => sum + numberOf(requests, counts), 0),
    );
    const together = `| **${story}** | | **${all} requests, ${writes} of them writes; workflow tasks: ${tasks}** | |`;
    const each = Object.entries(needs).map(
      ([activity, [requests, why]]) => `| | ${activity} | ${requests} | ${why} |`,
    );
    return [together, ...each];
  });
  return ['| story | activity | requests | why |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function numberOf(requests: string, counts: (request: string) => boolean): number {
  return requests
    .split(', ')
    .map((one) => /^(?:(\d+) )?(.*)$/.exec(one) ?? [])
    .reduce((sum, [, count = '1', request = '']) => sum + (counts(request) ? Number(count) : 0), 0);
}
