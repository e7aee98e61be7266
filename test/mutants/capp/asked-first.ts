// Faults in which agent of a move's old copy is asked before that copy goes.
import type { Mutant } from '../mutant.ts';

export const ASKED_FIRST: readonly Mutant[] = [
  {
    breaks: 'an old copy goes while DNS leads to it, since its agent was silent before its site came back',
    file: 'workflows/capp/next/removal.ts',
    inside: 'toBeAskedFirst',
    text: ' || (asksSilent && now >= silentSince + LIFE_MS)',
    becomes: '',
    seenBy: ['test/unit/capp/moving/asked-first.test.ts'],
  },
  {
    breaks: 'the agent of an old copy that stays silent is asked again and again',
    file: 'workflows/capp/next/removal.ts',
    inside: 'toBeAskedFirst',
    text: ' || isAskedInVain(copy)',
    becomes: '',
    seenBy: ['test/unit/capp/moving/asked-first.test.ts'],
  },
  {
    breaks: 'an old copy whose agent is silent once more waits for minutes all the same',
    file: 'workflows/capp/facts/dns.ts',
    inside: 'isBeingAsked',
    text: ' || isAskedInVain(copy)',
    becomes: '',
    seenBy: ['test/unit/capp/moving/asked-first.test.ts'],
  },
  {
    breaks: 'a silent agent is asked in a run whose history has the removal there',
    file: 'workflows/capp/steps/remove.ts',
    inside: 'remove',
    text: 'life.noted.has(ASKED_AFTER_SILENCE)',
    becomes: 'true',
    seenBy: ['test/unit/capp/moving/asked-first.test.ts'],
  },
  {
    breaks: 'a workflow goes round without end over a report on an old copy that nobody asks for',
    file: 'workflows/capp/steps/wait.ts',
    inside: 'report',
    text: 'isOld && (isNoted || asksBack(life.state, life.runtime.now()))',
    becomes: 'isOld',
    seenBy: ['test/unit/capp/moving/asked-first.test.ts'],
  },
];
