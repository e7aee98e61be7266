// A condition before it is written.
import type { ConditionType, Reason } from '../../../crds/capp/conditions.ts';
import type { SaidReason } from '../../types/copy.ts';

/**
 * A condition before it is written. The writer sets `lastTransitionTime`, because it knows the present
 * status.
 */
export interface UnwrittenCondition {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: Reason | SaidReason;
  readonly message: string;
  readonly observedGeneration: number;
}

export type ConditionPart = Omit<UnwrittenCondition, 'type' | 'observedGeneration'>;
