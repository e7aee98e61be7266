// What each story may cost at most: the least of ten lives, the greater of a quiet and of a busy machine.
// bench/README.md gives the reason for each number. A change that lowers one lowers it here, too.
import type { Cost } from './count.ts';
import type { StoryName } from './stories.ts';

export const BUDGET: Readonly<Record<StoryName, Cost>> = {
  'a first rollout': {
    requests: {
      hub: {
        'get capps': 1,
        'create capprevisions': 1,
        'patch capps': 1,
        'create manifestworks': 1,
        'patch capps/status': 2,
        'create events': 2,
      },
      'ocm-agent': {
        'patch manifestworks/status': 2,
      },
    },
    events: 17,
    tasks: 2,
    signals: 1,
  },
  'an edit': {
    requests: {
      hub: {
        'get manifestworks': 1,
        'get capps': 1,
        'create capprevisions': 1,
        'patch manifestworks': 1,
        'patch capps/status': 2,
      },
      'ocm-agent': {
        'patch manifestworks/status': 2,
        'patch manifestworks/status (409)': 1,
      },
    },
    events: 14,
    tasks: 2,
    signals: 1,
  },
  'one look again at rest': {
    requests: {
      hub: {
        'get manifestworks': 1,
        'get capps': 1,
      },
    },
    events: 6,
    tasks: 1,
    signals: 1,
  },
  'a move': {
    requests: {
      hub: {
        'get capps': 5,
        'create manifestworks': 1,
        'patch capps/status': 4,
        'patch capps': 1,
        'create events': 4,
        'get manifestworks': 3,
        'delete manifestworks': 1,
        'get manifestworks (404)': 2,
      },
      'ocm-agent': {
        'patch manifestworks/status': 4,
        'patch manifestworks/status (409)': 2,
        'patch manifestworks': 1,
      },
    },
    events: 37,
    tasks: 5,
    signals: 3,
  },
  'a deletion': {
    requests: {
      hub: {
        'get capps': 2,
        'get manifestworks': 1,
        'delete manifestworks': 1,
        'list manifestworks': 1,
        'patch capps': 1,
      },
      'ocm-agent': {
        'patch manifestworks/status (409)': 1,
        'patch manifestworks/status': 2,
        'patch manifestworks': 1,
      },
      'kube-controller-manager': {
        'get capprevisions': 2,
        'delete capprevisions': 2,
      },
    },
    events: 17,
    tasks: 2,
    signals: 2,
  },
  'a first rollout with three Secrets and a hostname': {
    requests: {
      hub: {
        'get capps': 1,
        'get secrets': 3,
        'create capprevisions': 1,
        'patch capps': 1,
        'create manifestworks': 1,
        'patch capps/status': 2,
        'get manifestworks': 1,
        'create events': 2,
      },
      'ocm-agent': {
        'patch manifestworks/status': 2,
      },
    },
    events: 17,
    tasks: 2,
    signals: 1,
  },
  'one site of a CappSet': {
    requests: {
      hub: {
        'get cappsets': 3,
        'list setrevisions': 1,
        'create setrevisions': 1,
        'patch cappsets': 1,
        'get capps (404)': 1,
        'patch capps': 2,
        'patch cappsets/status': 3,
        'get capps': 1,
        'create capprevisions': 1,
        'create manifestworks': 1,
        'patch capps/status': 2,
        'create events': 3,
      },
      'ocm-agent': {
        'patch manifestworks/status': 2,
      },
    },
    events: 38,
    tasks: 5,
    signals: 4,
  },
  'one site of a Bundle': {
    requests: {
      hub: {
        'get bundles': 4,
        'list bundlerevisions': 1,
        'create bundlerevisions': 1,
        'patch bundles': 1,
        'get manifestworks (404)': 1,
        'create manifestworks': 1,
        'patch bundles/status': 2,
        'create events': 1,
      },
      'ocm-agent': {
        'patch manifestworks/status': 2,
      },
    },
    events: 21,
    tasks: 3,
    signals: 3,
  },
};

/** Sentences: what costs more than it may. */
export function beyond(costs: Readonly<Record<StoryName, Cost>>): string[] {
  return (Object.keys(BUDGET) as StoryName[]).flatMap((story) => {
    const [cost, budget] = [countsOf(costs[story]), countsOf(BUDGET[story])];
    return Object.entries(cost)
      .filter(([what, count]) => count > (budget[what] ?? 0))
      .map(([what, count]) => `${story}: ${count} × ${what}, and ${budget[what] ?? 0} may be`);
  });
}

/** By what is counted: `hub: patch capps/status`, `events`. */
function countsOf({ requests, ...others }: Cost): Readonly<Record<string, number>> {
  const asked = Object.entries(requests).flatMap(([process, counts]) =>
    Object.entries(counts).map(([request, count]) => [`${process}: ${request}`, count] as const),
  );
  return { ...Object.fromEntries(asked), ...others };
}
