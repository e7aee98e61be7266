// What is to happen when all promises have moved that can without anything new: as `setImmediate` has it, in
// the same order, but without a round of the event loop for each, which costs ten times as much.
const { setImmediate: nextRound } = globalThis;

/** At every such time the process reads what has come in, and says which rejections nobody hears. */
const SELDOM = 16;

const waiting: (() => void)[] = [];
let isUnderWay = false;
let times = 0;

/** So that a seed has its rounds of the event loop always at the same times. */
export function beginAnew(): void {
  times = 0;
}

export function whenIdle(what: () => void): void {
  waiting.push(what);
  if (!isUnderWay) letNextHappen();
}

export function idle(): Promise<void> {
  return new Promise((resolve) => whenIdle(resolve));
}

/** Ticks come when the queue of microtasks is empty, but those of ticks before that. */
function letNextHappen(): void {
  isUnderWay = true;
  times += 1;
  if (times % SELDOM === 0) nextRound(happen);
  else queueMicrotask(() => process.nextTick(happen));
}

function happen(): void {
  const what = waiting.shift();
  isUnderWay = false;
  if (waiting.length > 0) letNextHappen();
  what?.();
}
