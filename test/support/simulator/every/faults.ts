// What can become of a write.

/** Where a write goes. A turn is what a workflow's worker says to Temporal at the end of a workflow task. */
export type Where = 'kubernetes' | 'temporal' | 'turn';

/** In which ways a write can go wrong, and of which writes it can. */
const WAYS = {
  /** 403, and nothing is done: another try may be refused or not. */
  forbidden: ['kubernetes'],
  /** 422, and nothing is done. */
  invalid: ['kubernetes'],
  /** It fails before it is done. Of a turn: its worker loses it. */
  failed: ['kubernetes', 'temporal', 'turn'],
  /** It is done, and its sender hears of a failure. */
  'answered-with-error': ['kubernetes', 'temporal'],
  /** 409, and nothing is done. */
  conflict: ['kubernetes'],
  /** Its sender hears that its time is over; it is done after the next write. */
  late: ['kubernetes', 'temporal'],
  /** The same, and it is done when the next activity begins: mostly the next try of the same. */
  overlapping: ['kubernetes'],
  /** The activity in which it is done runs once more from its start; a message comes twice. */
  again: ['kubernetes', 'temporal'],
  /** It is done, and its process ends before anything else. */
  killed: ['kubernetes', 'temporal', 'turn'],
} as const satisfies Readonly<Record<string, readonly Where[]>>;

export type FaultKind = keyof typeof WAYS;

export const FAULT_KINDS = Object.keys(WAYS) as readonly FaultKind[];

/** Another try is not to be expected. */
export function isFinal(kind: FaultKind): boolean {
  return kind === 'forbidden' || kind === 'invalid';
}

export function canBe(kind: FaultKind, where: Where): boolean {
  return (WAYS[kind] as readonly Where[]).includes(where);
}
