// What can go wrong beyond the plain storm, by name, so that what a defect still breaks can be left out until
// it is mended.

export const FAULTS = [
  /** Requests take so long that a try is given up while they are on their way. */
  'slow requests',
  /** Refusals that another try does not change: 401, 403, 422. */
  'final refusals',
  /** A worker loses a turn, and does its local activities again. */
  'lost turns',
  /** Messages and answers of any shape. */
  'odd messages',
  /** What a work brings to a site is there before the work is held. */
  'strays',
  /** An agent that starts needs a while until it has seen its site. */
  'empty caches',
  /** People and sites take works away, or write on them. */
  'foreign hands',
  /** Sites get certificates late or never, and lose them again. */
  'certificates',
  /** The hub keeps DNS records, by a provider that takes its time. */
  'records',
  /** Sites refuse what is another hub's there. It has dice of its own (`neighbours.ts`). */
  'other hubs',
] as const;

export type Fault = (typeof FAULTS)[number];

/** Rules that can be left out by name as well. */
export type Loose = 'Recreate runs once' | 'what is on a site that is away is said';

/** These wait for what they break to be mended. */
export const WAITING: ReadonlySet<Fault | Loose> = new Set<Fault | Loose>();
