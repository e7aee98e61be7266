// What `cappstan join` says and when it ends: when the add-on is Available, or when one step lasts too long.
import { firstStep, nextStep, SILENT_AFTER_MS, STUCK_AFTER_MS } from '../../../../deploy/join/steps.ts';
import type { JoinProgress } from '../../../../deploy/join/watch.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const seen = (
  phase: JoinProgress['phase'],
  reason: JoinProgress['reason'] = null,
  message = 'm',
): JoinProgress => ({
  phase,
  reason,
  message,
});

/** One look each second unless a time is given; what is said at each, and how it ends. */
function tell(...looks: readonly (JoinProgress | null | number)[]): {
  readonly said: string[];
  readonly end: string | null;
  readonly sentence: string;
} {
  let [step, now, end] = [firstStep(NOW), NOW, null as string | null];
  const said: string[] = [];
  for (const look of looks) {
    if (typeof look === 'number') {
      now += look;
      continue;
    }
    now += 1_000;
    const next = nextStep(step, look, now);
    ({ step, end } = next);
    if (next.say !== null) said.push(next.say);
    if (end !== null) break;
  }
  return { said, end, sentence: step.sentence };
}

test('each step is said once, and a hub that is silent for a moment is none', () => {
  const asked = seen('Asked', null, 'is being accepted');
  const { said, end } = tell(null, asked, asked, null, asked, seen('Accepted'), seen('Joined'));
  expect(said).toEqual(['Asked: is being accepted', 'Accepted: m', 'Joined: m']);
  expect(end).toBeNull();
});

test('a cluster that is available has not joined before its add-on is', () => {
  expect(tell(seen('Available')).end).toBeNull();
  expect(tell(seen('Equipped'))).toMatchObject({ end: 'joined', said: [] });
  // Who else asks for its name is no step of this join.
  expect(tell(seen('Equipped', 'TokenOfAnother')).end).toBe('joined');
});

test('a step is stuck when its reason lasts, and not before', () => {
  const silent = seen('Joined', 'AgentSilent', 'read its log');
  expect(tell(silent, STUCK_AFTER_MS - 1_001, silent).end).toBeNull();
  expect(tell(silent, STUCK_AFTER_MS - 1_000, silent)).toEqual({
    said: ['Joined, AgentSilent: read its log'],
    end: 'stuck',
    sentence: 'Joined, AgentSilent: read its log',
  });
});

test('a step for which the agent sees no reason is stuck later, and says who may know more', () => {
  const asked = seen('Asked', null, 'is being accepted');
  expect(tell(asked, SILENT_AFTER_MS - 1_001, asked).end).toBeNull();
  expect(tell(asked, SILENT_AFTER_MS - 1_000, asked)).toEqual({
    said: ['Asked: is being accepted'],
    end: 'stuck',
    sentence: 'Asked: is being accepted The hub may know why this lasts. Ask there: cappstan joins.',
  });
});

test('what goes on by itself is not stuck, and another reason begins anew', () => {
  expect(tell(seen('Accepted'), STUCK_AFTER_MS, seen('Accepted')).end).toBeNull();
  const two = [seen('Available', 'AddOnMissing'), STUCK_AFTER_MS, seen('Available', 'AddOnNotApplied')];
  expect(tell(...two).end).toBeNull();
  // As long as its words change, such as the name of a Pod, it is the same step.
  const words = [
    seen('Available', 'AddOnNotAvailable', 'a'),
    STUCK_AFTER_MS,
    seen('Available', 'AddOnNotAvailable', 'b'),
  ];
  expect(tell(...words)).toMatchObject({ end: 'stuck', sentence: 'Available, AddOnNotAvailable: b' });
});

test('an agent that never comes is stuck, too; one that came, and a hub that is away, is not', () => {
  expect(tell(null, SILENT_AFTER_MS - 2_001, null).end).toBeNull();
  expect(tell(null, SILENT_AFTER_MS, null)).toMatchObject({
    end: 'stuck',
    sentence: expect.stringContaining('has not come') as string,
  });
  expect(tell(seen('Asked'), null, 10 * SILENT_AFTER_MS, null).end).toBeNull();
});
