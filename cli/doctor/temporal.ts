// Faults of Temporal and of those that ask it for work, as the bridge has published them. Pure.
import type { HubStatusReport, TemporalProblem } from '../../crds/hub/hub-status.ts';
import type { DoctorFacts, Fault } from './facts.ts';

export const HUB_STATUS_KIND = 'hubstatuses.rcs.dana.io';

const PROBLEMS: Readonly<Record<TemporalProblem, (namespace: string) => [string, string]>> = {
  Unreachable: () => [
    'does not answer',
    'Check that Temporal runs, and that the hub reaches temporal.address.',
  ],
  NoNamespace: (namespace) => [
    `has no namespace ${namespace}`,
    `Create it: temporal operator namespace create ${namespace}.`,
  ],
  Refused: () => [
    'refuses the bridge',
    'Check the client certificate in the Secret of temporal.tls.secretName.',
  ],
};

export function temporalFaults({ hubStatus, served, addOns }: DoctorFacts, now: number): Fault[] {
  if (hubStatus === null || !(served[HUB_STATUS_KIND] ?? true)) return [];
  const { temporal } = hubStatus;
  if (temporal === undefined)
    return [
      fault(
        'No bridge has published whether Temporal answers.',
        'Check that the bridge runs; its log says why it could not write HubStatus hub.',
      ),
    ];
  if (!temporal.reachable) {
    const [what, remedy] = PROBLEMS[temporal.problem ?? 'Unreachable'](temporal.namespace);
    return [fault(`It ${what} since ${temporal.since}.`, remedy)];
  }
  return [...attributeFaults(hubStatus), ...workerFaults(hubStatus), ...staleFaults(hubStatus, addOns, now)];
}

/** By then the bridge has said of a site whether its agent polls. */
const SAID_WITHIN_MS = 15 * 60_000;

/** The object changes only with what it says, so its age tells nothing: a site that it does not know does. */
function staleFaults({ agents = [] }: HubStatusReport, addOns: DoctorFacts['addOns'], now: number): Fault[] {
  const known = new Set(agents.map(({ site }) => site));
  const missing = (addOns ?? []).filter(
    ({ metadata: { namespace = '', creationTimestamp, deletionTimestamp } }) =>
      deletionTimestamp === undefined &&
      !known.has(namespace) &&
      now - Date.parse(creationTimestamp ?? '') > SAID_WITHIN_MS,
  );
  if (missing.length === 0) return [];
  const sites = missing.map(({ metadata }) => metadata.namespace ?? '').toSorted((a, b) => (a < b ? -1 : 1));
  return [
    fault(
      `HubStatus hub is out of date: it does not know the agent of ${sites.slice(0, 3).join(', ')}${sites.length > 3 ? ` and ${sites.length - 3} more` : ''}.`,
      'Check that the bridge runs; its log says why it could not write HubStatus hub.',
    ),
  ];
}

function attributeFaults({ missingSearchAttributes: missing = [] }: HubStatusReport): Fault[] {
  return missing.map((name) =>
    fault(
      `It has no search attribute ${name} of type Keyword, so Capps cannot be found by it.`,
      `temporal operator search-attribute create --name ${name} --type Keyword.`,
    ),
  );
}

function workerFaults({ hubWorkers, bridge }: HubStatusReport): Fault[] {
  if (hubWorkers === undefined) return [];
  const { polling, current, others = [] } = hubWorkers;
  if (!polling)
    return [
      fault(
        'No hub worker asks it for work, so no Capp is looked at.',
        'Check the Pods of Deployment cappstan-hub and their logs.',
      ),
    ];
  const isSkewed = current !== undefined && bridge !== undefined && !current.startsWith(`${bridge}-`);
  return [
    ...(others.length === 0
      ? []
      : [
          {
            about: 'versions',
            problem: `Beside the current build ${current ?? 'without a name'}, hub workers of ${others.join(', ')} still run.`,
            remedy: 'Wait until the upgrade is done, or stop the old hub workers.',
          },
        ]),
    ...(isSkewed
      ? [
          {
            about: 'versions',
            problem: `The bridge is version ${bridge}, and build ${current} runs the workflows.`,
            remedy: 'Wait until the upgrade is done, or upgrade the whole chart.',
          },
        ]
      : []),
  ];
}

function fault(problem: string, remedy: string): Fault {
  return { about: 'Temporal', problem, remedy };
}
