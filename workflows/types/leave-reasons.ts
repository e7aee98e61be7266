// Why a Capp should not stay on its site, and what follows from each of these reasons.

interface LeaveTerms {
  /** The site was lost: nothing is known of what runs there, and nothing is gained by waiting. */
  readonly isLost: boolean;
  /** The Capp did not leave for its own sake, so it may return once the site can run it again. */
  readonly hadTo: boolean;
  /** The Capp's own people move it, so the cool-down does not hold it. */
  readonly isAsked: boolean;
  /** Nothing of the Capp serves while it waits, so the cool-down does not hold it. */
  readonly servesNowhere: boolean;
  /** Others leave for the same reason at the same time, so `turns/<cluster>` gives each its turn. */
  readonly inBulk: boolean;
  /**
   * How long the reason must have held: not at all, for `stabilisationSeconds`, or for that and at least as
   * long as OCM empties and fills decisions while it works.
   */
  readonly holds: 'AtOnce' | 'Stabilising' | 'Decided';
}

const FORCED = { isLost: false, hadTo: true, isAsked: false, servesNowhere: false, inBulk: true } as const;
const OWN = {
  isLost: false,
  hadTo: false,
  isAsked: true,
  servesNowhere: false,
  inBulk: false,
  holds: 'AtOnce',
} as const;

/** Whoever adds a reason is made to say all that follows from it. */
export const LEAVE_TERMS = {
  SiteGone: { ...FORCED, isLost: true, holds: 'AtOnce' },
  SiteLost: { ...FORCED, isLost: true, holds: 'AtOnce' },
  Tainted: { ...FORCED, holds: 'AtOnce' },
  NotSelected: { ...FORCED, holds: 'Decided' },
  Unfit: { ...FORCED, holds: 'Stabilising' },
  // That the site is fine again says nothing of the app, so it does not go back by itself. Many may turn
  // unhealthy with their site.
  Unhealthy: {
    isLost: false,
    hadTo: false,
    isAsked: false,
    servesNowhere: false,
    inBulk: true,
    holds: 'AtOnce',
  },
  // Nothing of the Capp serves there, and nobody knows when the other hub lets go: it does not go back by
  // itself.
  OtherHub: {
    isLost: false,
    hadTo: false,
    isAsked: false,
    servesNowhere: true,
    inBulk: false,
    holds: 'AtOnce',
  },
  SiteEdited: OWN,
  Asked: OWN,
  Failback: {
    isLost: false,
    hadTo: false,
    isAsked: false,
    servesNowhere: false,
    inBulk: false,
    holds: 'Stabilising',
  },
} as const satisfies Readonly<Record<string, LeaveTerms>>;

export type LeaveReason = keyof typeof LEAVE_TERMS;

export const LEAVE_REASONS = Object.keys(LEAVE_TERMS) as readonly LeaveReason[];
