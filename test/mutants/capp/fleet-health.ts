// Faults in what holds an unhealthy Capp where it is: where it may go, and who else is unhealthy.
import type { Mutant } from '../mutant.ts';

const REVIEW = ['test/unit/placement/unhealthy.test.ts'];
const FLEET = ['test/unit/hub/place/fleet-health.test.ts'];

export const FLEET_HEALTH: readonly Mutant[] = [
  {
    breaks: 'an unhealthy Capp goes to a third site',
    file: 'workflows/placement/unhealthy.ts',
    inside: 'onceIll',
    text: 'only: healing.from',
    becomes: '...{}',
    seenBy: REVIEW,
  },
  {
    breaks: 'an unhealthy Capp goes back and forth for ever',
    file: 'workflows/placement/unhealthy.ts',
    inside: 'mayGoBack',
    text: 'moves === 1 && ',
    becomes: '',
    seenBy: REVIEW,
  },
  {
    breaks: 'all Capps move because their registry is down',
    file: 'workflows/placement/unhealthy.ts',
    inside: 'heldBy',
    text: 'ill * 100 < percent * of',
    becomes: 'true',
    seenBy: REVIEW,
  },
  {
    breaks: 'a quarter of the fleet moves for what it shares',
    file: 'workflows/placement/unhealthy.ts',
    inside: 'heldBy',
    text: 'ill * 100 < percent * of',
    becomes: 'ill * 100 <= percent * of',
    seenBy: REVIEW,
  },
  {
    breaks: 'both Capps of a small hub move for an image that breaks everywhere',
    file: 'activities/hub/place/fleet-health.ts',
    inside: 'fleetHealthOf',
    text: '...(sameElsewhere === undefined ? {} : { sameElsewhere })',
    becomes: '...{}',
    seenBy: FLEET,
  },
  {
    breaks: 'a Capp stays because a site has closed the namespace of another one with its image',
    file: 'activities/hub/place/fleet-health.ts',
    inside: 'byHealth',
    text: 'isAppIll(capp) ? illWith(capp) : []',
    becomes: 'illWith(capp)',
    seenBy: FLEET,
  },
  {
    breaks: 'a tenant holds the Capps of another one by an app that fails on purpose',
    file: 'activities/hub/place/fleet-health.ts',
    inside: 'illWith',
    text: '`ill in ${metadata.namespace} with ${images}`',
    becomes: '`ill with ${images}`',
    seenBy: FLEET,
  },
  {
    breaks: 'an unhealthy Capp goes to a site that is tainted or lost',
    file: 'workflows/placement/exclude.ts',
    inside: 'passingReason',
    text: 'inputs.onlyHealthy === true && (!reachable || tainted)',
    becomes: 'false',
    seenBy: REVIEW,
  },
  {
    breaks: 'those that turned unhealthy with a Capp are forgotten while it waits',
    file: 'activities/hub/place/fleet-health.ts',
    inside: 'fleetHealthOf',
    text: '>= since -',
    becomes: '>= Date.now() -',
    seenBy: FLEET,
  },
  {
    breaks: 'a workflow says that others are well, and is believed',
    file: 'activities/hub/place/choice.ts',
    inside: 'illnessIn',
    text: '{ ...illness, fleet: fleet(illness.turnedAt ?? illness.since) }',
    becomes: '{ fleet: fleet(illness.turnedAt ?? illness.since), ...illness }',
    seenBy: FLEET,
  },
  {
    breaks: 'the ill health of an earlier generation moves the next one',
    file: 'activities/hub/place/choice.ts',
    inside: 'illnessIn',
    text: ' && illness.generation === capp.metadata.generation',
    becomes: '',
    seenBy: FLEET,
  },
];
