// Kubernetes events on a Capp: the Go operator's reasons and ours. An event's name follows from what it says, so that a repeat makes none.
import { createHash } from 'node:crypto';
import type { Capp } from '../../crds/capp.ts';
import { EVENT, type Event } from '../../crds/core.ts';
import type { Kube } from '../../kube/client.ts';
import { isAlreadyExists } from '../../kube/failure.ts';

export interface Happening {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  /** One sentence; the API allows 1024 bytes. */
  readonly note: string;
  /** What makes this happening another than one that reads the same. */
  readonly occasion: string;
}

const LONGEST_NOTE = 1000;
const REPORTER = 'cappstan';

/** Writes the event unless it is there. An event that cannot be written is no reason to fail what it tells of. */
export async function emit(kube: Kube, capp: Capp, happening: Happening): Promise<void> {
  try {
    await kube.create(EVENT, eventOf(capp, happening));
  } catch (error) {
    if (!isAlreadyExists(error)) return;
  }
}

function eventOf(capp: Capp, { type, reason, note, occasion }: Happening): Event {
  const { name, namespace = '', uid = '' } = capp.metadata;
  const id = createHash('sha256').update([uid, reason, note, occasion].join('\n')).digest('hex').slice(0, 16);
  return {
    apiVersion: EVENT.apiVersion,
    kind: EVENT.kind,
    metadata: { name: `${name}.${id}`, namespace },
    eventTime: new Date().toISOString().replace('Z', '000Z'),
    reportingController: `${REPORTER}.dana.io/hub`,
    reportingInstance: REPORTER,
    action: reason,
    reason,
    type,
    regarding: { apiVersion: capp.apiVersion, kind: capp.kind, name, namespace, uid },
    note: note.slice(0, LONGEST_NOTE),
  };
}
