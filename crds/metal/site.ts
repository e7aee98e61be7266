// What is ours in a SIPCluster, beside SIP's fields: the site that its hosts are to become. Without it the
// labels on hosts are all, as with SIP.
import { z } from 'zod';
import { rules } from '../definitions/rules.ts';
import { LABEL_KEYS, LABEL_VALUE } from '../kubernetes/label-rules.ts';

const MOST_LABELS = 50;
const MOST_ROLES = 16;
/** How long a token may be good: what waits in a host's user data must not be good for long. */
const LONGEST_DEADLINE = 86_400;
const SHORTEST_DEADLINE = 600;
/** From an image to a machine that runs it, on hardware that checks its memory when it starts. */
export const USUAL_DEADLINE = 5_400;

const text = (most: number) => z.string().min(1).max(most);

export const SipSite = z
  .object({
    name: z
      .string()
      .max(63)
      .meta(
        rules([
          "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
          'must be the name of a ManagedCluster: at most 63 of a-z, 0-9 and -, such as edge-7',
        ]),
      )
      .describe('The ManagedCluster that is made for it. It must not be there yet.'),
    lifecycle: z
      .enum(['Provision'])
      .describe(
        'Provision: the hosts get the image and the user data, join the hub as one site, and are wiped before they are given back.',
      ),
    clusterSet: z
      .string()
      .max(63)
      .describe('The ManagedClusterSet of the site. Without it, the default one.')
      .exactOptional(),
    labels: z
      .record(z.string(), z.string().max(63).meta(LABEL_VALUE))
      .meta({ maxProperties: MOST_LABELS, ...LABEL_KEYS })
      .describe('Labels of the ManagedCluster, by which Placements choose it. They follow this field.')
      .exactOptional(),
    image: z
      .object({
        url: text(2_048).describe('Where Metal³ finds the image.'),
        checksum: text(2_048).describe('Its checksum, or where that is found.').exactOptional(),
        checksumType: z.enum(['md5', 'sha256', 'sha512', 'auto']).exactOptional(),
        format: z.enum(['raw', 'qcow2', 'vdi', 'vmdk', 'live-iso']).exactOptional(),
      })
      .describe('spec.image of each BareMetalHost. A change is for hosts that come later.'),
    userData: z
      .record(
        z.string(),
        z.object({
          secret: text(253).describe(
            'A Secret of this namespace whose key userData is the template of the user data of each host of the role.',
          ),
        }),
      )
      .meta({ maxProperties: MOST_ROLES })
      .describe('By role. Hosts of roles that are not named here are reserved, and not provisioned.'),
    onDelete: z
      .enum(['Drain', 'Refuse'])
      .describe(
        'What a deletion does while Capps are on the site. Drain: they leave first, and the hosts are wiped then. Refuse: the deletion is refused. Without it, Drain.',
      )
      .exactOptional(),
    deadlineSeconds: z
      .int()
      .refine((value) => value >= SHORTEST_DEADLINE && value <= LONGEST_DEADLINE)
      .meta(
        rules([
          `self >= ${SHORTEST_DEADLINE} && self <= ${LONGEST_DEADLINE}`,
          `must be from ${SHORTEST_DEADLINE} to ${LONGEST_DEADLINE}, such as ${USUAL_DEADLINE}`,
        ]),
      )
      .describe(
        `How long a host may take, and for how long the token of the site is good. Without it, ${USUAL_DEADLINE}.`,
      )
      .exactOptional(),
  })
  .meta(
    rules([
      'self.name == oldSelf.name',
      'may not change: delete the SIPCluster, which gives its site up, and write another',
      '.name',
    ]),
  )
  .describe('Not of SIP: the hosts are provisioned, and become this site of the hub.');
export type SipSite = z.infer<typeof SipSite>;
