// When and how a Capp may change sites: the field `migration`.
import { z } from 'zod';
import { rules } from '../../definitions/rules.ts';
import { verifyList } from '../../verification/check.ts';

const POLICIES = ['Evacuate', 'Follow', 'Manual'] as const;
const STRATEGIES = ['MakeBeforeBreak', 'Recreate'] as const;
const FAILBACKS = ['Never', 'Manual', 'Automatic'] as const;
const HOSTNAME_WAITS = ['Wait', 'Ignore'] as const;

const seconds = () => z.int().min(0).max(604_800);

/**
 * A Capp must be unhealthy for at least so many seconds before it moves: by then the hub knows of others that
 * turned unhealthy with it.
 */
const LEAST_UNHEALTHY = 60;

const MOST_RESTARTS = 1_000;

const Unhealthy = z
  .object({
    afterSeconds: z
      .int()
      .min(LEAST_UNHEALTHY)
      .max(86_400)
      .describe('How long the site must have called it not Ready, since it was Ready last.'),
    restarts: z
      .int()
      .min(1)
      .max(MOST_RESTARTS)
      .describe(
        'So many restarts of its containers, since its trouble began, are enough as well: then it leaves once the site has called it not Ready for a minute.',
      )
      .exactOptional(),
  })
  .describe(
    'The Capp leaves its site when it was Ready there at this generation, and has not been for so long. Absent: it stays.',
  );

/** What `spec.migration` says when it says nothing, in seconds. */
export const MIGRATION_DEFAULTS = {
  stabilisationSeconds: 300,
  cooldownSeconds: 600,
  deadlineSeconds: 600,
} as const;

export const MigrationSpec = z
  .object({
    policy: z
      .enum(POLICIES)
      .default('Evacuate')
      .describe(
        'Evacuate leaves a site that is tainted, unreachable or gone. Follow also leaves a healthy site that the placement no longer selects. Manual moves only when asked.',
      ),
    strategy: z
      .enum(STRATEGIES)
      .default('MakeBeforeBreak')
      .describe(
        'MakeBeforeBreak starts the new copy before the old one goes. Recreate never runs two copies.',
      ),
    failback: z
      .enum(FAILBACKS)
      .default('Never')
      .describe('Whether to go back to a site that was left, once it is good again.'),
    stabilisationSeconds: seconds()
      .describe(
        `How long a site must stay unselected (Follow) or good (failback) before it counts. Default ${MIGRATION_DEFAULTS.stabilisationSeconds}.`,
      )
      .exactOptional(),
    cooldownSeconds: seconds()
      .describe(
        `Least time between two moves that nobody asked for. Default ${MIGRATION_DEFAULTS.cooldownSeconds}.`,
      )
      .exactOptional(),
    deadlineSeconds: seconds()
      .min(1)
      .describe(
        `How long a rollout or a new copy may take to become Ready. Default ${MIGRATION_DEFAULTS.deadlineSeconds}.`,
      )
      .exactOptional(),
    hostname: z
      .enum(HOSTNAME_WAITS)
      .describe(
        'Wait, the default, sends users to the new site only when it answers for the hostname, with route and certificate, if the old one does. Ignore does not wait, for certificates that are issued only where the name leads to (ACME HTTP-01).',
      )
      .exactOptional(),
    verify: verifyList()
      .describe(
        'Checks of the app on the new site of a move: users are sent there, and the old copy goes, only when all have passed.',
      )
      .exactOptional(),
    unhealthy: Unhealthy.exactOptional(),
  })
  .meta(
    rules(
      [
        "!has(self.verify) || self.strategy != 'Recreate'",
        'strategy Recreate has no copy to go back to, so nothing can wait for verify: leave verify out, or use MakeBeforeBreak',
        '.verify',
      ],
      [
        "!has(self.unhealthy) || self.strategy != 'Recreate'",
        'strategy Recreate removes the old copy before the new one is Ready, which may never be: leave unhealthy out, or use MakeBeforeBreak',
        '.unhealthy',
      ],
    ),
  )
  .describe('When and how the Capp may change sites.');
