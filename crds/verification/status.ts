// What the status of a Capp says of its verification: the verdict with its figures, and the last measurements
// of each check.
import { z } from 'zod';

export const VERIFICATION_VERDICTS = ['Passed', 'Failed', 'Inconclusive'] as const;
export const OUTCOMES = ['Successful', 'Failed', 'Inconclusive', 'Error'] as const;
/** So many measurements of each check are kept: failed ones longest. */
export const MOST_KEPT = 10;

const count = () => z.int().min(0);

const Measurement = z.object({
  at: z.iso.datetime({ offset: true }),
  is: z.enum(OUTCOMES),
  says: z.string().describe('Such as "status 500".'),
});

const CheckStatus = z.object({
  name: z.string(),
  is: z.enum([...VERIFICATION_VERDICTS, 'Stopped']),
  successful: count(),
  failed: count(),
  inconclusive: count(),
  errors: count(),
  says: z.string().describe('The figures in a sentence.'),
  measurements: z.array(Measurement).max(MOST_KEPT).describe('The last ones; failed ones are kept longest.'),
});

/** How checks ended, wherever that was. */
export const VerdictStatus = z.object({
  key: z.string().describe('Names what was asked for: the checks, the revision, and which try of them.'),
  verdict: z.enum(VERIFICATION_VERDICTS),
  at: z.iso.datetime({ offset: true }),
  checks: z.array(CheckStatus).max(5),
});
export type VerdictStatus = z.infer<typeof VerdictStatus>;

export const VerificationStatus = VerdictStatus.extend({
  generation: z.int().describe('Of the Capp, which was verified.'),
  site: z.string().describe('Where.'),
  stamp: z.string().describe('Of the content there, which was verified.').exactOptional(),
});
export type VerificationStatus = z.infer<typeof VerificationStatus>;
