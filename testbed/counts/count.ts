// Counts what each story costs, in some lives at once: the least of them, since on a busy machine rings and
// writes come apart that otherwise are one.
import { setTimeout as pause } from 'node:timers/promises';
import { auditLogOf } from '../../deploy/local/kubernetes/audit.ts';
import { cappKey } from '../../crds/ocm/work-identity.ts';
import { newNamespace } from '../capps.ts';
import { configure } from '../rcs-config.ts';
import type { TestbedStack } from '../stack.ts';
import { AuditLog, tally, type CountedRequest, type Requests } from './requests.ts';
import { cleanUp, STORIES, type StoryLife, type StoryName, type CountedStory } from './stories.ts';

/** The requests are of one life, and so are the figures of its workflows' histories. */
export interface Cost {
  readonly requests: Requests;
  readonly events: number;
  readonly tasks: number;
  readonly signals: number;
}

/** Nothing more follows when nothing was asked for so long. */
const QUIET_MS = 4_000;
const LONGEST_MS = 120_000;
/** The test itself. */
const PEOPLE = 'cappstan';

/** By story, in the order of `STORIES`. `around` is told when a story begins, and when it is over. */
export async function countStories(
  stack: TestbedStack,
  lives: number,
  around: (name: StoryName, work: () => Promise<void>) => Promise<void> = (_, work) => work(),
): Promise<Readonly<Record<StoryName, Cost>>> {
  const all = await Promise.all(
    Array.from({ length: lives }, async () => ({
      stack,
      namespace: await newNamespace(stack.hub, 'counts'),
    })),
  );
  // Their Bundles need no ServiceAccount on the site.
  const restore = await configure(stack.hub, {
    bundles: { unrestricted: all.map(({ namespace }) => namespace) },
  });
  const costs: Partial<Record<StoryName, Cost>> = {};
  try {
    for (const name of Object.keys(STORIES) as StoryName[])
      await around(name, async () => void (costs[name] = await costOf(stack, all, STORIES[name])));
  } finally {
    await Promise.all(all.map(cleanUp));
    await restore();
  }
  return costs as Record<StoryName, Cost>;
}

async function costOf(stack: TestbedStack, lives: readonly StoryLife[], told: CountedStory): Promise<Cost> {
  await Promise.all(lives.map(async (life) => told.before?.(life)));
  const log = new AuditLog(auditLogOf(stack.layout));
  await quiet(log, lives, []);
  const before = await Promise.all(lives.map((life) => historyOf(life, told)));
  const asked: CountedRequest[] = [];
  await Promise.all(lives.map((life) => told.happens(life)));
  await quiet(log, lives, asked);
  const each = await Promise.all(
    lives.map(async (life, index): Promise<Cost> => {
      const history = since(before[index] ?? NONE, await historyOf(life, told));
      return {
        requests: tally(asked.filter((one) => one.process !== PEOPLE && isAbout(one, life))),
        ...history,
      };
    }),
  );
  return least(each);
}

/** By namespace, by the name of a work, or by the label that works of its Capps have. */
function isAbout({ about }: CountedRequest, { namespace }: StoryLife): boolean {
  const keys = ['app', 'shop', 'set-site-1'].map((name) => cappKey(namespace, name));
  return [namespace, ...keys].some((mark) => about.includes(mark));
}

/** Takes what was asked, until nothing more about these lives is. */
async function quiet(log: AuditLog, lives: readonly StoryLife[], into: CountedRequest[]): Promise<void> {
  const end = Date.now() + LONGEST_MS;
  let since = Date.now();
  while (Date.now() - since < QUIET_MS) {
    if (Date.now() > end) throw new Error('The Capps whose cost is counted do not come to rest.');
    await pause(250);
    const taken = log.take().filter((one) => lives.some((life) => isAbout(one, life)));
    if (taken.length > 0) since = Date.now();
    into.push(...taken);
  }
}

const NONE = { events: 0, tasks: 0, signals: 0 };

async function historyOf({ stack, namespace }: StoryLife, { workflows }: CountedStory): Promise<typeof NONE> {
  const sum = { ...NONE };
  for (const id of workflows) {
    const handle = stack.temporal.workflow.getHandle(id.replace('//', `/${namespace}/`));
    // Before a first rollout there is none.
    const history = await handle.fetchHistory().catch(() => null);
    for (const event of history?.events ?? []) {
      sum.events += 1;
      if (event.workflowTaskCompletedEventAttributes != null) sum.tasks += 1;
      if (event.workflowExecutionSignaledEventAttributes != null) sum.signals += 1;
    }
  }
  return sum;
}

/** A history that has become shorter is that of a new run: a late ring began one after the end. */
function since(before: typeof NONE, after: typeof NONE): typeof NONE {
  if (after.events < before.events) return after;
  const { events, tasks, signals } = before;
  return { events: after.events - events, tasks: after.tasks - tasks, signals: after.signals - signals };
}

/** What none of the lives did without. */
function least(costs: readonly Cost[]): Cost {
  const [first, ...others] = costs;
  if (first === undefined) throw new Error('No life was counted.');
  const requests = Object.entries(first.requests).map(([process, counts]) => {
    const of = Object.entries(counts).map(([request, count]) => {
      const counted = others.map((one) => one.requests[process]?.[request] ?? 0);
      return [request, Math.min(count, ...counted)] as const;
    });
    return [process, Object.fromEntries(of.filter(([, count]) => count > 0))] as const;
  });
  const min = (of: (cost: Cost) => number): number => Math.min(...costs.map(of));
  return {
    requests: Object.fromEntries(requests.filter(([, counts]) => Object.keys(counts).length > 0)),
    events: min(({ events }) => events),
    tasks: min(({ tasks }) => tasks),
    signals: min(({ signals }) => signals),
  };
}
