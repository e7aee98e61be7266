// What a Bundle has asked of one site by Jobs, and what has come of it, as annotations of works say it: the
// question on the work with the Jobs, the verdict on the Bundle's own work, which outlives them. Pure.
import { z } from 'zod';
import { canonical, digestOf } from '../digest.ts';
import { VERIFY } from '../labels.ts';

const AskedOfJobs = z.object({
  /** Of the Bundle. */
  revision: z.string().max(64),
  /** Which try. */
  round: z.string().max(64),
  /** A digest of the list of checks. */
  checks: z.string().max(64),
});
export type AskedOfJobs = z.infer<typeof AskedOfJobs>;

const JobVerdict = z.object({
  ...AskedOfJobs.shape,
  verdict: z.enum(['Passed', 'Failed']),
  /** In milliseconds since the epoch. */
  at: z.int().min(0),
  says: z.string().max(1_024),
  /** Of a question that could not be sent: what the Jobs were about by then (`besideOf`). */
  beside: z.string().max(64).exactOptional(),
});
/** It is final: nothing that is heard of the Jobs afterwards changes it. */
export type JobVerdict = z.infer<typeof JobVerdict>;

/** Longer annotations are none of ours. */
const LONGEST = 4_096;

interface Annotated {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> | undefined };
}

/** What the Jobs in a work are about; null if it does not say. */
export function askedOf(work: Annotated | undefined): AskedOfJobs | null {
  return read(work, AskedOfJobs);
}

/** The verdict that is noted on a Bundle's work; null if there is none. */
export function notedOn(work: Annotated | undefined): JobVerdict | null {
  return read(work, JobVerdict);
}

function read<T>(work: Annotated | undefined, schema: z.ZodType<T>): T | null {
  const text = work?.metadata.annotations?.[VERIFY] ?? '';
  if (text === '' || text.length > LONGEST) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** The verdict is on a question that never came to the site, later than the one of these Jobs. */
export function isUnsent(noted: JobVerdict | null, jobs: Annotated | undefined): boolean {
  return noted?.beside !== undefined && noted.beside === besideOf(jobs);
}

/** A digest of what Jobs are about; empty where there are none. */
export function besideOf(jobs: Annotated | undefined): string {
  const asked = askedOf(jobs);
  return asked === null ? '' : listDigest(textOf(asked));
}

/** For the annotation. */
export function textOf(said: AskedOfJobs | JobVerdict): string {
  return JSON.stringify(said);
}

export function isSameAsked(one: AskedOfJobs, other: AskedOfJobs): boolean {
  return one.revision === other.revision && one.round === other.round && one.checks === other.checks;
}

/** Of what the planner asks, whose `checks` are the list as JSON. */
export function askedBy({ revision, round, checks }: AskedOfJobs): AskedOfJobs {
  return { revision, round, checks: listDigest(checks) };
}

/** Of a list of checks as JSON. */
export function listDigest(checks: string): string {
  return digestOf(checks, 20);
}

/** Ten hex digits that are others for another question, for another Bundle, and for another of its checks. */
export function askKey(uid: string, asked: AskedOfJobs, check = ''): string {
  return digestOf(canonical([uid, asked, check]), 10);
}
