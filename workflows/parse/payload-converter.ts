// Decodes what comes to our workflows. What cannot be decoded would fail the workflow's task, again and again: it becomes a word that nobody can read.
import { defaultPayloadConverter, type Payload, type PayloadConverter } from '@temporalio/common';

/** No parser takes it for anything: what was said is unreadable, and counted. */
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
