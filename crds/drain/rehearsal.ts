// What a drill found, in the status of a Drain. Its size is bounded, however many Capps there are.
import { z } from 'zod';
import { DRILL_CHECKS, DRILL_RESULTS, LONGEST_FINDING, MOST_FINDINGS, MOST_SITES } from './drill-bounds.ts';

const count = () => z.int().min(0);
const sentence = () => z.string().max(LONGEST_FINDING);

export const Rehearsal = z
  .object({
    observedGeneration: z.int().describe('The generation of the spec that this is about.'),
    rehearsedAt: z.iso.datetime({ offset: true }).describe('When the drill was over.'),
    capps: count().describe('Capps on the site that were looked at.'),
    leftOut: count().describe('Capps that were not looked at: a drill looks at the first thousand.'),
    ready: count().describe('Capps of which every check passed.'),
    failed: count().describe('Capps of which a check failed: they would stay, or not become Ready.'),
    unknown: count().describe('All other Capps: no check failed, and one could not be answered.'),
    checks: z
      .array(
        z.object({
          check: z.enum(DRILL_CHECKS),
          passed: count(),
          failed: count(),
          unknown: count(),
        }),
      )
      .describe(
        'How many Capps passed each check. Those that would go nowhere are counted under Choice alone.',
      ),
    sites: z
      .array(
        z.object({
          site: z.string(),
          capps: count(),
          message: sentence().describe('What is free there, and what the Capps ask for.'),
        }),
      )
      .max(MOST_SITES)
      .describe('Where Capps would go, and what these sites say.'),
    findings: z
      .array(
        z.object({
          capp: z.string(),
          site: z.string().describe('Where the Capp would go; empty if nowhere.'),
          check: z.enum(DRILL_CHECKS),
          result: z.enum(DRILL_RESULTS),
          reason: z.string().describe('In CamelCase.'),
          message: sentence().describe('What was found, and what helps.'),
        }),
      )
      .max(MOST_FINDINGS)
      .describe('Checks that did not pass: those that failed first, 100 at most.'),
  })
  .describe('What the drill found that spec.rehearse asks for.');
export type Rehearsal = z.infer<typeof Rehearsal>;
export type DrillFinding = Rehearsal['findings'][number];
