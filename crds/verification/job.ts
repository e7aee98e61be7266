// A check by a Job that runs on the site: of the stages of a Bundle, whose sites have no app of ours to ask.
import { z } from 'zod';
import { rules } from '../definitions/rules.ts';
import {
  bounded,
  CHECK_FIELDS,
  CHECK_RULES,
  counted,
  listOf,
  USUAL_COUNT,
  USUAL_INTERVAL,
  type VerifyCheck,
} from './check.ts';

/** How long a Job may take, in seconds: where its check does not say, and at most. */
const USUAL_TIMEOUT_S = 300;
const LONGEST_TIMEOUT_S = 3_600;

const HAS_POD = 'has(self.spec) && has(self.spec.template) && has(self.spec.template.spec)';

const JobTemplate = z
  .looseObject({
    metadata: z
      .object({
        labels: z.record(z.string().max(317), z.string().max(63)).exactOptional(),
        annotations: z.record(z.string().max(317), z.string()).exactOptional(),
      })
      .exactOptional(),
    spec: z
      .looseObject({
        activeDeadlineSeconds: z.int().min(1).exactOptional(),
        suspend: z.boolean().exactOptional(),
        ttlSecondsAfterFinished: z.int().exactOptional(),
        template: z
          .looseObject({
            spec: z.looseObject({ restartPolicy: z.string().max(16).exactOptional() }).exactOptional(),
          })
          .exactOptional(),
      })
      .exactOptional(),
  })
  .meta(
    rules(
      [HAS_POD, 'has no spec.template.spec: write the Pod of the Job there, as in the template of a CronJob'],
      [
        `!(${HAS_POD}) || (has(self.spec.template.spec.restartPolicy) && self.spec.template.spec.restartPolicy in ['Never', 'OnFailure'])`,
        'has a Pod without restartPolicy Never or OnFailure, which every Job must have: write one of them in spec.template.spec',
      ],
      [
        '!has(self.spec) || !has(self.spec.ttlSecondsAfterFinished)',
        'has ttlSecondsAfterFinished: leave it out, since a Job that goes by itself would be made and run once more. It is removed after its verdict',
      ],
      [
        '!has(self.spec) || !has(self.spec.suspend) || !self.spec.suspend',
        'is suspended, and would never end: leave suspend out',
      ],
    ),
  );

const JobCheck = z
  .object({
    namespace: z
      .string()
      .min(1)
      .max(63)
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
      .describe('Of the site. If it is left out, the namespace of the Bundle.')
      .exactOptional(),
    template: JobTemplate.describe(
      'The Job, as in the template of a CronJob: labels and annotations, and its spec.',
    ),
  })
  .describe(
    "A Job that runs once on the site, applied as the Bundle itself is: by its namespace's executor. That it is Complete is a success.",
  );

const ONE_WAY =
  'a check has exactly one of http, prometheus and job: write one of them, and leave the others out';
const WHERE_TIMED =
  'timeoutSeconds belongs to a check by a job: of the others interval and count say how long they take';
const RUNS_ONCE =
  'a Job runs once: leave interval, count, failureLimit and inconclusiveLimit out. How often its Pods are tried says backoffLimit in its spec';

/** A check of a stage: of a CappSet by `http` or `prometheus`, of a Bundle by a `job`. */
export const StageCheck = bounded(
  z
    .object({
      ...CHECK_FIELDS,
      job: JobCheck.exactOptional(),
      timeoutSeconds: counted(1, LONGEST_TIMEOUT_S, USUAL_TIMEOUT_S)
        .describe(
          `Of a check by a job: a Job that has not ended so many seconds after its start has failed. Default ${USUAL_TIMEOUT_S}.`,
        )
        .exactOptional(),
    })
    .refine(
      ({ http, prometheus, job }) => [http, prometheus, job].filter((one) => one !== undefined).length === 1,
      ONE_WAY,
    )
    .refine(({ timeoutSeconds, job }) => timeoutSeconds === undefined || job !== undefined, {
      message: WHERE_TIMED,
      path: ['timeoutSeconds'],
    })
    .refine((check) => check.job === undefined || isUsual(check), { message: RUNS_ONCE, path: ['job'] }),
).meta(
  rules(
    ['[has(self.http), has(self.prometheus), has(self.job)].exists_one(is, is)', ONE_WAY],
    ['!has(self.timeoutSeconds) || has(self.job)', WHERE_TIMED, '.timeoutSeconds'],
    [
      `!has(self.job) || (self.interval == '${USUAL_INTERVAL}' && self.count == ${USUAL_COUNT} && self.failureLimit == 0 && !has(self.inconclusiveLimit))`,
      RUNS_ONCE,
      '.job',
    ],
    ...CHECK_RULES,
  ),
);
export type StageCheck = z.infer<typeof StageCheck>;

export type CheckByJob = StageCheck & { readonly job: NonNullable<StageCheck['job']> };

export const stageVerifyList = () => listOf(StageCheck);

/** What the API server fills in where nobody says anything. */
function isUsual({
  interval,
  count,
  failureLimit,
  inconclusiveLimit,
}: Pick<VerifyCheck, 'interval' | 'count' | 'failureLimit' | 'inconclusiveLimit'>): boolean {
  const isSo = interval === USUAL_INTERVAL && count === USUAL_COUNT && failureLimit === 0;
  return isSo && inconclusiveLimit === undefined;
}

/** In seconds. A template may ask for less. */
export function jobSecondsOf({ job, timeoutSeconds = USUAL_TIMEOUT_S }: CheckByJob): number {
  return Math.min(timeoutSeconds, job.template.spec?.activeDeadlineSeconds ?? timeoutSeconds);
}

export function isByJob(check: StageCheck): check is CheckByJob {
  return check.job !== undefined;
}
