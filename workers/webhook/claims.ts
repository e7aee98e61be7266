// What a request that was just allowed takes before any cache shows it.
import { closesSite } from '../../admission/rules/drain.ts';
import { textAt } from '../../admission/fields.ts';
import type { PendingNotes } from '../../admission/pending.ts';
import { hasChanged, type AdmissionRequest } from '../../admission/request.ts';
import { PATHS } from '../../admission/router.ts';
import { setOfObject } from '../../admission/set-of.ts';

interface Claiming {
  readonly pending: PendingNotes;
  /** The spelling under which hostnames are compared. */
  readonly hostnameKey: (hostname: string) => string;
}

/** Repeating it notes the same once more. */
export function claim(path: string, request: AdmissionRequest, { pending, hostnameKey }: Claiming): void {
  const { namespace, name, dryRun, object } = request;
  if (dryRun || name === '') return;
  const hostname = textAt(object, 'spec', 'routeSpec', 'hostname');
  if (path === PATHS.validateDrain && closesSite(request))
    pending.drains.note(name, { namespace: '', name, deleting: false }, Date.now());
  if (path !== PATHS.validateCapp || hostname === '') return;
  if (!hasChanged(request, 'spec', 'routeSpec', 'hostname')) return;
  const set = setOfObject(namespace, object);
  const holder = { namespace, name, deleting: false, ...(set === null ? {} : { set }) };
  pending.hostnames.note(hostnameKey(hostname), holder, Date.now());
}
