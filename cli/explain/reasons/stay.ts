// What helps where a drain leaves a Capp on its site.
import type { HubReason } from '../../../crds/capp/conditions.ts';

/** Reasons that only a drain gives; docs/drain.md has the same. */
const BY_DRAIN: Readonly<Record<string, string>> = {
  Overdue: 'No outcome came for 15 minutes: kubectl capp why {capp} says what it waits for.',
  OtherCopy: 'Wait until its move has ended: kubectl capp watch {capp} shows it.',
  Deleting: 'Wait until it is gone: kubectl capp why {capp} says what it waits for.',
  NoCapp: 'Its Capp is gone. If Cappstan does not delete the ManifestWork, delete it.',
  Gone: 'Nobody looks at it: kubectl capp doctor.',
  NotMoving: 'Drain the site once more: kubectl capp drain {site} --again.',
  Failed: 'It did not become Ready elsewhere: kubectl capp why {capp} says what happened.',
  Cancelled: 'Its move was given up: kubectl capp move {capp} asks again.',
  Other: 'More Capps stay than are named: kubectl capp list -A.',
};

const BY_HUB: Readonly<Partial<Record<HubReason, string>>> = {
  Paused: 'Let it go on: kubectl capp resume {capp}.',
  Pinned:
    'Change spec.site, which names this site; where a CappSet has written it, the sites of the set: kubectl capp why {capp}.',
  Manual: 'Move it: kubectl capp move {capp}.',
  CoolDown: 'Wait until then, or move it: kubectl capp move {capp}.',
  Unfit: 'It stays although the site does not fit: kubectl capp move {capp}.',
  NoCandidate:
    'No other site may run it: kubectl capp sites shows their states and taints, and the Capp says what it asks of a site.',
  NoDecision: 'Its Placement has decided for no site: kubectl describe placements -A.',
  StillLeaving: 'Wait until the site has removed the copy.',
  AwaitsConfirmation:
    'A person has to confirm that the old copy counts for nothing: kubectl capp why {capp}.',
};

/** One sentence. `reason` may have a time behind it, `capp` is `<namespace>/<name>`. */
export function stayAdvice(
  reason: string,
  { capp, site }: { readonly capp: string; readonly site: string },
): string {
  const [first = ''] = reason.split(' ');
  const lists: readonly Readonly<Record<string, string>>[] = [BY_DRAIN, BY_HUB];
  const found = lists.find((list) => Object.hasOwn(list, first))?.[first];
  return (found ?? 'kubectl capp why {capp} says more.')
    .replaceAll('{capp}', capp)
    .replaceAll('{site}', site);
}
