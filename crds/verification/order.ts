// The annotation by which a CappSet has one of its Capps verified: which checks, and what exactly they are
// about. The key binds the verdict to the revision, to the checks and to one try of them.
import { z } from 'zod';
import { canonical, digestOf } from '../digest.ts';
import { VERIFY } from '../labels.ts';
import { verifyList, type VerifyCheck } from './check.ts';

/** What a verdict is about, beside the content and the site that have it. */
export interface Binding {
  /** Of the set. */
  readonly revision: string;
  /** Which try: a retry, or a rollout that begins again, is another one. */
  readonly round: string;
  readonly checks: readonly VerifyCheck[];
}

const VerifyOrder = z.object({
  revision: z.string().max(64),
  round: z.string().max(64),
  /** Of the Capp: another generation of it is not verified by this order. */
  generation: z.int().min(1),
  /** When it was given, in milliseconds since the epoch. */
  at: z.int().min(0),
  checks: verifyList(),
});
export type VerifyOrder = z.infer<typeof VerifyOrder>;

const KEY_DIGITS = 20;
const LONGEST = 16_384;

export function keyOf({ revision, round, checks }: Binding): string {
  return digestOf(canonical({ revision, round, checks }), KEY_DIGITS);
}

export function orderText(order: VerifyOrder): string {
  return JSON.stringify(order);
}

interface Marked {
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Null if there is none, or none that can be read: then nothing is verified, and no gate opens by it. */
export function orderOf({ annotations }: Marked): VerifyOrder | null {
  const text = annotations?.[VERIFY] ?? '';
  return text === '' ? null : readOrder(text);
}

export function readOrder(text: string): VerifyOrder | null {
  if (text.length > LONGEST) return null;
  try {
    const read = VerifyOrder.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** Of the checks of a move: they are about what they are, and the stamp says of which content. */
export function moveKeyOf(checks: readonly VerifyCheck[]): string {
  return digestOf(canonical({ move: checks }), KEY_DIGITS);
}
