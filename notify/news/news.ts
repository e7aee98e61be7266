// What a person must know of one object, as Kubernetes shows it: so long as it is so, the same words with the
// same id. Pure.
import { cutText } from '../../crds/cut-text.ts';
import { digestOf } from '../../crds/digest.ts';
import type { Topic } from '../../crds/notify/notification.ts';
import type { KubeObject } from '../../kube/resource.ts';

export interface NewsSubject {
  readonly kind: string;
  /** Null for what is of no namespace. */
  readonly namespace: string | null;
  readonly name: string;
}

export interface News {
  /** The same for the same happening, and of no other: 12 hex digits. */
  readonly id: string;
  readonly topic: Topic;
  readonly reason: string;
  readonly about: NewsSubject;
  /** A sentence or more, on one line. */
  readonly text: string;
  /** When it happened, RFC 3339. */
  readonly at: string;
  /** From when on it is told, in milliseconds since the epoch. */
  readonly dueAt: number;
  /** It is of the past: the first message to a receiver leaves it out, and after a day nobody is told. */
  readonly isPast: boolean;
}

/** Digits of an id. */
const DIGITS = 12;
/** Bytes of a text. */
const LONGEST = 700;

export interface NewsHappening {
  readonly topic: Topic;
  readonly reason: string;
  /** Tells this happening from another one of the same object and reason. */
  readonly occasion: string;
  readonly text: string;
  readonly at: string | undefined;
  /** It is told only if it lasts so long. */
  readonly graceMs?: number;
  readonly isPast?: boolean;
}

export function newsOf(kind: string, { metadata }: KubeObject, happening: NewsHappening): News {
  const { uid = '', namespace = null, name, creationTimestamp } = metadata;
  const { topic, reason, occasion, text, graceMs = 0, isPast = false } = happening;
  const at = happening.at ?? creationTimestamp ?? new Date(0).toISOString();
  return {
    id: digestOf([uid, topic, reason, occasion].join('\n'), DIGITS),
    topic,
    reason,
    about: { kind, namespace, name },
    text: oneLine(text),
    at,
    dueAt: (Date.parse(at) || 0) + graceMs,
    isPast,
  };
}

/** Without control characters, which a site may have written; cut. */
export function oneLine(text: string): string {
  return cutText(
    text
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
      .replaceAll(/ {2,}/g, ' ')
      .trim(),
    LONGEST,
  );
}
