// The conditions of an object with many sites. Pure.
import type { Condition } from '../../../../crds/capp/conditions.ts';
import { conditionSince } from '../../../../crds/condition.ts';
import { cutText } from '../../../../crds/cut-text.ts';
import type { KubeObject } from '../../../../kube/resource.ts';

/** Bytes of a message. */
const LONGEST_SENTENCE = 1_024;

/** Whether a condition is True, why, and in a sentence. */
export type Saying<R extends string> = readonly [isSo: boolean, reason: R, message: string];

type Conditioned = Pick<KubeObject, 'metadata'> & {
  readonly status?: { readonly conditions?: readonly Condition[] };
};

/** `now` is in milliseconds since the epoch. */
export function conditionsOf(
  { metadata: { generation = 0 }, status }: Conditioned,
  sayings: Readonly<Record<string, Saying<string>>>,
  now: number,
): Condition[] {
  return Object.entries(sayings).map(([type, [isSo, reason, message]]) =>
    conditionSince(
      status?.conditions,
      {
        type,
        status: isSo ? ('True' as const) : ('False' as const),
        reason,
        message: cutText(message, LONGEST_SENTENCE),
        observedGeneration: generation,
      },
      new Date(now).toISOString(),
    ),
  );
}
