// The state of a drain. It is the workflow's only argument, so continue-as-new is a checkpoint.

export interface DrainState {
  readonly version: 1;
  readonly cluster: string;
}

/** A drain that Capps began: it lets go those that ask. */
export function initialDrain(cluster: string): DrainState {
  return { version: 1, cluster };
}
