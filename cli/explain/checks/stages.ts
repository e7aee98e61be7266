// What the stages of a CappSet or a Bundle ask for by their checks, where checks are under way or hold the
// rollout. Pure.
import { isByJob, type StageCheck } from '../../../crds/verification/job.ts';
import type { RolloutFields } from '../../../crds/rollout/status.ts';
import { askedByJob, askedIfKnown } from './asked.ts';
import { hasNotPassed } from './capp.ts';

export interface StageChecks {
  readonly stage: string;
  readonly state: string;
  readonly checks: readonly { readonly name: string; readonly asked: string }[];
}

interface Stage {
  readonly name: string;
  readonly verify?: readonly StageCheck[];
}

interface Seen extends Pick<RolloutFields, 'stages'> {
  readonly failing?: readonly { readonly reason: string }[];
}

/**
 * `progress`: the reason of the condition Progressing. Of stages whose checks have failed, the sites and what
 * was found are among what fails.
 */
export function stageChecks(
  stages: readonly Stage[] = [],
  { stages: seen = [], failing = [] }: Seen = {},
  progress = '',
): readonly StageChecks[] {
  const haveFailed = failing.some(({ reason }) => hasNotPassed(reason));
  return stages.flatMap(({ name, verify = [] }) => {
    const { state = '', failed = 0 } = seen.find((one) => one.name === name) ?? {};
    const isChecked = (state === 'Open' && CHECKING.has(progress)) || (haveFailed && failed > 0);
    if (verify.length === 0 || !isChecked) return [];
    return [
      { stage: name, state, checks: verify.map((check) => ({ name: check.name, asked: asked(check) })) },
    ];
  });
}

const CHECKING: ReadonlySet<string> = new Set(['Verifying', 'VerificationInconclusive']);

function asked(check: StageCheck): string {
  return isByJob(check) ? askedByJob(check) : askedIfKnown(check);
}
