// What each check of a Capp found, from what the hub and the sites say. Capps are looked at in the order in
// which they would go. Pure.
import type { DrillCheck, DrillResult } from '../../../crds/drain/drill-bounds.ts';
import type { DrillCapp, PodNeeds, DrillSaying } from '../port.ts';
import { siteRoom, type SiteSaid, type SiteRoom } from './site.ts';
import { bytes, cores, inUnits } from './words.ts';

export interface DrillCheckFound extends DrillSaying {
  readonly check: DrillCheck;
  readonly result: DrillResult;
}

export interface JudgedCapp {
  /** `<namespace>/<name>`. */
  readonly capp: string;
  /** Null if it would stay. */
  readonly site: string | null;
  readonly found: readonly DrillCheckFound[];
}

/** What a site has answered, or why it has not, as a sentence. */
export type SiteAnswer = { readonly said: readonly SiteSaid[] } | { readonly silent: string };

export interface JudgedSite {
  readonly site: string;
  readonly capps: number;
  readonly message: string;
}

/** In the order of the Capps; the sites with the most Capps first. */
export function judge(
  capps: readonly DrillCapp[],
  answers: ReadonlyMap<string, SiteAnswer>,
): { readonly capps: JudgedCapp[]; readonly sites: JudgedSite[] } {
  const rooms = new Map(
    [...answers].map(([site, answer]) => [site, 'said' in answer ? siteRoom(answer.said) : null]),
  );
  const judged = capps.map((one) => judgeOne(one, rooms, answers));
  const sites = [...answers].map(([site, answer]) => {
    const count = capps.filter(({ to }) => to === site).length;
    const room = rooms.get(site) ?? null;
    const message = room === null ? silenceOf(answer) : roomIn(room);
    return { site, capps: count, message };
  });
  return {
    capps: judged,
    sites: sites.toSorted((a, b) => b.capps - a.capps || (a.site < b.site ? -1 : 1)),
  };
}

function silenceOf(answer: SiteAnswer | undefined): string {
  return answer !== undefined && 'silent' in answer ? answer.silent : 'The site was not asked.';
}

function roomIn({ had, asked, moreNodes }: SiteRoom): string {
  const { cpu, memory } = asked();
  const others = moreNodes === 0 ? '' : `, and more on ${moreNodes} nodes that are not counted`;
  return `${cores(had.cpu)} and ${bytes(had.memory)} are free on nodes that take pods${others}; these Capps ask for ${cores(cpu)} and ${bytes(memory)}.`;
}

function judgeOne(
  { namespace, name, to, why, needs, objection, lacks }: DrillCapp,
  rooms: ReadonlyMap<string, SiteRoom | null>,
  answers: ReadonlyMap<string, SiteAnswer>,
): JudgedCapp {
  const capp = `${namespace}/${name}`;
  if (to === null) return { capp, site: null, found: [{ check: 'Choice', result: 'Failed', ...why }] };
  const choice: DrillCheckFound = { check: 'Choice', result: 'Passed', ...why };
  const room = rooms.get(to) ?? null;
  const silent: DrillSaying = { reason: 'SiteSilent', message: silenceOf(answers.get(to)) };
  const references = referencesOf({ needs, objection, lacks }, to, room, silent);
  const onSite =
    needs === null
      ? (['Quota', 'Capacity', 'Image'] as const).map((check) => unknown(check, UNREADABLE))
      : room === null
        ? (['Quota', 'Capacity', 'Image'] as const).map((check) => unknown(check, silent))
        : [quotaOf(namespace, needs, to, room), capacityOf(needs, to, room), imageOf(needs, to, room)];
  return { capp, site: to, found: [choice, references, ...onSite] };
}

const UNREADABLE: DrillSaying = {
  reason: 'Unreadable',
  message: 'What the Capp asks for cannot be read. Correct the Capp: kubectl capp why says what is wrong.',
};

function passed(check: DrillCheck): DrillCheckFound {
  return { check, result: 'Passed', reason: 'Passed', message: '' };
}

function failed(check: DrillCheck, saying: DrillSaying): DrillCheckFound {
  return { check, result: 'Failed', ...saying };
}

function unknown(check: DrillCheck, saying: DrillSaying): DrillCheckFound {
  return { check, result: 'Unknown', ...saying };
}

function referencesOf(
  { needs, objection, lacks }: Pick<DrillCapp, 'needs' | 'objection' | 'lacks'>,
  site: string,
  room: SiteRoom | null,
  silent: DrillSaying,
): DrillCheckFound {
  if (objection !== null) return failed('References', objection);
  const absent = (needs?.kinds ?? []).find((kind) => room?.lacks(kind) === true);
  if (absent !== undefined)
    return failed('References', {
      reason: 'KindAbsent',
      message: `${site} does not serve ${absent}, which the Capp needs. Install what brings it there, or let spec.requires name sites that have it.`,
    });
  if (lacks !== null) return unknown('References', lacks);
  return room === null ? unknown('References', silent) : passed('References');
}

function quotaOf(namespace: string, needs: PodNeeds, site: string, room: SiteRoom): DrillCheckFound {
  const lacking = room.takeQuota(namespace, needs);
  if (lacking === null)
    return room.areAllQuotas
      ? passed('Quota')
      : unknown('Quota', {
          reason: 'NotAllQuotas',
          message: `${site} has more ResourceQuotas than it could name. Look there: kubectl get resourcequotas -n ${namespace}.`,
        });
  const { quota, wanted, left } = lacking;
  const { name, resource } = quota;
  return failed('Quota', {
    reason: 'QuotaTooSmall',
    message: `ResourceQuota ${namespace}/${name} on ${site} has ${inUnits(resource, left)} left of ${resource}, and the Capp asks for ${inUnits(resource, wanted)}. Raise it there, or lower what the Capp asks for.`,
  });
}

function capacityOf(needs: PodNeeds, site: string, room: SiteRoom): DrillCheckFound {
  const homeless = room.takeNodes(needs);
  if (homeless === 0) return passed('Capacity');
  const each = `${cores(needs.cpu)} and ${bytes(needs.memory)}`;
  if (room.moreNodes > 0)
    return unknown('Capacity', {
      reason: 'NotAllNodes',
      message: `${homeless} of ${needs.pods} pods, of ${each} each, find no room on the nodes of ${site} that have the most, and it has ${room.moreNodes} more. Look there: kubectl top nodes.`,
    });
  return failed('Capacity', {
    reason: 'NoRoom',
    message: `No node of ${site} has room for ${homeless} of ${needs.pods} pods, of ${each} each, when those before it have come. Add nodes there, or take the site out of the Placement.`,
  });
}

function imageOf({ images }: PodNeeds, site: string, room: SiteRoom): DrillCheckFound {
  const seen = images.map((image) => ({ image, sight: room.imageOf(image) }));
  const failing = seen.find(({ sight }) => sight === 'Failing');
  if (failing !== undefined)
    return failed('Image', {
      reason: 'ImageFailing',
      message: `A pod on ${site} waits because ${cut(failing.image)} cannot be pulled there. See why: kubectl get pods -A, and kubectl describe of that pod.`,
    });
  const strange = seen.find(({ sight }) => sight === 'UnknownRegistry');
  if (strange !== undefined)
    return unknown('Image', {
      reason: 'RegistryUnknown',
      message: `No node of ${site} has ${cut(strange.image)}, nor another image of its registry: whether the site reaches that is not known. Pull it there once.`,
    });
  const unasked = seen.find(({ sight }) => sight === null);
  if (unasked !== undefined)
    return unknown('Image', {
      reason: 'ImageNotAsked',
      message: `${site} was not asked about ${cut(unasked.image)}, or did not answer: it was asked about too many images at once. Look there: kubectl get nodes -o yaml.`,
    });
  const absent = seen.find(({ sight }) => sight !== 'OnNode');
  if (absent === undefined) return passed('Image');
  return unknown('Image', {
    reason: 'ImageNotThere',
    message: `No node of ${site} names ${cut(absent.image)} among its images; others of its registry are there. Pull it there once to be sure.`,
  });
}

const LONGEST_IMAGE = 120;

function cut(image: string): string {
  return image.length > LONGEST_IMAGE ? `${image.slice(0, LONGEST_IMAGE)}…` : image;
}
