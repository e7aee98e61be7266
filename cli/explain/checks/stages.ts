// What the stages of a CappSet or a Bundle ask for by their checks, where checks are under way or hold the
// rollout. Pure.
import { isByJob, type StageCheck } from '../../../crds/verification/job.ts';
import type { RolloutFields } from '../../../crds/rollout/status.ts';
import { VerifyCheck } from '../../../crds/verification/check.ts';
import { askedBy, askedByJob } from './asked.ts';

export interface StageChecks {
  readonly stage: string;
  readonly state: string;
  readonly checks: readonly { readonly name: string; readonly asked: string }[];
}

interface Stage {
  readonly name: string;
  readonly verify?: readonly StageCheck[];
}

/**
 * `progress`: the reason of the condition Progressing. Of stages whose checks have failed, the sites and what
 * was found are among what fails.
 */
export function stageChecks(
  stages: readonly Stage[] = [],
  { stages: seen = [] }: Pick<RolloutFields, 'stages'> = {},
  progress = '',
): readonly StageChecks[] {
  return stages.flatMap(({ name, verify = [] }) => {
    const { state = '', failed = 0 } = seen.find((one) => one.name === name) ?? {};
    const isChecked = (state === 'Open' && CHECKING.has(progress)) || failed > 0;
    if (verify.length === 0 || !isChecked) return [];
    return [
      { stage: name, state, checks: verify.map((check) => ({ name: check.name, asked: asked(check) })) },
    ];
  });
}

const CHECKING: ReadonlySet<string> = new Set(['Verifying', 'VerificationInconclusive']);

function asked(check: StageCheck): string {
  if (isByJob(check)) return askedByJob(check);
  const { success, data } = VerifyCheck.safeParse(check);
  return success ? askedBy(data) : '';
}
