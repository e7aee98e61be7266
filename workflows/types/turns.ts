// The messages between a Capp and the drain of its cluster.

export interface TurnRequest {
  readonly namespace: string;
  readonly name: string;
  /** The site it would move to now, or null. */
  readonly to: string | null;
  /** Higher goes first. */
  readonly priority: number;
}

/** A drain that a Drain orders tells a Capp to leave a cluster. */
export interface LeaveOrder {
  readonly cluster: string;
  /** The site that was planned for it, where it goes if it may; absent if there was none. */
  readonly to?: string;
}

/** A drain's answer: whether it is the Capp's turn to leave the cluster. */
export interface PermitGiven {
  readonly cluster: string;
  readonly answer: 'Go' | 'Wait';
}

export interface Settled {
  readonly namespace: string;
  readonly name: string;
  /** `Stayed`: it need not leave any more, or must not. */
  readonly outcome: 'Moved' | 'Failed' | 'Cancelled' | 'Stayed';
  readonly to: string | null;
  /** CamelCase: why it stayed or was to leave. */
  readonly reason: string;
}
