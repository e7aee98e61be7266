// Requests to an API server by process, from its audit log.
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** By process and request, such as `hub` and `patch capps/status`; what was refused apart: `… (409)`. */
export type Requests = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface CountedRequest {
  readonly process: string;
  readonly request: string;
  /** Namespace, name and address: by these a story knows what is its own. */
  readonly about: string;
}

interface Entry {
  readonly verb: string;
  readonly requestURI: string;
  readonly user?: { readonly username?: string };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
}

/** A place in an audit log that grows. */
export class AuditLog {
  readonly #file: string;
  #at: number;

  /** Begins at its end. Throws when there is none: the stack was started without it. */
  constructor(file: string) {
    if (!existsSync(file)) throw new Error('The stack has no audit log. Start it with "make up AUDIT=1".');
    this.#file = file;
    this.#at = statSync(file).size;
  }

  /** What was written since the last time, whole lines only. */
  take(): CountedRequest[] {
    const text = this.#rest();
    const whole = text.subarray(0, text.lastIndexOf(10) + 1);
    this.#at += whole.length;
    return whole
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => askedIn(JSON.parse(line) as Entry));
  }

  #rest(): Buffer {
    const file = openSync(this.#file, 'r');
    try {
      const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - this.#at));
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, this.#at));
    } finally {
      closeSync(file);
    }
  }
}

/** Counts requests by process. */
export function tally(asked: readonly CountedRequest[]): Requests {
  const counts: Record<string, Record<string, number>> = {};
  for (const { process, request } of asked) {
    const of = (counts[process] ??= {});
    of[request] = (of[request] ?? 0) + 1;
  }
  return counts;
}

function askedIn({ verb, requestURI, user, userAgent, objectRef, responseStatus }: Entry): CountedRequest {
  const { resource = '', subresource = '', namespace = '', name = '' } = objectRef ?? {};
  const code = responseStatus?.code ?? 0;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  return {
    process: processOf(user?.username ?? '', userAgent ?? ''),
    request: `${verb} ${what}${code >= 400 ? ` (${code})` : ''}`,
    about: `${namespace}/${name} ${requestURI}`,
  };
}

const OURS = /^system:serviceaccount:[^:]+:cappstan-(?<name>[a-z]+)$/;

/**
 * `hub`, `bridge`, `webhook`, `gateway`, or the name of another's program, such as `kube-controller-manager`.
 */
function processOf(user: string, agent: string): string {
  return OURS.exec(user)?.groups?.['name'] ?? agent.split(/[/ ]/)[0] ?? '';
}
