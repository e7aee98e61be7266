// What is behind the door: pictures of the hub, questions about it, and acts on it, all by the person's
// rights.
import { isForbidden } from '../../../kube/failure.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import type { Hub } from '../../hub/connection/hub.ts';
import { failureFrom } from '../../hub/connection/sentences.ts';
import type { Answer, Inside } from '../door/inside.ts';
import { waitingFor, type Waiting } from '../view/waiting.ts';
import { askedIn, Changed, doAct, planOfDrain } from './acts.ts';
import { differ, type Picture } from './differences.ts';
import { pictureOf, viewedIn } from './picture.ts';
import type { Pulse } from './pulse.ts';
import { readFor } from './reads.ts';
import type { Watches } from './watches.ts';

export interface InsideOptions {
  readonly hub: Hub;
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

export function insideOf(options: InsideOptions): Inside {
  let streams = 0;
  return {
    async stream(query, send, signal) {
      const next = pictures(options, query);
      streams += 1;
      try {
        // One of too many is given one picture, and asks again.
        if (streams > MOST_STREAMS) send(next());
        else await follow(options, () => next(), send, signal);
      } finally {
        streams -= 1;
      }
    },
    read: (query) => answered(options, () => readFor(options.hub, query, options.watches.facts)),
    act: (body) => {
      const asked = askedIn(body);
      if (asked === null) return Promise.resolve(refused(400, 'This is no request of the page.'));
      if (asked.act === 'plan-drain')
        return answered(options, () => planOfDrain(options.hub, asked, options.ending));
      return answered(options, async () => ({ says: await doAct(options.hub, asked) }));
    },
  };
}

function pictures(options: InsideOptions, query: URLSearchParams): () => unknown {
  const { watches } = options;
  const difference = differ();
  const viewed = viewedIn(query);
  return () => {
    const facts = watches.facts();
    const waiting: readonly Waiting[] = waitingFor(facts);
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

/** Sends what has changed, soon after it has, until the signal aborts. */
async function follow(
  { watches, pulse }: InsideOptions,
  next: () => unknown,
  send: (value: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let soonest = 0;
  let due = Infinity;
  const draw = (): void => {
    const began = performance.now();
    const difference = next();
    if (difference !== null) send(difference);
    const now = performance.now();
    soonest = now + Math.max(EVERY_MS, (now - began) * SHARE);
    due = Infinity;
    plan(AGAIN_MS);
  };
  const plan = (inMs: number): void => {
    const at = Math.max(performance.now() + inMs, soonest);
    if (signal.aborted || at >= due) return;
    due = at;
    clearTimeout(timer);
    timer = setTimeout(draw, Math.max(0, at - performance.now()));
  };
  const wake = (): void => plan(0);
  const forget = [watches.onChange(wake), pulse.onChange(wake)];
  draw();
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  clearTimeout(timer);
  for (const one of forget) one();
}

const STATUS: Readonly<Partial<Record<Exit, Answer['status']>>> = {
  usage: 400,
  forbidden: 403,
  notFound: 404,
  unreachable: 502,
};

/** What goes wrong becomes one sentence with a remedy, as the commands say it. */
async function answered({ hub }: InsideOptions, asked: () => Promise<unknown>): Promise<Answer> {
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

function refused(status: Answer['status'], says: string): Answer {
  return { status, value: { says } };
}
