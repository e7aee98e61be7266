// What a site answers, as far as anybody here uses it. A site can answer with anything: what is not as an API
// server has it is no answer, and of the rest only bounded parts are kept.
import { KNATIVE_REVISION_LABEL, KNATIVE_SERVICE_LABEL } from '../../crds/kubernetes/knative.ts';
import { z } from 'zod';
import { ROLLOUT } from '../../crds/labels.ts';
import type { Pod } from '../../crds/kubernetes/core.ts';
import { amountOf, isQuantity } from '../../crds/kubernetes/quantity.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { MOST_CONTAINERS, MOST_PODS } from '../bounds.ts';
import { CONTAINER_NAME, NAME } from '../names.ts';
import type { ContainerUsage } from '../pods.ts';

/** The others are left before they are looked at, so that they cost nothing. */
function first<T extends z.ZodType>(most: number, item: T) {
  return z
    .array(z.unknown())
    .nullish()
    .transform((all) => (all ?? []).slice(0, most))
    .pipe(z.array(item));
}

/** API servers write null where they might leave a field out. */
function maybe<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

const TIME = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/);
const LABEL_VALUE = z.string().regex(/^[-\w.]{0,63}$/);
const CONTAINER = z.string().regex(CONTAINER_NAME);
const PHASES = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'] as const;
/** Conditions and statuses of a Pod: more than there are containers. */
const MOST_PARTS = 100;

const COPY = z.object({
  metadata: z.object({ name: z.string(), annotations: maybe(z.object({ [ROLLOUT]: maybe(z.string()) })) }),
});

const STATE = maybe(z.object({ waiting: maybe(z.object({})), terminated: maybe(z.object({})) }));

const POD = z.object({
  metadata: z.object({
    namespace: z.string().regex(NAME),
    name: z.string().regex(NAME),
    uid: z.string().regex(/^[-\w]{1,64}$/),
    labels: maybe(
      z.object({ [KNATIVE_SERVICE_LABEL]: maybe(LABEL_VALUE), [KNATIVE_REVISION_LABEL]: maybe(LABEL_VALUE) }),
    ),
    creationTimestamp: maybe(TIME),
    deletionTimestamp: maybe(TIME),
  }),
  spec: z.object({ containers: first(MOST_CONTAINERS, z.object({ name: CONTAINER })) }),
  status: maybe(
    z.object({
      phase: maybe(z.enum(PHASES)),
      conditions: first(MOST_PARTS, z.object({ type: z.string(), status: z.string() })),
      containerStatuses: first(
        MOST_PARTS,
        z.object({ name: CONTAINER, restartCount: maybe(z.int().min(0)), state: STATE }),
      ),
    }),
  ),
});

const PODS = z.object({
  metadata: maybe(z.object({ continue: maybe(z.string()) })),
  items: first(MOST_PODS + 1, POD),
});

/** More than any Pod has, so that sums stay numbers. */
const MOST_AMOUNT = 1e15;
const AMOUNT = z
  .string()
  .max(40)
  .refine((text) => isQuantity(text) && Math.abs(amountOf(text)) < MOST_AMOUNT);

const USAGE = z.object({
  metadata: z.object({ namespace: z.string().regex(NAME), name: z.string().regex(NAME) }),
  containers: first(
    MOST_CONTAINERS,
    z.object({ name: CONTAINER, usage: z.object({ cpu: AMOUNT, memory: AMOUNT }) }),
  ),
});

const USAGES = z.object({ items: first(MOST_PODS, USAGE) });

/** A Capp on a site: its stamp, and nothing else. Throws ZodError. */
export function copyIn(answer: unknown): KubeObject {
  return COPY.parse(answer) as KubeObject;
}

/** One page of Pods, and whether there are more. Throws ZodError. */
export function podsIn(answer: unknown): { readonly pods: readonly Pod[]; readonly hasMore: boolean } {
  const { metadata, items } = PODS.parse(answer);
  const hasMore = items.length > MOST_PODS || (metadata?.continue ?? '') !== '';
  return { pods: items.slice(0, MOST_PODS) as Pod[], hasMore };
}

/** What Pods of the namespace use, by their names. Throws ZodError. */
export function usageIn(answer: unknown, namespace: string): ReadonlyMap<string, readonly ContainerUsage[]> {
  const { items } = USAGES.parse(answer);
  const own = items.filter(({ metadata }) => metadata.namespace === namespace);
  return new Map(
    own.map(({ metadata, containers }) => [
      metadata.name,
      containers.map(({ name, usage: { cpu, memory } }) => ({
        name,
        cpuMillis: Math.max(0, Math.ceil(amountOf(cpu) * 1000)),
        memoryBytes: Math.max(0, Math.ceil(amountOf(memory))),
      })),
    ]),
  );
}
