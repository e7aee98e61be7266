// What a person may do here: what will happen, in words, and the equal command. A sheet is shown before
// anything is written.

export const ACTS = [
  'move',
  'rollback',
  'pause',
  'resume',
  'approve',
  'pause-rollout',
  'resume-rollout',
  'abort',
  'retry',
  'undo',
  'drain',
  'pause-drain',
  'resume-drain',
  'stop-drain',
] as const;
export type ActName = (typeof ACTS)[number];

export interface Sheet {
  readonly act: ActName;
  /** On the button. */
  readonly label: string;
  /** What will happen, and what will not. */
  readonly says: string;
  /** For a shell; ` {what}` stands for what is chosen or written, ` {why}` for the reason. */
  readonly command: string;
  /** What may be chosen beside it; null for nothing. */
  readonly choice: SheetChoice | null;
  /** A reason may be written down: the object, or its request, keeps one. */
  readonly takesReason: boolean;
  /** What can be asked beside it, before it is done; null where no plan says more than the words. */
  readonly plan: SheetPlan | null;
}

/**
 * `drain`, `rollout` (as it is) and `undo` (as it would be) are the hub's answers to a dry run; `rollback` is
 * what would be edited.
 */
export type SheetPlan = 'drain' | 'rollout' | 'undo' | 'rollback';

export interface SheetChoice {
  readonly label: string;
  /** Null: any text may be written. */
  readonly options: readonly string[] | null;
  /** What it means to choose nothing. */
  readonly none: string;
}

/** An object in a namespace. */
export interface NamedTarget {
  readonly namespace: string;
  readonly name: string;
}

/** For an act beside which nothing is chosen. */
export function plain(act: ActName, label: string, says: string, command: string): Sheet {
  return { act, label, says, command, choice: null, takesReason: false, plan: null };
}
