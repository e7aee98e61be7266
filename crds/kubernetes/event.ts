// Kubernetes events on an object of ours. The name of an event follows from its content, so a repeat is
// refused by the API server.
import { digestOf } from '../digest.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { cutText } from '../cut-text.ts';
import { EVENT, type Event } from './core.ts';

export interface Happening {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  /** One sentence; what is longer than the API server takes is cut. */
  readonly note: string;
  /** Distinguishes this event from another one with the same text. */
  readonly occasion: string;
}

export interface Reporter {
  /** A qualified name, such as example.com/hub. */
  readonly controller: string;
  readonly instance: string;
}

/** What the API server takes: bytes of a note, characters of a name. */
const LONGEST_NOTE = 1024;
const LONGEST_NAME = 253;
const HASH = 16;

/** An event on what has no namespace is in the namespace `default`. */
export function eventOf(
  { apiVersion = '', kind = '', metadata }: KubeObject,
  { type, reason, note, occasion }: Happening,
  { controller, instance }: Reporter,
): Event {
  const { name, namespace, uid = '' } = metadata;
  const id = digestOf([uid, reason, note, occasion].join('\n'), HASH);
  return {
    apiVersion: EVENT.apiVersion,
    kind: EVENT.kind,
    metadata: { name: eventName(name, id), namespace: namespace ?? 'default' },
    eventTime: new Date().toISOString().replace('Z', '000Z'),
    reportingController: controller,
    reportingInstance: instance,
    action: reason,
    reason,
    type,
    regarding: { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }), uid },
    note: cutText(note, LONGEST_NOTE),
  };
}

/** The hash tells events on objects apart whose long names begin alike: the uid is in it. */
function eventName(name: string, id: string): string {
  const start = name.slice(0, LONGEST_NAME - HASH - 1).replace(/[-.]+$/, '');
  return `${start}.${id}`;
}
