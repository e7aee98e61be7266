// Decodes payloads for our workflows. A payload that cannot be decoded would fail the workflow's task for
// ever; it becomes a value that no parser accepts.
import { defaultPayloadConverter, type Payload, type PayloadConverter } from '@temporalio/common';

/** A value that no parser accepts, so the message counts as unreadable. */
export const UNREADABLE: unique symbol = Symbol('unreadable');

export const payloadConverter: PayloadConverter = {
  toPayload: (value) => defaultPayloadConverter.toPayload(value),
  fromPayload: (payload: Payload): never => {
    try {
      return defaultPayloadConverter.fromPayload<never>(payload);
    } catch {
      return UNREADABLE as never;
    }
  },
};
