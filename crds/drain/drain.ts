// The Drain: an operator's order to empty a site. It is named as the site, so that there is one for each.
import { z } from 'zod';
import { rules } from '../definitions/rules.ts';
import type { ObjectMeta } from '../../kube/resource.ts';
import { ENDS_AFTER } from '../labels.ts';
import { HIGHEST_PRIORITY } from '../capp/requests.ts';
import type { DrainStatus } from './status.ts';

export const DRAIN = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'Drain',
  plural: 'drains',
  namespaced: false,
} as const;

/** How fast Capps are told to leave if the Drain does not say, and at most. */
export const DRAIN_LANES = {
  width: { usual: 50, most: 1000 },
  perTarget: { usual: 25, most: 1000 },
  ratePerSecond: { usual: 25, most: 500 },
} as const;

const MOST_PRIORITIES = 100;

/** The API server says the message; the schema itself has no bounds, whose message has no remedy. */
const whole = (least: number, most: number, such: number) =>
  z
    .int()
    .refine((value) => value >= least && value <= most)
    .meta(
      rules([
        `self >= ${least} && self <= ${most}`,
        `must be a whole number from ${least} to ${most}, such as ${such}`,
      ]),
    );

const lane = (name: keyof typeof DRAIN_LANES) => {
  const { usual, most } = DRAIN_LANES[name];
  return whole(1, most, usual).default(usual);
};

export const DrainPriority = z.object({
  namespace: z.string().min(1).max(63).describe('The namespace of the Capps.'),
  name: z.string().max(63).default('').describe('The name of one Capp; empty for the whole namespace.'),
  priority: whole(-HIGHEST_PRIORITY, HIGHEST_PRIORITY, 10).describe(
    'Among those that wait, the highest goes first.',
  ),
});
export type DrainPriority = z.infer<typeof DrainPriority>;

export const DrainSpec = z.object({
  dryRun: z
    .boolean()
    .default(false)
    .describe(
      'Only say in the status what would happen: no Capp moves, and the site stays open for new ones.',
    ),
  rehearse: z
    .boolean()
    .default(false)
    .describe(
      'A drill. With dryRun: also ask the sites where Capps would go whether quota, capacity, references and images are there, and say it in status.rehearsal. Nothing is changed on any site. Without dryRun it has no effect.',
    ),
  paused: z
    .boolean()
    .default(false)
    .describe(
      'Tell no more Capps to leave. Capps on their way arrive, and nothing new is placed on the site.',
    ),
  width: lane('width').describe('Capps on their way at once.'),
  perTarget: lane('perTarget').describe('Of these, Capps on their way to one site.'),
  ratePerSecond: lane('ratePerSecond').describe('Capps that begin within one second.'),
  priorities: z
    .array(DrainPriority)
    .max(MOST_PRIORITIES)
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['namespace', 'name'] })
    .describe(
      'Who goes first in this drain, whatever annotation rcs.dana.io/priority says. An entry with a name wins over one for the whole namespace.',
    )
    .exactOptional(),
  reason: z.string().max(1024).describe('Why the site is emptied, for people.').exactOptional(),
});
export type DrainSpec = z.infer<typeof DrainSpec>;

export interface Drain {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: DrainSpec;
  readonly status?: DrainStatus;
}

/** What it asks for may have changed: a change of the status alone is no news. */
export function isNewVersion(
  before: Pick<Drain, 'metadata'>,
  { metadata }: Pick<Drain, 'metadata'>,
): boolean {
  return (
    before.metadata.uid !== metadata.uid ||
    before.metadata.generation !== metadata.generation ||
    before.metadata.deletionTimestamp !== metadata.deletionTimestamp
  );
}

/** Whether a drill is asked for, which nobody has carried out for this generation. */
export function asksForDrill({ metadata, spec, status }: Drain): boolean {
  const { deletionTimestamp, generation } = metadata;
  const isAsked = spec.dryRun && spec.rehearse && deletionTimestamp === undefined;
  return isAsked && status?.rehearsal?.observedGeneration !== generation;
}

/** Whether a command has made it for one answer, which is not to be kept. A drain is never such a one. */
export function isForOneAnswer({ metadata, spec }: Pick<Drain, 'metadata' | 'spec'>): boolean {
  return spec.dryRun && lastsOf({ metadata }) !== null;
}

/** A dry run that has outlived its time, such as of a command that was killed: it is to be deleted. */
export function isOverdue(drain: Pick<Drain, 'metadata' | 'spec'>, now: number): boolean {
  const { creationTimestamp, deletionTimestamp } = drain.metadata;
  const made = Date.parse(creationTimestamp ?? '');
  const isGoing = deletionTimestamp !== undefined || !isForOneAnswer(drain);
  return !isGoing && made + (lastsOf(drain) ?? Infinity) <= now;
}

/** In milliseconds, by the clocks of the hub; null if it stays until somebody deletes it. */
function lastsOf({ metadata }: Pick<Drain, 'metadata'>): number | null {
  const text = metadata.annotations?.[ENDS_AFTER] ?? '';
  return /^[1-9][0-9]{0,5}$/.test(text) ? Number(text) * 1_000 : null;
}

/** While it stands nothing new is placed on its site. */
export function isDraining({ metadata, spec }: Drain): boolean {
  return !spec.dryRun && metadata.deletionTimestamp === undefined;
}

/** What the Drain says of a Capp's priority; null if it says nothing. */
export function drainPriorityOf(
  { priorities = [] }: Pick<DrainSpec, 'priorities'>,
  capp: { readonly namespace: string; readonly name: string },
): number | null {
  const inNamespace = priorities.filter(({ namespace }) => namespace === capp.namespace);
  const found =
    inNamespace.find(({ name }) => name === capp.name) ?? inNamespace.find(({ name }) => (name ?? '') === '');
  return found?.priority ?? null;
}
