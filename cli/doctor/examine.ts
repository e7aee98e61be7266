// All that `kubectl capp doctor` finds wrong. Pure.
import { agentsIn, sitesFrom, type SiteWords } from '../explain/sites.ts';
import { conditionIn } from '../explain/capp/phase.ts';
import type { DoctorFacts, Fault } from './facts.ts';
import { executorFaults } from './executors.ts';
import { addOnFaults, definitionFaults, processFaults, rightsFaults } from './parts.ts';
import { configFaults, siteFaults } from './placing.ts';
import { siteNeeds } from './site-needs.ts';
import { spreadFaults } from './spread.ts';
import { takenNames } from './names-held.ts';
import { policyFaults } from './policies.ts';
import { predecessorFaults } from './predecessor.ts';
import { readerFaults } from './reader.ts';
import { temporalFaults } from './temporal.ts';
import { webhookFaults } from './webhook.ts';

/** In the order in which they should be mended. `now` in milliseconds since the epoch. */
export function examine(facts: DoctorFacts, words: SiteWords, now: number): Fault[] {
  const { clusters, addOns, scores, capps } = facts;
  const site = {
    clusters: clusters ?? [],
    addOns: addOns ?? [],
    scores: scores ?? [],
    capps: capps ?? [],
    agents: agentsIn(facts.hubStatus ?? {}),
  };
  return [
    ...definitionFaults(facts),
    ...processFaults(facts),
    ...rightsFaults(facts),
    ...temporalFaults(facts, now),
    ...webhookFaults(facts, now),
    ...readerFaults(facts, now),
    ...policyFaults(facts),
    ...predecessorFaults(facts),
    ...addOnFaults(facts),
    ...siteFaults(sitesFrom(site, words, now), facts, now),
    ...siteNeeds(facts),
    ...takenNames(facts),
    ...configFaults(facts),
    ...executorFaults(facts),
    ...cappFaults(facts, now),
    ...spreadFaults(facts, now),
  ];
}

/** A Capp is looked at within seconds. */
const LATE_MS = 120_000;

function cappFaults({ capps }: DoctorFacts, now: number): Fault[] {
  const late = (capps ?? []).filter(
    ({ metadata, status }) =>
      status?.conditions === undefined && now - Date.parse(metadata.creationTimestamp ?? '') > LATE_MS,
  );
  const failing = (capps ?? []).filter((capp) => {
    const stalled = conditionIn(capp, 'Stalled');
    return stalled?.status === 'True' && stalled.reason === 'WorkflowFailing';
  });
  const names = (some: typeof late): string =>
    `${some
      .slice(0, 3)
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
      .join(', ')}${some.length > 3 ? ` and ${some.length - 3} more` : ''}`;
  return [
    ...(late.length === 0
      ? []
      : [
          {
            about: 'Capps',
            problem: `Nobody has looked at ${names(late)} for two minutes.`,
            remedy:
              'Check that the bridge and a hub worker run, and that they reach Temporal: their logs say so.',
          },
        ]),
    ...(failing.length === 0
      ? []
      : [
          {
            about: 'Capps',
            problem: `The workflows of ${names(failing)} fail again and again.`,
            remedy: "The hub worker's log says why (docs/recover.md, Stalled is True).",
          },
        ]),
  ];
}
