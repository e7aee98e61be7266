// The closed list of failures that cross from activities to workflows; retryability follows from the type.

export const Failure = {
  /** Network, 5xx or 429, or a token that is refused, as while it is renewed: tried again. */
  Unreachable: 'Unreachable',
  /** Another write came first: tried again from a fresh read. */
  Conflict: 'Conflict',
  /** The API server refuses the object as it is: final until the object changes. */
  Invalid: 'Invalid',
  /** Rights are missing: final until an operator acts. */
  Forbidden: 'Forbidden',
  /** The object itself does not exist. */
  Gone: 'Gone',
} as const;

export type Failure = (typeof Failure)[keyof typeof Failure];

/** Never retried by Temporal; goes into `nonRetryableErrorTypes`. */
export const TERMINAL: readonly Failure[] = [Failure.Invalid, Failure.Forbidden, Failure.Gone];

/** What a final failure carries beside its message: the generation of the Capp that was refused. */
export interface RefusedGeneration {
  readonly generation: number;
}
