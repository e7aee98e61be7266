// How a look sees what no test is about.
import type { RolloutMember, Sight } from '../../../../activities/hub/rollout/look.ts';

/** Something is heard of every site. */
export const NONE_LOST: Pick<Sight<string, RolloutMember, never>, 'lostSiteOf' | 'lostMember'> = {
  lostSiteOf: () => null,
  lostMember: ({ cluster }) => {
    throw new Error(`${cluster} is not lost`);
  },
};
