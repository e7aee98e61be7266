// How a revision goes to many sites: the field `strategy` of the kinds that have many sites.
import { z } from 'zod';
import { rules } from '../definitions/rules.ts';
import { stageVerifyList } from '../verification/job.ts';

/** Why a rollout does nothing more at present. docs/stages.md says what helps. */
export const HOLD_REASONS = [
  'NoSites',
  'Paused',
  'Aborted',
  'SitesFailed',
  'RollingBack',
  'RolledBack',
  'AwaitsApproval',
  'OutsideWindow',
  'SitesUnderWay',
  'SitesOffline',
  'Unproven',
  'Soaking',
  // The app is being tested on the sites of the stage, or nobody knows how that ended.
  'Verifying',
  'VerificationInconclusive',
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/**
 * `Waiting`: the gate before the stage is closed. `Open`: its sites get the revision. `Passed`: later stages
 * may open. `Back`: its sites get the earlier revision.
 */
export const STAGE_STATES = ['Waiting', 'Open', 'Passed', 'Back'] as const;
export type StageState = (typeof STAGE_STATES)[number];

/** The stage of the sites that no stage names. */
export const REST = 'rest';
/** The stage of a strategy without stages. */
export const ALL = 'all';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

const MOST_STAGES = 20;
const MOST_WINDOWS = 20;
const MOST_SITES = 10_000;
const MOST_DEADLINE_S = 86_400;
const MOST_SOAK_S = 30 * 86_400;

/** The API server says the message; the schema itself has no bounds, whose message has no remedy. */
const whole = (least: number, most: number, such: number) => {
  const message = `must be a whole number from ${least} to ${most}, such as ${such}`;
  return z
    .int()
    .refine((value) => value >= least && value <= most, message)
    .meta(rules([`self >= ${least} && self <= ${most}`, message]));
};

/** A number of sites, or a share of the sites of the stage. */
const share = (least: number) => {
  const text = `^(${least === 0 ? '0|' : ''}100|[1-9][0-9]?)%$`;
  const message = `must be a whole number from ${least} to ${MOST_SITES}, or a percentage from ${least}% to 100%, such as "25%"`;
  const fits = (value: number | string): boolean =>
    typeof value === 'string' ? new RegExp(text).test(value) : value >= least && value <= MOST_SITES;
  return z
    .union([z.int(), z.string()])
    .refine(fits, message)
    .meta({
      'x-kubernetes-int-or-string': true,
      // In a rule, a regular expression over a text without bounds costs more than the API server allows in a
      // list.
      pattern: text,
      ...rules([`type(self) != int || (self >= ${least} && self <= ${MOST_SITES})`, message]),
    });
};

const maxConcurrent = () =>
  share(1).describe(
    'Sites of a stage that may be under way at once: a number, or a percentage of the sites of the stage, rounded down and at least one.',
  );
const maxFailures = () =>
  share(0).describe(
    'Sites of a stage that may fail before the rollout stops: a number, or a percentage of the sites of the stage, rounded down.',
  );
const soakSeconds = () =>
  whole(0, MOST_SOAK_S, 600).describe(
    'For so long each site of a stage must have been Ready before the next stage opens. It begins again when a site falls back.',
  );

const label = () => z.string().max(317);
const labelValue = () => z.string().max(63);

const Sites = z
  .object({
    matchLabels: z
      .record(label(), labelValue())
      .describe('Labels of the managed clusters, all of which a site must have.')
      .exactOptional(),
    matchExpressions: z
      .array(
        z.object({
          key: label(),
          operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
          values: z.array(labelValue()).max(50).exactOptional(),
        }),
      )
      .max(20)
      .describe('Further conditions on the labels of the managed clusters.')
      .exactOptional(),
    percent: whole(1, 100, 10)
      .describe(
        'So many percent of the sites that match and that no earlier stage has, rounded up. Which ones does not change when others join or leave.',
      )
      .exactOptional(),
    count: whole(1, MOST_SITES, 3)
      .describe('So many of the sites that match and that no earlier stage has.')
      .exactOptional(),
  })
  .meta(
    rules(
      [
        'has(self.matchLabels) || has(self.matchExpressions) || has(self.percent) || has(self.count)',
        'must say which sites: add matchLabels, matchExpressions, percent or count',
      ],
      ['!(has(self.percent) && has(self.count))', 'must have percent or count, not both: remove one'],
    ),
  );

export const StrategyStage = z
  .object({
    name: z
      .string()
      .min(1)
      .max(63)
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/),
    sites: Sites.describe(
      'Which sites the stage has, of those that no earlier stage has. Only the last stage may leave it out: it has all the others.',
    ).exactOptional(),
    maxConcurrent: maxConcurrent().exactOptional(),
    maxFailures: maxFailures().exactOptional(),
    soakSeconds: soakSeconds().exactOptional(),
    approval: z
      .enum(['Required'])
      .describe('Required: the stage opens only when a person has approved it for this revision.')
      .exactOptional(),
    verify: stageVerifyList()
      .describe(
        'Checks on each site of the stage, once all of them are Ready: the next stage opens only when all have passed. Of a CappSet by http and prometheus, of a Bundle by a job.',
      )
      .exactOptional(),
  })
  .meta(
    rules([
      `self.name != '${REST}' || !has(self.sites)`,
      `the stage ${REST} has all sites that no other stage has: remove sites, or choose another name`,
    ]),
  );
export type StrategyStage = z.infer<typeof StrategyStage>;

const clock = (pattern: RegExp) => z.string().max(5).regex(pattern);

export const StrategyWindow = z
  .object({
    days: z.array(z.enum(DAYS)).min(1).max(DAYS.length).describe('The days on which the window opens.'),
    from: clock(/^([01][0-9]|2[0-3]):[0-5][0-9]$/).describe('When it opens, such as "22:00".'),
    to: clock(/^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/).describe(
      'When it ends, such as "04:00" or "24:00". A time before `from` is on the next day.',
    ),
    timeZone: z
      .string()
      .min(1)
      .max(64)
      .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Berlin or UTC')
      .describe('The IANA name of the time zone of both, such as Europe/Berlin.'),
  })
  .meta(
    rules([
      'self.from != self.to',
      'must end at another time than it opens: for a whole day, write from: "00:00" and to: "24:00"',
    ]),
  );
export type StrategyWindow = z.infer<typeof StrategyWindow>;

export const Strategy = z
  .object({
    stages: z
      .array(StrategyStage)
      .min(1)
      .max(MOST_STAGES)
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })
      .describe(
        `One after the other. A site belongs to the first stage that has it; those that none has come last, in a stage ${REST}. Absent: one stage with all sites.`,
      )
      .exactOptional(),
    maxConcurrent: maxConcurrent().default('25%'),
    maxFailures: maxFailures().default(0),
    soakSeconds: soakSeconds().default(0),
    deadlineSeconds: whole(1, MOST_DEADLINE_S, 900)
      .default(900)
      .describe('A site that is not Ready so long after it got the revision has failed.'),
    offline: z
      .enum(['Later', 'Wait', 'Fail'])
      .default('Later')
      .describe(
        'A site that is unreachable when its turn comes. Later: it does not count, and gets the revision when it is back. Wait: its stage waits for it. Fail: it counts as failed.',
      ),
    onFailure: z
      .enum(['Pause', 'RollBack'])
      .default('Pause')
      .describe(
        'When more sites have failed than may. Pause: nothing more is changed. RollBack: the sites get the earlier revision, the last stage first.',
      ),
    windows: z
      .array(StrategyWindow)
      .max(MOST_WINDOWS)
      .describe('Outside of these hours no site gets a new revision. Absent: at any time.')
      .exactOptional(),
  })
  .meta(
    rules([
      '!has(self.stages) || self.stages.all(s, has(s.sites) || s.name == self.stages[self.stages.size() - 1].name)',
      'only the last of stages may leave out sites, or those after it would have none: write sites here',
    ]),
  );
export type Strategy = z.infer<typeof Strategy>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
