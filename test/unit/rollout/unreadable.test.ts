// What is said of a set or a Bundle that this version cannot read.
import { unreadable } from '../../../activities/hub/rollout/telling/unreadable.ts';
import { Strategy } from '../../../crds/rollout/stages.ts';

test.each(['set', 'Bundle'])('a %s that cannot be read names the field and what to do', (what) => {
  const { error } = Strategy.safeParse({ stages: [{ name: 5 }] });
  const { reason, message } = unreadable(what, 'spec.strategy', error?.issues[0]);
  expect(reason).toBe('Invalid');
  expect(message).toMatch(
    new RegExp(
      `^The ${what} cannot be read: spec\\.strategy\\.stages\\.0\\.name .*\\. Correct it, or apply the CRD of this version\\.$`,
    ),
  );
});
