// The faults that the tests must detect. `make mutants` applies them one after the other.
import { ANNOTATIONS } from './annotations.ts';
import { BASES } from './bases.ts';
import { DECISIONS } from './capp/decisions.ts';
import { COMINGS } from './capp/comings.ts';
import { GROUNDS } from './capp/grounds.ts';
import { FLEET_HEALTH } from './capp/fleet-health.ts';
import { HEALTH } from './capp/health.ts';
import { ASKED_FIRST } from './capp/asked-first.ts';
import { MOVES } from './capp/moves.ts';
import { OTHER_HUB } from './capp/other-hub.ts';
import { PARTS } from './capp/parts.ts';
import { RINGS } from './capp/rings.ts';
import { STEPS } from './capp/steps.ts';
import { TRIES } from './capp/tries.ts';
import { WORKS } from './capp/works.ts';
import { COMMANDS } from './commands.ts';
import { DASHBOARD } from './dashboard.ts';
import { DEPTHS } from './doors/depths.ts';
import { LOADS } from './doors/loads.ts';
import { STRANGERS } from './doors/strangers.ts';
import { DRAINS } from './drain/drains.ts';
import { DRILLS } from './drain/drills.ts';
import { LAST_OPEN } from './drain/last-open.ts';
import { ETCD } from './etcd.ts';
import { EXECUTORS } from './executors.ts';
import { BOUNDS } from './fleet/bounds.ts';
import { BUNDLES } from './fleet/bundles.ts';
import { BUNDLE_WORKS } from './fleet/bundle-works.ts';
import { FLEET_COPIES } from './fleet/copies.ts';
import { DIRECTIONS } from './fleet/directions.ts';
import { FLEET_GUARDS } from './fleet/guards.ts';
import { FLEET_LIVES } from './fleet/lives.ts';
import { LOST_SITES } from './fleet/lost-sites.ts';
import { MANIFEST_FILES } from './fleet/manifest-files.ts';
import { ONE_LINERS } from './fleet/one-liners.ts';
import { LOST_CANARIES } from './fleet/lost-canaries.ts';
import { FLEET_REMOVALS } from './fleet/removals.ts';
import { REMEMBERED } from './fleet/remembered.ts';
import { STAGES } from './fleet/stages.ts';
import { FLEET_TURNS } from './fleet/turns.ts';
import { FLEET_WRITES } from './fleet/writes.ts';
import { GATEWAY_IDENTITIES } from './gateway/identities.ts';
import { GATEWAY_LOADS } from './gateway/loads.ts';
import { HOUSE } from './house.ts';
import { HUBS } from './hubs.ts';
import { HUBS_GIVEN } from './hubs-given.ts';
import { HUBS_HELD } from './hubs-held.ts';
import { HUBS_LISTED } from './hubs-listed.ts';
import { JOINS_AGAIN } from './join/again.ts';
import { JOINS } from './join/approved.ts';
import { CLUSTER_JOINS } from './join/declared.ts';
import { JOINS_PASTED } from './join/pasted.ts';
import { CLUSTER_JOIN_ENDS } from './join/taken-back.ts';
import { KNATIVE } from './knative.ts';
import { METAL_CHAIN } from './metal/chain.ts';
import { METAL_FAILING } from './metal/failing.ts';
import { METAL_HOSTS } from './metal/hosts.ts';
import { METAL_SERVICES } from './metal/services.ts';
import type { Mutant } from './mutant.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { PODS } from './pods.ts';
import { READINESS } from './fleet/readiness.ts';
import { REACH_ANSWERS } from './reach/answers.ts';
import { REACH_PLACES } from './reach/places.ts';
import { REACH_STREAMS } from './reach/streams.ts';
import { REACH_TOLD } from './reach/told.ts';
import { REGISTRAR } from './registrar.ts';
import { RELEASES } from './release.ts';
import { ROUTES } from './routes.ts';
import { BUNDLE_SECRETS } from './fleet/bundle-secrets.ts';
import { SEALING } from './sealing.ts';
import { GAPS } from './gaps.ts';
import { STORM } from './storm.ts';
import { TWO_HUBS } from './two-hubs.ts';
import { VERIFICATION } from './verification/checks.ts';
import { GATES } from './verification/gates.ts';
import { BUNDLE_CHECKS_WRITTEN } from './verification/jobs-written.ts';
import { BUNDLE_CHECKS } from './verification/jobs.ts';
import { VERIFICATION_KEPT } from './verification/kept.ts';
import { QUERIES } from './verification/queries.ts';
import { CHECKS_TOLD } from './verification/told.ts';
import { WRITTEN } from './written.ts';

export const MUTANTS: readonly Mutant[] = [
  ...ANNOTATIONS,
  ...DECISIONS,
  ...STRANGERS,
  ...LOADS,
  ...DEPTHS,
  ...GATEWAY_LOADS,
  ...GATEWAY_IDENTITIES,
  ...BASES,
  ...CLUSTER_JOINS,
  ...JOINS_PASTED,
  ...CLUSTER_JOIN_ENDS,
  ...JOINS_AGAIN,
  ...JOINS,
  ...METAL_FAILING,
  ...METAL_HOSTS,
  ...METAL_CHAIN,
  ...METAL_SERVICES,
  ...GROUNDS,
  ...COMINGS,
  ...EXECUTORS,
  ...SEALING,
  ...BUNDLE_SECRETS,
  ...ASKED_FIRST,
  ...MOVES,
  ...HEALTH,
  ...FLEET_HEALTH,
  ...DRAINS,
  ...LAST_OPEN,
  ...DRILLS,
  ...STEPS,
  ...WORKS,
  ...TRIES,
  ...RINGS,
  ...REACH_ANSWERS,
  ...REACH_PLACES,
  ...REACH_STREAMS,
  ...REACH_TOLD,
  ...REGISTRAR,
  ...ROUTES,
  ...RELEASES,
  ...STAGES,
  ...DIRECTIONS,
  ...WRITTEN,
  ...PODS,
  ...KNATIVE,
  ...READINESS,
  ...FLEET_COPIES,
  ...FLEET_WRITES,
  ...FLEET_GUARDS,
  ...FLEET_REMOVALS,
  ...LOST_CANARIES,
  ...ONE_LINERS,
  ...REMEMBERED,
  ...BOUNDS,
  ...FLEET_LIVES,
  ...BUNDLE_WORKS,
  ...FLEET_TURNS,
  ...LOST_SITES,
  ...MANIFEST_FILES,
  ...BUNDLES,
  ...HUBS,
  ...ETCD,
  ...HUBS_GIVEN,
  ...HUBS_HELD,
  ...HUBS_LISTED,
  ...TWO_HUBS,
  ...OTHER_HUB,
  ...PARTS,
  ...COMMANDS,
  ...DASHBOARD,
  ...NOTIFICATIONS,
  ...VERIFICATION,
  ...GATES,
  ...VERIFICATION_KEPT,
  ...BUNDLE_CHECKS,
  ...BUNDLE_CHECKS_WRITTEN,
  ...QUERIES,
  ...CHECKS_TOLD,
  ...GAPS,
  ...STORM,
  ...HOUSE,
];
