// Temporal's messages, decoded and encoded. What a message has beside the fields that are asked for goes no
// further.
import { temporal } from '../protocol.ts';
import { unreadable } from '../refusal.ts';
import { cutOut, type WireShape } from './wire.ts';

export const api = temporal.api.workflowservice.v1;

interface Readable<T> {
  decode(bytes: Uint8Array): T;
}

interface Writable<T> {
  encode(message: T): { finish(): Uint8Array };
}

/**
 * Of the message only the fields of `shape`. Throws a GatewayRefusal (INVALID_ARGUMENT) for bytes that are no
 * such message, and for what has very many fields.
 */
export function decoded<T>(type: Readable<T>, shape: WireShape, bytes: Uint8Array): T {
  try {
    return type.decode(cutOut(bytes, shape));
  } catch {
    throw unreadable('The request is not a message of this call.');
  }
}

export function encoded<T>(type: Writable<T>, message: T): Uint8Array {
  return type.encode(message).finish();
}
