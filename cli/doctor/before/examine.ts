// All that keeps Cappstan from being installed, as `kubectl capp doctor --pre` finds it. Pure.
import { kubernetesOf } from '../../explain/sites.ts';
import type { Fault } from '../facts.ts';
import { definitionFaults } from '../parts.ts';
import type { TriedAddress, Before } from './facts.ts';

/** The oldest minor version of Kubernetes 1 (docs/install.md). */
export const OLDEST_MINOR = 30;

/** In the order in which they should be mended. */
export function examineBefore(before: Before): Fault[] {
  const { served, refused, namespace, addresses } = before;
  return [
    ...versionFaults(before),
    ...definitionFaults({ served }),
    ...(refused.length === 0
      ? []
      : [
          {
            about: 'rights',
            problem: `You may not ${refused.join(', ')}.`,
            remedy: `Install with the rights of cluster-admin; another namespace than ${namespace} is named with -n.`,
          },
        ]),
    ...addresses.flatMap(addressFaults),
  ];
}

function versionFaults({ is, version, clusters }: Before): Fault[] {
  const own = isTooOld(version)
    ? [
        {
          about: 'Kubernetes',
          problem: `This ${is} runs Kubernetes ${version}, and Cappstan needs 1.${OLDEST_MINOR} or newer.`,
          remedy: `Upgrade it${is === 'site' ? ', or set addon.guard.install=false in the chart' : ''}.`,
        },
      ]
    : [];
  const old = (clusters ?? []).flatMap((cluster) => {
    const on = kubernetesOf(cluster);
    return on !== null && isTooOld(on) ? [`${cluster.metadata.name} (${on})`] : [];
  });
  if (old.length === 0) return own;
  return [
    ...own,
    {
      about: 'sites',
      problem: `These run a Kubernetes older than 1.${OLDEST_MINOR}: ${named(old)}.`,
      remedy: 'Upgrade them, or set addon.guard.install=false in the chart.',
    },
  ];
}

function isTooOld(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  return major === '1' && Number(minor) < OLDEST_MINOR;
}

const SHOWN = 5;

function named(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return more <= 0 ? names.join(', ') : `${names.slice(0, SHOWN).join(', ')} and ${more} more`;
}

const ADDRESSES = {
  Unreadable: ['is no address', 'Write <host>:<port>, without https://, as the chart takes it.'],
  NoName: [
    'has a host that DNS does not know here',
    'Check the name, and that the hub and the sites know it.',
  ],
  Silent: [
    'does not answer from this machine',
    'Check that Temporal listens there; if only the hub can reach it, ask from a Pod there.',
  ],
} as const;

function addressFaults({ flag, text, problem }: TriedAddress): Fault[] {
  if (problem === null) return [];
  const [what, remedy] = ADDRESSES[problem];
  return [{ about: 'addresses', problem: `${flag} ${text} ${what}.`, remedy }];
}

/** What was looked at, a line each. */
export function seenBefore({ is, version, clusters, served, addresses }: Before): string[] {
  const kinds = Object.values(served).filter(Boolean).length;
  return [
    `This ${is} runs Kubernetes ${version}.`,
    `It serves ${kinds} of the ${Object.keys(served).length} kinds that have to be there before.`,
    ...(clusters === null ? [] : [`The hub knows ${clusters.length} ManagedClusters.`]),
    ...addresses.map(({ flag, text }) => `${flag} ${text} was tried from this machine.`),
  ];
}
