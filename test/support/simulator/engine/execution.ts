// Carries out an activity of the hub: the real one, with the real timeouts and retries. A try whose time is
// over goes on as far as it does by itself.
import {
  ApplicationFailure,
  CancelledFailure,
  msToNumber,
  TemporalFailure,
  TimeoutFailure,
  type Duration,
} from '@temporalio/common';
import { timeOf, tryWithin } from '../../../../activities/trying.ts';
import { TERMINAL } from '../../../../workflows/failures.ts';
import { TERMS } from '../../../../workflows/engine/proxies.ts';
import type { Cancel } from './clockwork.ts';
import { failureOf, type Command, type Done } from './exchange.ts';
import type { Around } from './temporal.ts';

type Call = Extract<Command, { do: 'local' | 'hub' }>;

interface Retry {
  readonly initialInterval?: Duration;
  readonly maximumInterval?: Duration;
  readonly maximumAttempts?: number;
}

export function carryOutHub(around: Around, call: Call, done: Done): Cancel {
  let isGivenUp = false;
  const { startToCloseTimeout, retry }: { startToCloseTimeout: Duration; retry: Retry } = TERMS[call.terms];
  const { initialInterval = '1s', maximumInterval, maximumAttempts = Infinity } = retry;
  const most = maximumInterval === undefined ? Infinity : msToNumber(maximumInterval);
  const attempt = async (count: number): Promise<void> => {
    if (call.do === 'hub') await around.clock.pause(around.between(2, around.slips(0.05) ? 20_000 : 100));
    if (isGivenUp) return;
    const outcome = await tryOnce(around, call, msToNumber(startToCloseTimeout));
    if (isGivenUp) return;
    if (!('error' in outcome)) {
      around.tell(`    ${call.name} →`, outcome.value ?? null);
      return done(outcome);
    }
    around.tell(`    ${call.name} fails: ${outcome.error.message}`);
    if (isLast(outcome.error) || count >= maximumAttempts)
      return done({ error: failureOf(call.name, outcome.error) });
    await around.clock.pause(
      nextDelay(outcome.error) ?? Math.min(most, msToNumber(initialInterval) * 2 ** (count - 1)),
    );
    return attempt(count + 1);
  };
  void attempt(1);
  return () => void (isGivenUp = true);
}

async function tryOnce(
  { clock, hub, slips }: Around,
  call: Call,
  ms: number,
): Promise<{ value: unknown } | { error: Error }> {
  const ending = new AbortController();
  const over = Promise.withResolvers<{ error: Error }>();
  const cancel = clock.after(ms, () => {
    ending.abort(new CancelledFailure('TIMED_OUT'));
    over.resolve({ error: new TimeoutFailure('activity StartToClose timeout', undefined, 'START_TO_CLOSE') });
  });
  const bounds = { until: clock.now + timeOf(ms), signal: ending.signal };
  const given = JSON.parse(JSON.stringify(call.given)) as never[];
  const act = hub()[call.name] as unknown as (...given: never[]) => Promise<unknown>;
  const work = tryWithin(bounds, async () => act(...given)).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: asFailure(error) }),
  );
  // The worker has done it, and its answer is lost.
  const isUnheard = call.do === 'hub' && slips(0.01);
  const outcome = await Promise.race([isUnheard ? over.promise : work, over.promise]);
  cancel();
  return outcome;
}

function asFailure(error: unknown): Error {
  if (error instanceof TemporalFailure) return error;
  return ApplicationFailure.fromError(error);
}

function isLast(error: Error): boolean {
  if (!(error instanceof ApplicationFailure)) return false;
  return error.nonRetryable === true || TERMINAL.some((type) => type === error.type);
}

function nextDelay(error: Error): number | null {
  if (
    !(error instanceof ApplicationFailure) ||
    error.nextRetryDelay === undefined ||
    error.nextRetryDelay === null
  )
    return null;
  return msToNumber(error.nextRetryDelay);
}
