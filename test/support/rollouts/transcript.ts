// Drives a rollout from one moment to the next at which something happens, and writes down what a user sees.
import { CHECKED_SECONDS, READY_SECONDS, type Story, type StoryRequest } from './stories.ts';

/** The edit is made at this time, a Sunday. */
export const EDITED_AT = Date.parse('2026-03-01T12:00:00Z');
/** Later than any story lasts: two days. */
const LATEST = EDITED_AT + 2 * 86_400_000;

/** What a look at a moment has come to, when nothing more is to be written. */
export interface Moment {
  /** Sites that have got a revision just now, by its name. */
  readonly gets: Readonly<Record<string, readonly string[]>>;
  readonly reason: string;
  readonly message: string;
  /** When to look again at the latest, in milliseconds since the epoch; null if there is no such time. */
  readonly wakeAt: number | null;
  readonly isDone: boolean;
  /** Checks were asked for just now. */
  readonly isAsked: boolean;
}

/** Whether a site can be reached. */
export function isReachable({ lost }: Story, cluster: string, now: number): boolean {
  return now >= EDITED_AT + (lost?.[cluster] ?? 0) * 1_000;
}

export interface Teller {
  /** It is this time now: copies that were written `READY_SECONDS` ago say how they are. */
  look(now: number): Promise<Moment>;
  approve(stage: string): void;
  ask(what: StoryRequest): void;
}

const ASKS: Readonly<Record<StoryRequest, string>> = {
  abort: 'aborts the rollout',
  retry: 'asks to retry',
  editBack: 'edits it back to the revision before',
};

/** A line for each moment at which something has changed for a user. */
export async function transcriptOf(story: Story, teller: Teller): Promise<string[]> {
  const lines: string[] = [];
  const due = new Set<number>(
    Object.keys({ ...story.approvals, ...story.requests }).map((after) => EDITED_AT + Number(after) * 1_000),
  );
  for (const after of Object.values(story.lost ?? {})) due.add(EDITED_AT + after * 1_000);
  let last = '';
  for (let now = EDITED_AT; now <= LATEST;) {
    const approved = story.approvals?.[(now - EDITED_AT) / 1_000];
    if (approved !== undefined) {
      teller.approve(approved);
      lines.push(`${clock(now)}  A person approves stage ${approved}.`);
    }
    const asked = story.requests?.[(now - EDITED_AT) / 1_000];
    if (asked !== undefined) {
      teller.ask(asked);
      lines.push(`${clock(now)}  A person ${ASKS[asked]}.`);
    }
    const moment = await teller.look(now);
    const said = saidOf(moment);
    if (said !== last) lines.push(`${clock(now)}  ${said}`);
    last = said;
    if (Object.keys(moment.gets).length > 0) due.add(now + READY_SECONDS * 1_000);
    if (moment.isAsked) due.add(now + CHECKED_SECONDS * 1_000);
    due.delete(now);
    const next = [...due, ...(moment.wakeAt === null ? [] : [moment.wakeAt])].filter((at) => at > now);
    if (next.length === 0 || (moment.isDone && due.size === 0)) return lines;
    now = Math.min(...next);
  }
  throw new Error(`the story "${story.title}" does not end:\n${lines.join('\n')}`);
}

function saidOf({ gets, reason, message }: Moment): string {
  const changes = Object.entries(gets).map(
    ([revision, sites]) =>
      `${sites.toSorted().join(', ')} ${sites.length === 1 ? 'gets' : 'get'} ${revision}.`,
  );
  return [...changes, message === '' ? reason : `${reason}: ${message}`].join(' ');
}

function clock(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}
