// The condition Verified: how the checks of the app went on the copy that they are about. Absent where
// nothing is to be checked. It never keeps a Capp from being Ready: gates read it.
import type { ConditionType, HubReason } from '../../../crds/capp/conditions.ts';
import type { State } from '../state.ts';
import { verdictOf, verifiedCopy } from '../facts/verification.ts';
import type { ConditionPart } from './condition.ts';

export function verifiedOf(state: State): readonly [ConditionType, ConditionPart][] {
  const found = state.retiring ? null : verifiedCopy(state);
  if (found === null) return [];
  const verdict = verdictOf(found.copy);
  return [
    [
      'Verified',
      verdict === null ? running(found.cluster, found.copy.order?.checks.length ?? 0) : part(verdict),
    ],
  ];
}

const SAID = {
  Passed: ['True', 'ChecksPassed'],
  Failed: ['False', 'ChecksFailed'],
  Inconclusive: ['Unknown', 'ChecksInconclusive'],
} as const satisfies Readonly<Record<string, readonly [ConditionPart['status'], HubReason]>>;

function part({ verdict, says }: NonNullable<ReturnType<typeof verdictOf>>): ConditionPart {
  const [status, reason] = SAID[verdict];
  return { status, reason, message: says };
}

function running(cluster: string, checks: number): ConditionPart {
  const what = checks === 1 ? 'One check is' : `${checks} checks are`;
  const message = `${what} made on ${cluster}, from when this generation is Ready there.`;
  return { status: 'Unknown', reason: 'ChecksRunning', message };
}
