// Faults of CappSets and Bundles: those that nobody looks at, whose Placement is missing, or that wait for a
// person. Pure.
import { isPlacementOf } from './placing.ts';
import type { DoctorFacts, Fault } from './facts.ts';

/** What sets and Bundles have in common. */
type Spread = NonNullable<DoctorFacts['sets']>[number] | NonNullable<DoctorFacts['bundles']>[number];

/** They are looked at within seconds. */
const LATE_MS = 120_000;
const MOST_NAMED = 3;

/** `now` in milliseconds since the epoch. */
export function spreadFaults(facts: DoctorFacts, now: number): Fault[] {
  return [
    ...placementFaults('CappSets', facts.sets, facts),
    ...placementFaults('Bundles', facts.bundles, facts),
    ...lateFaults('CappSets', facts.sets ?? [], now),
    ...stalledFaults('CappSets', 'cappset', facts.sets ?? []),
    ...lateFaults('Bundles', facts.bundles ?? [], now),
    ...stalledFaults('Bundles', 'bundle', facts.bundles ?? []),
  ];
}

/** Said of the Placement rather than of those that name it, which say the same. */
const OF_PLACEMENT = 'NoPlacement';

/** Those that the RCSConfig lists are looked at anyway. */
function placementFaults(
  about: string,
  all: DoctorFacts['sets'] | DoctorFacts['bundles'],
  { placements, configs }: DoctorFacts,
): Fault[] {
  const listed = configs?.[0]?.spec.placements;
  if (all === null || placements === null || listed === undefined) return [];
  const missing = new Map<string, string[]>();
  for (const { metadata, spec } of all) {
    const { namespace = '' } = metadata;
    if (spec.placement === undefined || listed.includes(spec.placement)) continue;
    if (placements.some(isPlacementOf(namespace, spec.placement))) continue;
    const name = `${namespace}/${spec.placement}`;
    missing.set(name, [...(missing.get(name) ?? []), `${namespace}/${metadata.name}`]);
  }
  return [...missing].map(([name, of]) => ({
    about,
    problem: `There is no Placement ${name}, which ${named(of)} ${of.length === 1 ? 'names' : 'name'}, so nobody knows their sites.`,
    remedy: 'Create it, or correct spec.placement.',
  }));
}

function lateFaults(about: string, all: readonly Spread[], now: number): Fault[] {
  const late = all.filter(
    ({ metadata, status }) =>
      status?.conditions === undefined && now - Date.parse(metadata.creationTimestamp ?? '') > LATE_MS,
  );
  if (late.length === 0) return [];
  return [
    {
      about,
      problem: `Nobody has looked at ${named(late.map(nameOf))} for two minutes.`,
      remedy: 'Check that the bridge and a hub worker run, and that they reach Temporal: their logs say so.',
    },
  ];
}

/** A line for each reason. */
function stalledFaults(about: string, resource: string, all: readonly Spread[]): Fault[] {
  const byReason = new Map<string, Spread[]>();
  for (const one of all) {
    const stalled = one.status?.conditions?.find(({ type }) => type === 'Stalled');
    if (stalled?.status !== 'True' || stalled.reason === OF_PLACEMENT) continue;
    byReason.set(stalled.reason, [...(byReason.get(stalled.reason) ?? []), one]);
  }
  return [...byReason].flatMap(([reason, those]) => {
    const [first] = those;
    if (first === undefined) return [];
    const { metadata } = first;
    const verb = those.length === 1 ? 'waits' : 'wait';
    return {
      about,
      problem: `${named(those.map(nameOf))} ${verb} for a person (${reason}).`,
      remedy: `kubectl capp why ${resource}/${metadata.name} -n ${metadata.namespace} says why, and what helps.`,
    };
  });
}

function nameOf({ metadata }: Spread): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
