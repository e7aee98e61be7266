// What is behind the door: pictures of the hub, questions about it, and acts on it, all by the person's
// rights.
import { deferred } from '../../../kube/deferred.ts';
import { isForbidden } from '../../../kube/failure.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import type { OpenedHub } from '../../hub/connection/hub.ts';
import { failureFrom } from '../../hub/connection/sentences.ts';
import type { DoorAnswer, Inside } from '../door/inside.ts';
import { waitingFor, type WaitingLine } from '../view/waiting.ts';
import { askedIn, Changed, doAct, planOfDrain } from './acts.ts';
import { differ, type Difference, type Picture } from './differences.ts';
import { pictureOf, viewedIn } from './picture.ts';
import type { Pulse } from './pulse.ts';
import { readFor } from './reads.ts';
import type { Watches } from './watches.ts';

export interface InsideOptions {
  readonly hub: OpenedHub;
  /** As the API server knows the person; null if it does not say. */
  readonly user: string | null;
  readonly watches: Watches;
  readonly pulse: Pulse;
  /** Aborts when the dashboard ends. */
  readonly ending: AbortSignal;
}

/** What each picture has besides. */
export interface Head {
  readonly context: string;
  readonly server: string;
  readonly user: string | null;
  readonly scope: string | null;
  readonly unread: readonly string[];
  readonly loading: readonly string[];
  /** RFC 3339: since when the hub does not answer; null while it does. */
  readonly staleSince: string | null;
}

/** A browser opens six connections to one address, and other requests need some of them. */
const MOST_STREAMS = 4;
const EVERY_MS = 200;
/** Figures expire, and times pass, also when nothing changes. */
const AGAIN_MS = 5_000;
/** A picture that takes long to make is made less often. */
const SHARE = 10;
/** A page that hears nothing cannot tell a quiet hub from a program that has stopped. */
const QUIET_MS = 4_000;
const NOTHING_NEW: Difference = { set: {}, drop: [], first: false };

export interface DashboardFeed extends Inside {
  /** Resolves when no act is under way any more: a plan takes its dry run away before the program ends. */
  settled(): Promise<void>;
}

export function insideOf(options: InsideOptions): DashboardFeed {
  let streams = 0;
  const underWay = new Set<Promise<DoorAnswer>>();
  return {
    async stream(query, send, signal) {
      const next = pictures(options, query);
      streams += 1;
      try {
        // One of too many is given one picture, and asks again.
        if (streams > MOST_STREAMS) send(next());
        else await follow(options, next, send, signal);
      } finally {
        streams -= 1;
      }
    },
    read: (query) => answered(options, () => readFor(options.hub, query, options.watches.facts)),
    async act(body) {
      const act = actFor(options, body);
      underWay.add(act);
      return act.finally(() => underWay.delete(act));
    },
    settled: async () => void (await Promise.allSettled(underWay)),
  };
}

async function actFor(options: InsideOptions, body: Readonly<Record<string, unknown>>): Promise<DoorAnswer> {
  const asked = askedIn(body);
  if (asked === null) return refused(400, 'This is no request of the page.');
  if (asked.act === 'plan-drain')
    return answered(options, () => planOfDrain(options.hub, asked, options.ending));
  return answered(options, async () => ({ says: await doAct(options.hub, asked) }));
}

function pictures(options: InsideOptions, query: URLSearchParams): () => Difference | null {
  const { watches } = options;
  const difference = differ();
  const viewed = viewedIn(query);
  return () => {
    const facts = watches.facts();
    const waiting: readonly WaitingLine[] = waitingFor(facts);
    const picture: Picture = pictureOf(viewed, facts, watches.gone);
    return difference({ ...picture, head: headOf(options, facts.unread), waiting });
  };
}

function headOf({ hub, user, watches, pulse }: InsideOptions, unread: readonly string[]): Head {
  const times = [watches.brokenSince(), pulse.silentSince()].flatMap((time) => time ?? []);
  return {
    context: hub.context,
    server: hub.server,
    user: hub.as ?? user,
    scope: watches.scope,
    unread,
    loading: watches.loading(),
    staleSince: times.length === 0 ? null : new Date(Math.min(...times)).toISOString(),
  };
}

/**
 * Sends what has changed, soon after it has, until the signal aborts; when nothing does, that the program is
 * there. Throws what the making of a picture throws.
 */
async function follow(
  { watches, pulse }: InsideOptions,
  next: () => Difference | null,
  send: (value: Difference) => void,
  signal: AbortSignal,
): Promise<void> {
  const { promise: left, resolve: leave, reject: fail } = deferred<void>();
  let timer: NodeJS.Timeout | undefined;
  let sentAt = -Infinity;
  let soonest = 0;
  let due = Infinity;
  const draw = (): void => {
    const began = performance.now();
    const difference = next();
    const now = performance.now();
    if (difference !== null || now - sentAt >= QUIET_MS) {
      send(difference ?? NOTHING_NEW);
      sentAt = now;
    }
    soonest = now + Math.max(EVERY_MS, (now - began) * SHARE);
    due = Infinity;
    plan(AGAIN_MS);
  };
  const plan = (inMs: number): void => {
    const at = Math.max(performance.now() + inMs, soonest);
    if (signal.aborted || at >= due) return;
    due = at;
    clearTimeout(timer);
    timer = setTimeout(drawLater, Math.max(0, at - performance.now()));
  };
  // Thrown into a timer, it would end the program.
  const drawLater = (): void => {
    try {
      draw();
    } catch (error) {
      fail(error);
    }
  };
  const wake = (): void => plan(0);
  const forget = [watches.onChange(wake), pulse.onChange(wake)];
  signal.addEventListener('abort', () => leave(), { once: true });
  if (signal.aborted) leave();
  try {
    draw();
    await left;
  } finally {
    clearTimeout(timer);
    for (const one of forget) one();
  }
}

const STATUS: Readonly<Partial<Record<Exit, DoorAnswer['status']>>> = {
  usage: 400,
  forbidden: 403,
  notFound: 404,
  unreachable: 502,
};

/** What goes wrong becomes one sentence with a remedy, as the commands say it. */
async function answered({ hub }: InsideOptions, asked: () => Promise<unknown>): Promise<DoorAnswer> {
  try {
    return { status: 200, value: await asked() };
  } catch (error) {
    if (error instanceof Changed) return refused(409, error.message);
    const failure = failureFrom(error, hub);
    if (failure instanceof CommandFailure)
      return refused(isForbidden(error) ? 403 : (STATUS[failure.exit] ?? 409), failure.message);
    throw error;
  }
}

function refused(status: DoorAnswer['status'], says: string): DoorAnswer {
  return { status, value: { says } };
}
