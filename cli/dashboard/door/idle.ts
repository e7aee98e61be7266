// Ends what nobody looks at: a timer that only runs while no page is there.

export interface Idle {
  /** A page has asked for something. */
  touch(): void;
  /** A page holds a stream open until it calls what this returns. */
  hold(): () => void;
  /** For good: streams that end later begin nothing. */
  stop(): void;
}

/** Calls `end` once, when for `ms` no page has asked for anything and none holds a stream. */
export function idleTimer(ms: number, end: () => void): Idle {
  let held = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const restart = (): void => {
    clearTimeout(timer);
    timer = held > 0 || isStopped ? undefined : setTimeout(end, ms);
  };
  restart();
  return {
    touch: restart,
    hold() {
      held += 1;
      restart();
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        held -= 1;
        restart();
      };
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
